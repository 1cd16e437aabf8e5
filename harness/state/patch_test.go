package state

import "testing"

func TestPatchOfEachMerge(t *testing.T) {
	t.Parallel()
	from, _ := Parse([]byte(`{"a":{"x":"1","y":"2"},"b":"3","c":"4"}`))
	to, _ := Parse([]byte(`{"a":{"x":"1","y":"9"},"b":"3"}`))
	for merge, want := range map[Merge]string{
		Deep:    `{"a":{"y":"9"},"c":null}`,
		Shallow: `{"a":{"x":"1","y":"9"},"c":null}`,
		Replace: `{"a":{"x":"1","y":"9"},"b":"3"}`,
	} {
		patch := merge.Patch(from, to)
		if got := patch.Compact(); got != want {
			t.Errorf("%s: patch %s, want %s", merge, got, want)
		}
		if got := merge.Apply(from, patch); got.Compact() != to.Compact() {
			t.Errorf("%s: applied gives %s, want %s", merge, got.Compact(), to.Compact())
		}
	}
}
