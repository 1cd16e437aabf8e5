package sim

import (
	"strings"

	"skillbench/harness/prompt"
)

// marks are the labels at which a prompt is taken apart. Text behind a label
// with no part is read by nobody.
var marks = []struct {
	label string
	part  Part
}{
	{prompt.LabelInstructions, ""},
	{prompt.LabelCatalogue, InCatalogue},
	{prompt.LabelState, InState},
	{prompt.LabelSkillState, InState},
	{prompt.LabelSummary, InSummary},
	{prompt.LabelHistory, InHistory}, // of a pruned history, whose inner labels are gone
	{prompt.LabelRecent, ""},
	{prompt.LabelLedger, ""},
	{prompt.LabelLatest, InObservation},
	{prompt.LabelFeedback, ""},
	{prompt.LabelContract, inContract},
	{prompt.LabelObservation, InHistory},
	{prompt.LabelReply, InReply},
}

// inContract is the part that asks for the reply form; languages never see it.
const inContract Part = "contract"

// split takes a prompt apart at its labels, which stand on lines of their own.
func split(text string) []Section {
	var sections []Section
	part, begin := Part(""), 0
	end := func(at int) {
		if part != "" {
			sections = append(sections, Section{Part: part, Text: text[begin:at], At: begin})
		}
	}
	for at := 0; at < len(text); {
		line := text[at:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if next, ok := markOf(line); ok {
			end(at)
			part, begin = next, at+len(line)
		}
		at += len(line)
	}
	end(len(text))
	return sections
}

func markOf(line string) (Part, bool) {
	if line == "" || (line[0] != '#' && line[0] != 'O' && line[0] != 'R') {
		return "", false
	}
	for _, m := range marks {
		if line == m.label {
			return m.part, true
		}
	}
	return "", false
}
