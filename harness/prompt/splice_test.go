package prompt_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"skillbench/harness/prompt"
)

// drawSegment draws from few values, so that segments of different places are
// often equal.
func drawSegment(rt *rapid.T) prompt.Segment {
	s := prompt.Segment{
		Kind: rapid.SampledFrom(prompt.Kinds()).Draw(rt, "kind"),
		Text: rapid.SampledFrom([]string{"", "a", "b\n", "é", "Observation:\n"}).Draw(rt, "text"),
	}
	s.From = rapid.IntRange(prompt.Fixed, 2).Draw(rt, "from")
	s.To = max(s.From, rapid.IntRange(prompt.Fixed, 3).Draw(rt, "to"))
	return s
}

// change makes the next state of a section in one of the ways in which
// strategies do. None of them changes a segment that was placed before.
func change(rt *rapid.T, section []prompt.Segment) []prompt.Segment {
	cut := rapid.IntRange(0, len(section)).Draw(rt, "cut")
	switch rapid.SampledFrom([]string{"append", "slide", "shrink", "replace", "reallocate", "keep", "alter"}).Draw(rt, "how") {
	case "append":
		for range rapid.IntRange(1, 4).Draw(rt, "more") {
			section = append(section, drawSegment(rt))
		}
	case "slide":
		section = append(section[cut:], drawSegment(rt))
	case "shrink":
		section = section[:cut:cut]
	case "replace":
		section = []prompt.Segment{drawSegment(rt)}
	case "reallocate":
		section = append(slices.Clone(section), drawSegment(rt))
	case "alter":
		section = append(slices.Clone(section[:cut]), append([]prompt.Segment{drawSegment(rt)}, section[cut:]...)...)
	}
	return section
}

// drawHistory draws the prompts of one lane. Sections share memory from one to
// the next, and sometimes with each other.
func drawHistory(rt *rapid.T) []prompt.Prompt {
	var history []prompt.Prompt
	var now prompt.Prompt
	for range rapid.IntRange(1, 12).Draw(rt, "prompts") {
		now = slices.Clone(now)
		if rapid.Bool().Draw(rt, "fewer") && len(now) > 0 {
			now = now[:rapid.IntRange(0, len(now)).Draw(rt, "sections")]
		}
		for i := range now {
			now[i] = change(rt, now[i])
		}
		for len(now) < rapid.IntRange(0, 4).Draw(rt, "want") {
			now = append(now, change(rt, nil))
		}
		if len(now) > 1 && rapid.IntRange(0, 9).Draw(rt, "shared") == 0 {
			now[0] = slices.Clip(now[1])
		}
		history = append(history, now)
	}
	return history
}

// book numbers texts as a journal does.
type book struct{ list []string }

func (b *book) number(text string) int {
	if i := slices.Index(b.list, text); i >= 0 {
		return i + 1
	}
	b.list = append(b.list, text)
	return len(b.list)
}

func (b *book) text(n int) (string, error) {
	if n < 1 || n > len(b.list) {
		return "", fmt.Errorf("no text %d", n)
	}
	return b.list[n-1], nil
}

// difference is the splice that takes old to next.
func difference(b *book, old, next prompt.Prompt) prompt.Splice {
	splice := make(prompt.Splice, len(next))
	for i, section := range next {
		var before []prompt.Segment
		if i < len(old) {
			before = old[i]
		}
		skip, keep := prompt.Overlap(before, section)
		splice[i] = prompt.Edit{Skip: skip, Keep: keep}
		for _, s := range section[keep:] {
			splice[i].Add = append(splice[i].Add, prompt.Ref{Kind: s.Kind, From: s.From, To: s.To, Text: b.number(s.Text)})
		}
	}
	return splice
}

func deepCopy(p prompt.Prompt) prompt.Prompt {
	c := make(prompt.Prompt, len(p))
	for i, section := range p {
		c[i] = slices.Clone(section)
	}
	return c
}

func TestSplicesRebuildEveryPrompt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		history := drawHistory(rt)
		var copies, rebuilt []prompt.Prompt
		var b book
		var old, again prompt.Prompt
		for _, p := range history {
			copies = append(copies, deepCopy(p))
			line, err := json.Marshal(difference(&b, old, p))
			if err != nil {
				rt.Fatal(err)
			}
			var splice prompt.Splice
			if err := json.Unmarshal(line, &splice); err != nil {
				rt.Fatalf("%s: %v", line, err)
			}
			next, err := splice.Apply(again, b.text)
			if err != nil {
				rt.Fatalf("%s: %v", line, err)
			}
			old, again = p, next
			rebuilt = append(rebuilt, next)
		}
		// Compared at the end, so that a later splice that wrote into an earlier
		// prompt is seen.
		for _, got := range [][]prompt.Prompt{history, rebuilt} {
			if d := cmp.Diff(copies, got, cmpopts.EquateEmpty()); d != "" {
				rt.Fatal(d)
			}
		}
	})
}

func TestOverlapIsCommonAndDropsWhatAddressesShow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		old := change(rt, change(rt, change(rt, nil)))
		next := change(rt, old)
		skip, keep := prompt.Overlap(old, next)
		if keep > len(next) || skip+keep > len(old) || !slices.Equal(old[skip:skip+keep], next[:keep]) {
			rt.Fatalf("Overlap(%v, %v) = %d, %d", old, next, skip, keep)
		}
		if len(old) > 0 && len(next) > 0 && &old[0] == &next[0] && keep != min(len(old), len(next)) {
			rt.Fatalf("kept %d of a section that begins at the same address: %v, %v", keep, old, next)
		}
	})
}

