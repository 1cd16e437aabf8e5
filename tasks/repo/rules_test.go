package repo

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/state"
)

// shop is a repository with one pull request in each condition.
func shop() repository {
	return repository{
		branches: map[string][]string{
			"feature_1": {"file_1.go", "file_2.go"}, // pr_1 passed
			"feature_2": {"file_2.go"},              // pr_2 passed, shares file_2.go
			"feature_3": {"file_3.go"},              // pr_3 passed, shares nothing
			"feature_4": {"file_1.go"},              // pr_4 pending, approved
			"feature_5": {"file_1.go"},              // pr_5 failed
			"feature_6": {"file_6.go"},              // pr_6 stale
			"feature_7": {"file_2.go"},              // no pull request
			"feature_8": nil,                        // no commits
		},
		pulls: map[string]pull{
			"pr_1": {"feature_1", passed, false},
			"pr_2": {"feature_2", passed, false},
			"pr_3": {"feature_3", passed, false},
			"pr_4": {"feature_4", pending, true},
			"pr_5": {"feature_5", failed, false},
			"pr_6": {"feature_6", stale, false},
		},
	}
}

var shopLimits = limits{files: 8, numbers: map[string]string{"feature_7": "pr_7", "feature_8": "pr_8"}}

func TestCommands(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ action, result, change string }{
		{"Commit feature_7 file_5.go", "Success: committed file_5.go to feature_7.", `{"branches":{"feature_7":{"file_5.go":true}}}`},
		{"Commit feature_8 file_0.go", "Success: committed file_0.go to feature_8.", `{"branches":{"feature_8":{"file_0.go":true}}}`},
		{"Commit feature_7 file_2.go", "Success: committed file_2.go to feature_7.", `{}`},
		{"Commit feature_1 file_7.go", "Success: committed file_7.go to feature_1; its CI is pending.", `{"branches":{"feature_1":{"file_7.go":true}},"prs":{"pr_1":{"ci":"pending"}}}`},
		{"Commit feature_1 file_1.go", "Success: committed file_1.go to feature_1; its CI is pending.", `{"prs":{"pr_1":{"ci":"pending"}}}`},
		{"Commit feature_9 file_1.go", "Error: branch feature_9 is not open.", `{}`},
		{"Commit feature_1 file_8.go", "Error: file file_8.go does not exist.", `{}`},
		{"CreatePR feature_7", "Success: opened pr_7 from feature_7; its CI is pending.", `{"prs":{"pr_7":{"branch":"feature_7","ci":"pending"}}}`},
		{"CreatePR feature_8", "Error: branch feature_8 has no commits.", `{}`},
		{"CreatePR feature_1", "Error: branch feature_1 already has pr_1.", `{}`},
		{"CreatePR feature_9", "Error: branch feature_9 is not open.", `{}`},
		{"Merge pr_1", "Success: merged pr_1 into master.", `{"branches":{"feature_1":null},"prs":{"pr_1":null,"pr_2":{"ci":"stale"}}}`},
		{"Merge pr_3", "Success: merged pr_3 into master.", `{"branches":{"feature_3":null},"prs":{"pr_3":null}}`},
		{"Merge pr_6", "Success: merged pr_6 into master, but its CI was stale: master is broken.", `{"branches":{"feature_6":null},"prs":{"pr_6":null}}`},
		{"Merge pr_4", "Error: the CI of pr_4 is pending, so it cannot be merged.", `{}`},
		{"Merge pr_5", "Error: the CI of pr_5 is failed, so it cannot be merged.", `{}`},
		{"Merge pr_7", "Error: pr_7 is not open.", `{}`},
		{"FixCI feature_5", "Success: fixed feature_5; its CI is pending.", `{"prs":{"pr_5":{"ci":"pending"}}}`},
		{"FixCI feature_6", "Success: fixed feature_6; its CI is pending.", `{"prs":{"pr_6":{"ci":"pending"}}}`},
		{"FixCI feature_4", "Success: fixed feature_4; its CI is pending.", `{}`},
		{"FixCI feature_7", "Error: branch feature_7 has no open PR.", `{}`},
		{"Wait", "Success: waited.", `{}`},
	} {
		r := shop()
		before := r.object()
		c, err := parse(test.action)
		if err != nil {
			t.Fatal(err)
		}
		got := r.do(c, shopLimits)
		if got.result != test.result || got.valid != (got.result[0] == 'S') {
			t.Errorf("%s: result %q, valid %v, want %q", test.action, got.result, got.valid, test.result)
		}
		if change := state.Diff(before, r.object()).Compact(); change != test.change {
			t.Errorf("%s: changed %s, want %s", test.action, change, test.change)
		}
		if untouched := shop(); !got.valid && !cmp.Equal(untouched, r, cmp.AllowUnexported(repository{}, pull{})) {
			t.Errorf("%s was refused and changed the repository", test.action)
		}
	}
}

