package repo

import (
	"strings"
	"testing"
)

func TestGrammar(t *testing.T) {
	t.Parallel()
	for _, action := range []string{
		"Commit feature_1 file_0.go", "Commit feature_999999 file_999999.go", "CreatePR feature_12",
		"Merge pr_7", "FixCI feature_0", "Wait",
	} {
		if err := Grammar(action); err != nil {
			t.Errorf("%q: %v", action, err)
		}
	}
	for _, action := range append(reads(),
		"", " ", "wait", "Wait ", " Wait", "Wait now", "none", "Commit", "Commit feature_1", "Commit feature_1 file_0",
		"Commit file_0.go feature_1", "Commit  feature_1 file_0.go", "Commit feature_1 file_0.go file_1.go",
		"CreatePR pr_1", "CreatePR feature_01", "CreatePR feature_1234567", "CreatePR feature_-1", "CreatePR feature_١",
		"Merge feature_1", "Merge pr_", "Merge pr_1\n", "FixCI pr_1", "Rollback pr_1", "Merge pr_1; Wait",
		strings.Repeat("Wait ", 1000), "Commit feature_1 \xff.go",
	) {
		err := Grammar(action)
		if err == nil {
			t.Errorf("%q is taken for a command", action)
		} else if text := err.Error(); len(text) > 250 || strings.Contains(text, "\n") {
			t.Errorf("%q: the error is not one short line: %q", action, text)
		}
	}
}

func reads() []string {
	return []string{"Read file_3.go", "Read file_3.go 1-10", "Search func loadOrder", "RunTests feature_1"}
}

func TestReadsAreInTheGrammarOnlyWhereOffered(t *testing.T) {
	t.Parallel()
	o := defaults()
	o.Reads = true
	open, shut := start(t, withOptions(t, spec(10, 1), o)), start(t, spec(10, 1))
	for _, action := range reads() {
		if err := open.Grammar(action); err != nil {
			t.Errorf("with reads: %q: %v", action, err)
		}
		if shut.Grammar(action) == nil {
			t.Errorf("without reads: %q is taken for a command", action)
		}
	}
	for _, action := range []string{"Read", "Read file_3", "Read file_3.go 5", "Read file_3.go 0-4", "Read file_3.go 9-4",
		"Read file_3.go 1-2 3", "Search", "Search ", "Search a\nb", "RunTests", "RunTests pr_1", "RunTests feature_1 feature_2"} {
		if open.Grammar(action) == nil {
			t.Errorf("with reads: %q is taken for a command", action)
		}
	}
	for _, action := range []string{"Wait", "Merge pr_1"} {
		if err := open.Grammar(action); err != nil {
			t.Errorf("with reads: %q: %v", action, err)
		}
	}
}