// TestASlidingWindowIsFound holds that equal labels do not hide the overlap of a
// window over a history, whether or not it moved in memory.
func TestASlidingWindowIsFound(t *testing.T) {
	t.Parallel()
	var history []prompt.Segment
	for step := range 6 {
		history = append(history, prompt.Label(prompt.History, prompt.LabelObservation), prompt.Of(prompt.History, step, fmt.Sprint("event ", step)))
	}
	old := history[2:8]
	for name, next := range map[string][]prompt.Segment{"in place": history[6:12], "moved": slices.Clone(history[6:12])} {
		if skip, keep := prompt.Overlap(old, next); skip != 4 || keep != 2 {
			t.Errorf("%s: skip %d, keep %d, want 4 and 2", name, skip, keep)
		}
	}
	altered := slices.Clone(old)
	altered[3].Text = "(no longer shown)"
	if skip, keep := prompt.Overlap(old, altered); skip != 0 || keep != 3 {
		t.Errorf("altered: skip %d, keep %d, want 0 and 3", skip, keep)
	}
}

func TestRefRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		want := prompt.Ref{
			Kind: prompt.Kind(rapid.String().Draw(rt, "kind")),
			From: rapid.IntRange(prompt.Fixed, 1000).Draw(rt, "from"),
			To:   rapid.IntRange(prompt.Fixed, 1000).Draw(rt, "to"),
			Text: rapid.Int().Draw(rt, "text"),
		}
		if rapid.Bool().Draw(rt, "one step") {
			want.To = want.From
		}
		line, err := json.Marshal(want)
		if err != nil {
			rt.Fatal(err)
		}
		var got prompt.Ref
		if err := json.Unmarshal(line, &got); err != nil || got != want {
			rt.Fatalf("%+v became %s became %+v, %v", want, line, got, err)
		}
	})
}

func TestRefForms(t *testing.T) {
	t.Parallel()
	for want, ref := range map[string]prompt.Ref{
		`["state",7]`:         {Kind: prompt.State, From: prompt.Fixed, To: prompt.Fixed, Text: 7},
		`["history",7,0]`:     {Kind: prompt.History, Text: 7},
		`["summary",7,0,12]`:  {Kind: prompt.Summary, To: 12, Text: 7},
		`["summary",7,-1,12]`: {Kind: prompt.Summary, From: prompt.Fixed, To: 12, Text: 7},
	} {
		if line, err := json.Marshal(ref); err != nil || string(line) != want {
			t.Errorf("%+v: got %s, %v, want %s", ref, line, err, want)
		}
	}
	for _, bad := range []string{`null`, `[]`, `["history"]`, `["history",1,2,3,4]`, `[1,2]`, `["history","1"]`, `["history",1.5]`, `["history",null]`, `{}`, `"history"`} {
		var r prompt.Ref
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s: read as %+v, want an error", bad, r)
		}
	}
}

func TestHostileSplicesAreErrors(t *testing.T) {
	t.Parallel()
	number := rapid.OneOf(rapid.IntRange(-2, 5), rapid.SampledFrom([]int{math.MaxInt, math.MaxInt - 1, math.MinInt}))
	rapid.Check(t, func(rt *rapid.T) {
		prev := prompt.Prompt{change(rt, nil), change(rt, nil)}
		before := deepCopy(prev)
		b := book{[]string{"x", "y"}}
		splice := make(prompt.Splice, rapid.IntRange(0, 4).Draw(rt, "sections"))
		fits := true
		for i := range splice {
			e := prompt.Edit{Skip: number.Draw(rt, "skip"), Keep: number.Draw(rt, "keep")}
			for range rapid.IntRange(0, 2).Draw(rt, "add") {
				e.Add = append(e.Add, prompt.Ref{Kind: prompt.History, Text: number.Draw(rt, "number")})
			}
			length := 0
			if i < len(prev) {
				length = len(prev[i])
			}
			fits = fits && e.Skip >= 0 && e.Keep >= 0 && e.Skip <= length && e.Keep <= length-e.Skip
			for _, r := range e.Add {
				fits = fits && (r.Text == 1 || r.Text == 2)
			}
			splice[i] = e
		}
		if _, err := splice.Apply(prev, b.text); (err == nil) != fits {
			rt.Fatalf("%+v on %v: %v", splice, prev, err)
		}
		if d := cmp.Diff(before, prev); d != "" {
			rt.Fatal("the prompt before has changed:", d)
		}
	})
}

func TestTextIsItsPartsAndNothingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		history := drawHistory(rt)
		p := history[len(history)-1]
		var whole strings.Builder
		length, chars := 0, map[prompt.Kind]int{}
		for s := range p.Segments() {
			whole.WriteString(s.Text)
			chars[s.Kind] += len([]rune(s.Text))
			length++
		}
		if p.Text() != whole.String() || p.Len() != length || p.Chars() != len([]rune(whole.String())) {
			rt.Fatalf("%v: text %q, %d segments, %d characters", p, p.Text(), p.Len(), p.Chars())
		}
		total := 0
		for _, k := range prompt.Kinds() {
			only := len([]rune(p.Only(k)))
			if only != chars[k] {
				rt.Fatalf("%s: %d characters, want %d", k, only, chars[k])
			}
			total += only
		}
		if total != p.Chars() {
			rt.Fatalf("the kinds have %d characters, the prompt %d", total, p.Chars())
		}
	})
}
