package money

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/prompt"
	"skillbench/harness/tokens"
)

func encoding(t testing.TB) *tokens.Encoding {
	t.Helper()
	e, err := tokens.Load(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// drawSegment draws texts whose seams are of every kind, safe and not.
func drawSegment(rt *rapid.T) prompt.Segment {
	return prompt.Label(prompt.History, rapid.SampledFrom([]string{"", " ", "\n", "Observation:\n", "shelf", "_12", "'s", "item 3 moved.\n", "/x", "é"}).Draw(rt, "text"))
}

// change makes the next state of a section as strategies do.
func change(rt *rapid.T, section []prompt.Segment) []prompt.Segment {
	cut := rapid.IntRange(0, len(section)).Draw(rt, "cut")
	switch rapid.SampledFrom([]string{"append", "append", "slide", "shrink", "replace", "alter", "keep"}).Draw(rt, "how") {
	case "append":
		for range rapid.IntRange(1, 3).Draw(rt, "more") {
			section = append(section, drawSegment(rt))
		}
	case "slide":
		section = append(slices.Clone(section[cut:]), drawSegment(rt))
	case "shrink":
		section = section[:cut:cut]
	case "replace":
		section = []prompt.Segment{drawSegment(rt)}
	case "alter":
		section = append(append(slices.Clone(section[:cut]), drawSegment(rt)), section[cut:]...)
	}
	return section
}

func splice(old, next prompt.Prompt) prompt.Splice {
	sp := make(prompt.Splice, len(next))
	for i, s := range next {
		var before []prompt.Segment
		if i < len(old) {
			before = old[i]
		}
		skip, keep := prompt.Overlap(before, s)
		sp[i] = prompt.Edit{Skip: skip, Keep: keep, Add: make([]prompt.Ref, len(s)-keep)}
	}
	return sp
}

func TestCommonIsThatOfWholePrompts(t *testing.T) {
	t.Parallel()
	e := encoding(t)
	rapid.Check(t, func(rt *rapid.T) {
		l := &lane{encoding: e}
		var now prompt.Prompt
		for range rapid.IntRange(1, 10).Draw(rt, "prompts") {
			next := slices.Clone(now)
			for i := range next {
				next[i] = change(rt, next[i])
			}
			for len(next) < rapid.IntRange(0, 4).Draw(rt, "sections") {
				next = append(next, change(rt, nil))
			}
			sp := splice(now, next)
			if got, want := l.common(next, sp), e.Common(now.Text(), next.Text()); got != want {
				rt.Fatalf("%q then %q share %d tokens, got %d", now.Text(), next.Text(), want, got)
			}
			l.take(next, sp)
			for i := range l.sections {
				if rapid.Bool().Draw(rt, "ask") {
					continue
				}
				text := prompt.Prompt{next[i]}.Text()
				if got := l.tokens(i, len(next[i])); got != e.Count(text) {
					rt.Fatalf("section %q: got %d tokens, want %d", text, got, e.Count(text))
				}
			}
			now = next
		}
	})
}
