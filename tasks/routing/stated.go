package routing

import (
	"maps"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
)

// Sentences of a summary.
const (
	knownSentence = "Known: "
	goneSentence  = "No longer known: "
	askedSentence = "Asked the customer for: "
	topicSentence = "It is about: "
)

// Summarize writes one sentence for each belief, in the order of their keys.
func (language) Summarize(beliefs sim.Beliefs) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(beliefs)) {
		value := beliefs[key]
		switch {
		case value == "":
			b.WriteString(goneSentence + key)
		case key == keyAsked:
			b.WriteString(askedSentence + value)
		case key == keyTopic:
			b.WriteString(topicSentence + value)
		default:
			b.WriteString(knownSentence + key + " is " + value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (r *reader) summary(line string, at int) {
	if rest, ok := strings.CutPrefix(line, knownSentence); ok {
		if key, value, ok := strings.Cut(rest, " is "); ok && valueOf(value) != nil {
			r.mention(sim.Says, key, value, at)
		}
	} else if rest, ok := strings.CutPrefix(line, goneSentence); ok {
		r.mention(sim.Says, rest, "", at)
	} else if rest, ok := strings.CutPrefix(line, askedSentence); ok {
		r.mention(sim.Says, keyAsked, rest, at)
	} else if rest, ok := strings.CutPrefix(line, topicSentence); ok {
		r.mention(sim.Says, keyTopic, rest, at)
	}
}

// Render shows beliefs as the state of the skill.
func (language) Render(beliefs sim.Beliefs) map[string]any {
	facts := map[string]any{}
	root := map[string]any{memberFacts: facts}
	for key, text := range beliefs {
		switch {
		case text == "":
		case key == keyAsked:
			root[memberAsked] = text
		case key == keyTopic:
			root[memberTopic] = text
		case isFact(key, valueOf(text)):
			facts[key] = valueOf(text)
		}
	}
	return root
}
