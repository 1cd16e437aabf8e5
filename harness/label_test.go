package harness_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestNamesThatNoTableCanShow: a name goes into tables, files and terminals, so
// one with control characters, one that a spreadsheet would run and one without
// end are refused, at their line.
func TestNamesThatNoTableCanShow(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"=cmd()", "+1", "@x", "a\nb", "\x1b[2J", "\u202etxt", strings.Repeat("x", 101)} {
		for _, key := range []string{"agents=[{base: react, name: %q}]", "tasks=[{task: warehouse, name: %q}]", "models=[{sim: perfect, name: %q}]"} {
			_, err := resolve(whole, fmt.Sprintf(key, name))
			if err == nil || !strings.Contains(err.Error(), "printable characters") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v", fmt.Sprintf(key, name), err)
			}
		}
	}
	if _, err := resolve(whole, `agents=[{base: react, name: "skillstate – 日本"}]`); err != nil {
		t.Errorf("a printable name was refused: %v", err)
	}
}