func TestOracle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		event  event
		action string // "" where none is right
	}{
		{event{kind: kindIssue, branch: "feature_7", file: "file_1.go"}, "Commit feature_7 file_1.go"},
		{event{kind: kindIssue, branch: "feature_8", file: "file_1.go"}, "Commit feature_8 file_1.go"},
		{event{kind: kindIssue, branch: "feature_9", file: "file_1.go", first: true}, "Commit feature_9 file_1.go"},
		{event{kind: kindIssue, branch: "feature_9", file: "file_1.go"}, ""},
		{event{kind: kindReady, branch: "feature_7", pr: "pr_7"}, "CreatePR feature_7"},
		{event{kind: kindReady, branch: "feature_8", pr: "pr_8"}, ""},
		{event{kind: kindReady, branch: "feature_1", pr: "pr_1"}, ""},
		{event{kind: kindReview, pr: "pr_4", file: "file_5.go"}, "Commit feature_4 file_5.go"},
		{event{kind: kindReview, pr: "pr_9", file: "file_5.go"}, ""},
		{event{kind: kindFailed, pr: "pr_4"}, "FixCI feature_4"},
		{event{kind: kindFailed, pr: "pr_9"}, ""},
		{event{kind: kindPassed, pr: "pr_4"}, "Merge pr_4"},
		{event{kind: kindPassed, pr: "pr_5"}, "Wait"},
		{event{kind: kindPassed, pr: "pr_9"}, ""},
		{event{kind: kindApproved, pr: "pr_1"}, "Merge pr_1"},
		{event{kind: kindApproved, pr: "pr_4"}, "FixCI feature_4"},
		{event{kind: kindApproved, pr: "pr_5"}, "FixCI feature_5"},
		{event{kind: kindApproved, pr: "pr_6"}, "FixCI feature_6"},
		{event{kind: kindApproved, pr: "pr_9"}, ""},
		{event{kind: kindQueue, pr: "pr_1"}, "Merge pr_1"},
		{event{kind: kindQueue, pr: "pr_5"}, "FixCI feature_5"},
		{event{kind: kindQueue, pr: "pr_9"}, ""},
	} {
		r := shop()
		r.announce(test.event)
		c, ok := r.oracle(test.event)
		if ok != (test.action != "") || ok && c.String() != test.action {
			t.Errorf("%s: oracle says %q, %v, want %q", test.event.text(), c, ok, test.action)
		}
	}
}

// A merge voids what is passed and shares a file; one that was voided already,
// is on its way or has failed stays as it is.
func TestMergeVoids(t *testing.T) {
	t.Parallel()
	r := shop()
	if diff := cmp.Diff([]string{"pr_2"}, r.merge("pr_1")); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{"pr_2": stale, "pr_3": passed, "pr_4": pending, "pr_5": failed, "pr_6": stale}
	for pr, ci := range want {
		if got := r.pulls[pr].ci; got != ci {
			t.Errorf("CI of %s is %s, want %s", pr, got, ci)
		}
	}
}
