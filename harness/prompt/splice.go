package prompt

import "fmt"

// A Splice tells how a prompt differs from the one before it, so that a
// journal stores what is new and not the prompt again. It holds one Edit per
// section of the new prompt; section i is described against section i of the
// prompt before.
type Splice []Edit

// An Edit makes a section from the one at the same place in the prompt before:
// drop the first Skip segments, keep the Keep that follow, add Add.
type Edit struct {
	Skip int   `json:"skip,omitzero"`
	Keep int   `json:"keep,omitzero"`
	Add  []Ref `json:"add,omitempty"`
}

// Fits reports whether a section of n segments has what the edit skips and keeps.
func (e Edit) Fits(n int) bool {
	return e.Skip >= 0 && e.Keep >= 0 && e.Skip <= n && e.Keep <= n-e.Skip
}

// A Ref is a segment whose text is kept elsewhere, under a number.
type Ref struct {
	Kind     Kind
	From, To int
	Text     int
}

// Overlap finds how a section grew out of the one before: next begins with
// old[skip:skip+keep]. It compares addresses first, so the cost does not grow
// with a history that is only appended to; a window that slides over a history
// is found by its address too. Otherwise the values decide: labels are equal
// everywhere, so it looks for an overlap up to the end, or else for the longest.
func Overlap(old, next []Segment) (skip, keep int) {
	if len(next) == 0 {
		return 0, 0
	}
	for skip = range old {
		if &old[skip] == &next[0] {
			return skip, min(len(old)-skip, len(next))
		}
	}
	skip = 0
	for i := range old {
		n := common(old[i:], next)
		if i+n == len(old) || n == len(next) {
			return i, n
		}
		if n > keep {
			skip, keep = i, n
		}
	}
	return skip, keep
}

// common is how many segments two sections have in common from the start.
func common(a, b []Segment) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Apply rebuilds the prompt that follows prev. Texts are found by number in
// text; a splice that does not fit prev is an error, because journals may be
// damaged. The result may share memory with prev and grow into it, so splices
// are applied in a chain: each prev is given once.
func (sp Splice) Apply(prev Prompt, text func(int) (string, error)) (Prompt, error) {
	next := make(Prompt, len(sp))
	for i, e := range sp {
		var old []Segment
		if i < len(prev) {
			old = prev[i]
		}
		if !e.Fits(len(old)) {
			return nil, fmt.Errorf("section %d: want to keep %d segments after the first %d, the prompt before has %d", i, e.Keep, e.Skip, len(old))
		}
		section := old[e.Skip : e.Skip+e.Keep]
		if e.Skip+e.Keep < len(old) {
			section = section[:e.Keep:e.Keep] // growing it in place would overwrite prev
		}
		for _, r := range e.Add {
			t, err := text(r.Text)
			if err != nil {
				return nil, err
			}
			section = append(section, Segment{Kind: r.Kind, From: r.From, To: r.To, Text: t})
		}
		next[i] = section
	}
	return next, nil
}
