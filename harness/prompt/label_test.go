package prompt_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"skillbench/harness/prompt"
)

// TestLabelsAreAll: Labels has every label of this package but those inside an
// observation.
func TestLabelsAreAll(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("label.go")
	if err != nil {
		t.Fatal(err)
	}
	known := append(prompt.Labels(), prompt.LabelBackground, prompt.LabelRecalled)
	all := regexp.MustCompile(`Label\w+ += ("[^"]+")`).FindAllSubmatch(source, -1)
	if len(all) != len(known) {
		t.Errorf("%d labels, the package has %d", len(known), len(all))
	}
	for _, m := range all {
		if label, err := strconv.Unquote(string(m[1])); err != nil || !slices.Contains(known, label) {
			t.Errorf("%s is not among them: %v", m[1], err)
		}
	}
}
