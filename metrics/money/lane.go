package money

import (
	"strings"

	"skillbench/harness/prompt"
	"skillbench/harness/tokens"
)

// A lane follows the prompts of one purpose and keeps the token counts of what
// stays in their sections, so that it is not counted again.
type lane struct {
	encoding *tokens.Encoding
	call     int // number of the last call
	prompt   prompt.Prompt
	sections []section
}

// A section counts the tokens of a section's text up to each of its segments:
// upTo[j] is the count of the first j. It holds the counts that were asked for:
// most sections change before anybody does.
type section struct {
	upTo    []int
	base    int // tokens before what the counter holds
	counter *tokens.Counter
}

// tokens counts the first segments of a section of the last prompt.
func (l *lane) tokens(i, segments int) int {
	s := &l.sections[i]
	for j := len(s.upTo) - 1; j < segments; j++ {
		s.counter.Append(l.prompt[i][j].Text)
		s.upTo = append(s.upTo, s.base+s.counter.Count())
	}
	return s.upTo[segments]
}

// common counts the tokens that the next prompt and the last begin with alike.
// It adds up what the splice says is kept and compares from there. Where
// tokens may cross from what is kept to what follows, it compares from the
// start.
func (l *lane) common(next prompt.Prompt, sp prompt.Splice) int {
	sum, before, i, at := 0, "", 0, 0
	for ; i < len(sp); i++ {
		if i >= len(l.prompt) || sp[i].Skip != 0 || sp[i].Keep == 0 {
			break
		}
		if !safe(before, rest(next, i, 0)) {
			return commonTail(l.encoding, rest(l.prompt, 0, 0), rest(next, 0, 0))
		}
		if sp[i].Keep != len(l.prompt[i]) || len(sp[i].Add) != 0 {
			at = l.seam(before, next, i, sp[i].Keep)
			break
		}
		sum += l.tokens(i, sp[i].Keep)
		before = lastText(before, next[i])
	}
	old, new := rest(l.prompt, i, at), rest(next, i, at)
	if at == 0 && !(safe(before, old) && safe(before, new)) {
		return commonTail(l.encoding, rest(l.prompt, 0, 0), rest(next, 0, 0))
	}
	if at > 0 {
		sum += l.tokens(i, at)
	}
	return sum + commonTail(l.encoding, old, new)
}

// seam is the last segment, up to the one given, at which tokens before and
// from it on add up in both prompts; 0 where there is none.
func (l *lane) seam(before string, next prompt.Prompt, section, at int) int {
	for ; at > 0; at-- {
		before := lastText(before, next[section][:at])
		if safe(before, rest(l.prompt, section, at)) && safe(before, rest(next, section, at)) {
			return at
		}
	}
	return 0
}

// safe reports whether the tokens of what stands before and of the texts that
// follow add up. A line break behind spaces joins one before them, so it looks
// up to the end of the first text that is more than white space.
func safe(before string, after []string) bool {
	if before == "" || len(after) == 0 {
		return true
	}
	text := ""
	for _, t := range after {
		if text += t; strings.TrimSpace(t) != "" {
			break
		}
	}
	return tokens.SafeSplit(before, text)
}

func lastText(before string, segments []prompt.Segment) string {
	for i := len(segments) - 1; i >= 0; i-- {
		if segments[i].Text != "" {
			return segments[i].Text
		}
	}
	return before
}

// take makes next the last prompt.
func (l *lane) take(next prompt.Prompt, sp prompt.Splice) {
	sections := make([]section, len(next))
	for i, e := range sp {
		var old section
		length := 0
		if i < len(l.prompt) {
			old, length = l.sections[i], len(l.prompt[i])
		}
		sections[i] = l.section(old, length, next, i, e)
	}
	l.prompt, l.sections = next, sections
}

// section is what is known of a section that grew out of an old one of so many
// segments.
func (l *lane) section(old section, length int, next prompt.Prompt, i int, e prompt.Edit) section {
	if old.counter == nil || e.Skip != 0 {
		return section{upTo: []int{0}, counter: l.encoding.NewCounter()}
	}
	if e.Keep == length {
		return old // the old section is not needed again
	}
	at := min(e.Keep, len(next[i])-1, len(old.upTo)-1)
	for at > 0 && !firm(next[i], at) {
		at--
	}
	at = max(at, 0)
	return section{upTo: old.upTo[: at+1 : at+1], base: old.upTo[at], counter: l.encoding.NewCounter()}
}

// firm reports whether a section can be counted in two parts whatever is added
// to its end.
func firm(segments []prompt.Segment, at int) bool {
	for _, s := range segments[at:] {
		if strings.TrimSpace(s.Text) != "" {
			return tokens.SafeSplit(lastText("", segments[:at]), s.Text)
		}
		if s.Text != "" {
			return false
		}
	}
	return false
}
