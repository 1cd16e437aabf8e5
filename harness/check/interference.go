package check

import (
	"fmt"
	"strconv"
	"strings"

	"skillbench/harness/prompt"
)

// Interference judges part (a) of no_history_leak: prompts made from the same P,
// Σ and O after different pasts are the same bytes. Evidence is the first
// difference. The names say which pasts they had.
func Interference(name string, a prompt.Prompt, otherName string, b prompt.Prompt) Result {
	v := begin(NoHistoryLeak)
	x, y := a.Text(), b.Text()
	if x == y {
		return v.result()
	}
	at := 0
	for at < len(x) && at < len(y) && x[at] == y[at] {
		at++
	}
	v.fail("same P, Σ and O, other past (%s against %s): the prompts differ from byte %d on: %s in %s against %s in %s",
		name, otherName, at, around(x, at), segmentAt(a, at), around(y, at), segmentAt(b, at))
	return v.result()
}

// segmentAt names the segment at a byte offset of the prompt.
func segmentAt(p prompt.Prompt, at int) string {
	for s := range p.Segments() {
		if at < len(s.Text) {
			return fmt.Sprintf("a segment of %s (steps %s)", s.Kind, span(s))
		}
		at -= len(s.Text)
	}
	return "nothing: the prompt is over"
}

// span is the steps that a segment tells of.
func span(s prompt.Segment) string {
	if s.From == prompt.Fixed && s.To == prompt.Fixed {
		return "none"
	}
	return strings.TrimSuffix(strconv.Itoa(s.From)+"–"+strconv.Itoa(s.To), "–"+strconv.Itoa(s.From))
}
