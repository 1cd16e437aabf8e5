package sim

import "strings"

// knownMark opens what a reply says that is believed.
const knownMark = " Known: "

// restate says what is believed and somewhere, on one line.
func (m *Model) restate(beliefs Beliefs) string {
	held := Beliefs{}
	for k, v := range beliefs {
		if v != "" {
			held[k] = v
		}
	}
	said := strings.TrimSpace(m.language.Summarize(held))
	if said == "" {
		return ""
	}
	return knownMark + strings.ReplaceAll(said, "\n", " ") + " That is all."
}

// restated makes sections of what past replies said that was believed, each
// before the reply's action. Offsets stay those of the prompt.
func restated(sections []Section) []Section {
	var out []Section
	for _, s := range sections {
		if s.Part == InReply {
			line, _, _ := strings.Cut(s.Text, "\n")
			if at := strings.Index(line, knownMark); at >= 0 {
				begin := at + len(knownMark)
				text := strings.ReplaceAll(line[begin:], ". ", ".\n")
				out = append(out, Section{Part: InHistory, Text: text + "\n", At: s.At + begin})
			}
		}
		out = append(out, s)
	}
	return out
}
