package patcherr

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/state"
)

func object(t *testing.T, text string) state.Object {
	t.Helper()
	o, err := state.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// Σ and world are written as {"at": …}; what is told is what holds, unless
// given.
func TestClassOfOneChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		before, after string // Σ
		world, next   string
		told, toldTo  string
		refused       string
		want          map[string]string
	}{
		{name: "right", before: `{"a":"1"}`, after: `{"b":"1"}`, world: `{"a":"1"}`, next: `{"b":"1"}`},
		{name: "nothing to do", before: `{"a":"1"}`, after: `{"a":"1"}`, world: `{"a":"1"}`, next: `{"a":"1"}`},
		{name: "deleted", before: `{"a":"1","b":"2"}`, after: `{"b":"2"}`, world: `{"a":"1","b":"2"}`, next: `{"a":"1","b":"2"}`,
			want: map[string]string{"/at/a": PrematureDelete}},
		{name: "overwritten", before: `{"a":"1"}`, after: `{"a":"9"}`, world: `{"a":"1"}`, next: `{"a":"1"}`,
			want: map[string]string{"/at/a": Overwrite}},
		{name: "left in both places", before: `{"a":"1"}`, after: `{"a":"1","b":"1"}`, world: `{"a":"1"}`, next: `{"b":"1"}`,
			want: map[string]string{"/at/a": Duplicate}},
		{name: "an object left in both places", before: `{"a":{"x":true,"y":true}}`, after: `{"a":{"x":true,"y":true},"b":{"x":true,"y":true}}`,
			world: `{"a":{"x":true,"y":true}}`, next: `{"b":{"x":true,"y":true}}`,
			want: map[string]string{"/at/a/x": Duplicate, "/at/a/y": Duplicate}},
		{name: "moved and not recorded", before: `{"a":"1"}`, after: `{"a":"1"}`, world: `{"a":"1"}`, next: `{"b":"1"}`,
			want: map[string]string{"/at/a": MissedUpdate, "/at/b": MissedUpdate}},
		{name: "true is nothing that can move", before: `{"a":true}`, after: `{"a":true,"b":true}`, world: `{"a":true}`, next: `{"b":true}`,
			want: map[string]string{"/at/a": MissedUpdate}},
		{name: "recorded as something else", before: `{"a":"1"}`, after: `{"a":"3"}`, world: `{"a":"1"}`, next: `{"a":"2"}`,
			want: map[string]string{"/at/a": MissedUpdate}},
		{name: "recorded elsewhere", before: `{}`, after: `{"b":"1"}`, world: `{}`, next: `{"a":"1"}`,
			want: map[string]string{"/at/a": MissedUpdate, "/at/b": Fabricated}},
		{name: "invented", before: `{"a":"1"}`, after: `{"a":"1","z":"9"}`, world: `{"a":"1"}`, next: `{"a":"1"}`,
			want: map[string]string{"/at/z": Fabricated}},
		{name: "what a refused action would have done", before: `{"a":"1"}`, after: `{"b":"1"}`, world: `{"a":"1"}`, next: `{"a":"1"}`, refused: "Move 1 a b",
			want: map[string]string{"/at/a": Unearned, "/at/b": Unearned}},
		{name: "beside a refused action", before: `{"a":"1","c":"3"}`, after: `{"b":"1"}`, world: `{"a":"1","c":"3"}`, next: `{"a":"1","c":"3"}`, refused: "Move 1 a b",
			want: map[string]string{"/at/a": Unearned, "/at/b": Unearned, "/at/c": PrematureDelete}},
		{name: "linked to a refused action", before: `{"p":{"of":"f","ci":"ok"},"q":{"of":"g","ci":"ok"}}`, after: `{"q":{"of":"g","ci":"no"}}`,
			world: `{"p":{"of":"f","ci":"ok"},"q":{"of":"g","ci":"ok"}}`, next: `{"p":{"of":"f","ci":"ok"},"q":{"of":"g","ci":"ok"}}`, refused: "Fix f",
			want: map[string]string{"/at/p/of": Unearned, "/at/p/ci": Unearned, "/at/q/ci": Overwrite}},
		{name: "the verb is no name", before: `{"Ship":"1"}`, after: `{}`, world: `{"Ship":"1"}`, next: `{"Ship":"1"}`, refused: "Ship 7 k",
			want: map[string]string{"/at/Ship": PrematureDelete}},
		{name: "a refused action and nothing recorded", before: `{"a":"1"}`, after: `{"a":"1"}`, world: `{"a":"1"}`, next: `{"a":"1"}`, refused: "Move 1 a b"},
		{name: "an error that stands", before: `{"a":"9"}`, after: `{"a":"9"}`, world: `{"a":"1"}`, next: `{"a":"1"}`},
		{name: "an error that stands while its fact changes", before: `{}`, after: `{}`, world: `{"a":"1"}`, next: `{"a":"2"}`},
		{name: "an error mended", before: `{"a":"9"}`, after: `{"a":"1"}`, world: `{"a":"1"}`, next: `{"a":"1"}`},
		{name: "an error half mended", before: `{"a":"9"}`, after: `{}`, world: `{"a":"1"}`, next: `{"a":"1"}`},
		{name: "an error for another", before: `{"a":"9"}`, after: `{"a":"8"}`, world: `{"a":"1"}`, next: `{"a":"1"}`,
			want: map[string]string{"/at/a": Fabricated}},
		{name: "silent, not yet told", before: `{"a":"1"}`, after: `{"a":"1"}`, world: `{"b":"1"}`, next: `{"b":"1"}`, told: `{"a":"1"}`, toldTo: `{"a":"1"}`},
		{name: "silent, told now", before: `{"a":"1"}`, after: `{"a":"1"}`, world: `{"b":"1"}`, next: `{"b":"1"}`, told: `{"a":"1"}`, toldTo: `{"b":"1"}`,
			want: map[string]string{"/at/a": MissedUpdate, "/at/b": MissedUpdate}},
		{name: "silent, told now, left in both places", before: `{"a":"1"}`, after: `{"a":"1","b":"1"}`, world: `{"b":"1"}`, next: `{"b":"1"}`, told: `{"a":"1"}`, toldTo: `{"b":"1"}`,
			want: map[string]string{"/at/a": Duplicate}},
		{name: "silent, guessed before it is told", before: `{"a":"1"}`, after: `{"b":"1"}`, world: `{"b":"1"}`, next: `{"b":"1"}`, told: `{"a":"1"}`, toldTo: `{"a":"1"}`},
		{name: "lists are one fact", before: `{"a":[1,2]}`, after: `{"a":[1]}`, world: `{"a":[1,2]}`, next: `{"a":[1,2]}`,
			want: map[string]string{"/at/a": Overwrite}},
		{name: "a fact that became an object", before: `{"a":"1"}`, after: `{"a":{"b":"1"}}`, world: `{"a":"1"}`, next: `{"a":"1"}`,
			want: map[string]string{"/at/a": PrematureDelete, "/at/a/b": Fabricated}},
	} {
		in := func(text string) state.Object { return object(t, `{"at":`+text+`}`) }
		told, toldTo := c.told, c.toldTo
		if told == "" {
			told, toldTo = c.world, c.next
		}
		change := newChange(in(c.before), in(c.after), surrounding{holdsBefore: in(c.world), holdsAfter: in(c.next), toldBefore: in(told), toldAfter: in(toldTo), refused: c.refused})
		got := map[string]string{}
		for _, f := range change.findings() {
			got[f.Path] = f.Class
			if f.Before != change.before[f.Path] || f.After != change.after[f.Path] || f.Truth != change.holdsAfter[f.Path] {
				t.Errorf("%s: evidence of %+v", c.name, f)
			}
		}
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (want, got)\n%s", c.name, diff)
		}
	}
}

