package sim

import (
	"strings"
	"unicode"

	"skillbench/harness/prompt"
)

// Notes beside a reply (record.Reply.Notes).
const (
	noteLacks      = "lacks"      // the key whose value was needed and not known
	noteUnreadable = "unreadable" // set where the past in the prompt names it on a line that cannot be read, as pruning leaves them
)

// names reports whether what the prompt shows of the past names a key on a line
// that says nothing to the language. It may say nothing of the needed value
// either, so that what is counted by it is an upper bound.
func (m *Model) names(sections []Section, key string) bool {
	name := nameOf(key)
	for _, s := range sections {
		if s.Part == InObservation || s.Part == inContract || s.Part == InState {
			continue
		}
		for line := range strings.Lines(s.Text) {
			if hasWord(line, name) && !m.reads(s.Part, line) {
				return true
			}
		}
	}
	return false
}

// reads reports whether a line of a part means anything.
func (m *Model) reads(part Part, line string) bool {
	if part != InReply {
		part = InObservation // where events are found too
	}
	r := m.language.Read([]Section{{Part: part, Text: line}})
	return len(r.Mentions) > 0 || r.Event.Kind != ""
}

// nameOf is what a key is about: pr_3 of pr_3.ci, feature_4 of
// feature_4/file_7.go.
func nameOf(key string) string {
	if i := strings.IndexAny(key, "./"); i > 0 {
		return key[:i]
	}
	return key
}

func hasWord(text, word string) bool {
	for {
		i := strings.Index(text, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !inWord(text[i-1])) && (end == len(text) || !inWord(text[end])) {
			return true
		}
		text = text[end:]
	}
}

func inWord(c byte) bool {
	return c == '_' || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c))
}

// recallOffer is what a contract says where the past can be searched.
const recallOffer = "Recall <query>"

// first is what the model does before it answers: it looks, where it has the
// habit, and asks the record for a fact that it lacks, once for each event.
func (m *Model) first(sections []Section, d draft) (Answer, bool) {
	if looker, ok := m.language.(Looker); ok && m.config.Reads {
		if action, ok := looker.Look(sections, d.event, d.beliefs); ok {
			return Answer{Because: "It is looked at first.", Action: action}, true
		}
	}
	if d.answer.Lacks == "" || !offersRecall(sections) {
		return Answer{}, false
	}
	return Answer{Because: "The record may know.", Action: "Recall " + nameOf(d.answer.Lacks)}, true
}

// offersRecall reports whether the contract offers the record and the latest
// observation is not already its answer.
func offersRecall(sections []Section) bool {
	offered := false
	for _, s := range sections {
		switch {
		case s.Part == inContract && strings.Contains(s.Text, recallOffer):
			offered = true
		case s.Part == inRecalled:
			return false
		}
	}
	return offered
}

// inRecalled is the part that marks an answer of the record; languages find
// nothing in it.
const inRecalled Part = "recalled"

// recalled makes sections of what the latest observation recalls, before it, as
// observations and replies of the past.
func recalled(sections []Section) []Section {
	var out []Section
	for _, s := range sections {
		if s.Part == InObservation && strings.HasPrefix(s.Text, prompt.LabelRecalled) {
			var lines []Section
			lines, s = unrecalled(s)
			out = append(append(out, Section{Part: inRecalled}), lines...)
		}
		out = append(out, s)
	}
	return out
}

func unrecalled(s Section) ([]Section, Section) {
	var lines []Section
	for strings.HasPrefix(s.Text, prompt.LabelRecalled) {
		line, rest, _ := strings.Cut(s.Text, "\n")
		at := strings.Index(line, ") ") + 2
		if at == 1 {
			at = len(line)
		}
		part := InHistory
		if strings.HasPrefix(line[at:], "Action: ") {
			part = InReply
		}
		lines = append(lines, Section{Part: part, Text: line[at:] + "\n", At: s.At + at})
		s.At += len(s.Text) - len(rest)
		s.Text = rest
	}
	return lines, s
}
