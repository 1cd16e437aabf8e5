package charts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A line breaks after a slash between words, and not within a count.
func TestCountsAreNotBroken(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"and/", "or ", "so ", "(2/146)"}, pieces("and/or so (2/146)")); diff != "" {
		t.Error(diff)
	}
}