func TestMembersThatTheWorldLacksAreNoFacts(t *testing.T) {
	t.Parallel()
	world := object(t, `{"at":{"a":"1"}}`)
	c := newChange(object(t, `{"at":{"a":"1"},"notes":"x"}`), object(t, `{"at":{"a":"1"},"mood":{"good":true}}`),
		surrounding{holdsBefore: world, holdsAfter: world, toldBefore: world, toldAfter: world})
	if found := c.findings(); found != nil || c.wrong() != 0 || !c.wasRight() {
		t.Errorf("%+v, %d wrong", found, c.wrong())
	}
}

func TestOrderDecidesThePrimaryClass(t *testing.T) {
	t.Parallel()
	both := []Finding{{Class: Overwrite}, {Class: "json_syntax"}, {Class: PrematureDelete}}
	if first, last := First.Primary(both), Reversed.Primary(both); first != "json_syntax" || last != Overwrite {
		t.Errorf("first %s, reversed %s", first, last)
	}
	if got := First.Primary(nil); got != None {
		t.Errorf("nothing found: %s", got)
	}
	ranks := map[string]bool{}
	for _, class := range Classes() {
		if ranks[class] || BucketOf(class) == "" {
			t.Errorf("%s stands twice or has no bucket", class)
		}
		ranks[class] = true
	}
}
