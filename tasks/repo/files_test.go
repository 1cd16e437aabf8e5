package repo

import (
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/record"
)

func reading(t testing.TB, horizon int, seed uint64) harness.Spec {
	o := defaults()
	o.Reads = true
	return withOptions(t, spec(horizon, seed), o)
}

// A free command is answered by the next observation, which announces the same
// event again, and costs no base event.
func TestReadsAreFree(t *testing.T) {
	t.Parallel()
	w := start(t, reading(t, 10, 1))
	first, _ := w.Observe()
	truth := w.Truth().Compact()
	out := w.Act("Read file_2.go 3-4")
	if !out.Valid || out.Correct || !out.Free || out.World != nil {
		t.Errorf("a read gives %+v", out)
	}
	second, _ := w.Observe()
	want := "Success: read file_2.go, lines 3-4 of 40.\n3: " + w.line("file_2.go", 3) + "\n4: " + w.line("file_2.go", 4) + "\n"
	if !strings.HasPrefix(second.Text, want) {
		t.Errorf("the answer is %q, want %q", second.Text, want)
	}
	if second.Kind != first.Kind || second.Item != first.Item || second.Oracle != first.Oracle || second.Step != first.Step+1 || second.Free {
		t.Errorf("after the read: %+v, before: %+v", second, first)
	}
	if w.Truth().Compact() != truth {
		t.Error("a read changed the truth")
	}
	if !strings.Contains(first.Text, "Free commands left: 5 ") || !strings.Contains(second.Text, "Free commands left: 4 ") {
		t.Errorf("the offer is missing: %q, %q", first.Text, second.Text)
	}
	if out := w.Act(second.Oracle); !out.Correct || out.Free {
		t.Errorf("the answer after a read gives %+v", out)
	}
	if third, _ := w.Observe(); !strings.Contains(third.Text, "Free commands left: 5 ") {
		t.Errorf("the next event does not offer all free commands: %q", third.Text)
	}
}

func TestReadsAreBounded(t *testing.T) {
	t.Parallel()
	always := func(*world, record.Observation) string { return "Search func" }
	acts := run(t, reading(t, 10, 1), always)
	if len(acts) != 10*(maxReads+1) || len(base(acts)) != 10 {
		t.Errorf("%d steps, %d of them base events", len(acts), len(base(acts)))
	}
	for _, a := range base(acts) {
		if a.Outcome.Valid || a.Outcome.Result != string(noReads) {
			t.Errorf("one read too many gives %+v", a.Outcome)
		}
	}
}

func TestFreeCommands(t *testing.T) {
	t.Parallel()
	w := start(t, reading(t, 10, 1))
	w.Observe()
	w.repo = shop()
	for action, want := range map[string]string{
		"Read file_12.go":      "Error: file file_12.go does not exist.",
		"Read file_1.go 50-60": "Success: read file_1.go, lines 50-60 of 40: none.",
		"RunTests feature_6":   "Success: tests of feature_6 ran; the CI of pr_6 is stale.",
		"RunTests feature_7":   "Success: tests of feature_7 ran; no PR is open for it.",
		"RunTests feature_9":   "Error: branch feature_9 is not open.",
		"Search zebra":         "Success: searched master, 0 lines found, 0 shown.",
	} {
		out := w.Judge(action)
		if out.Result != want || !out.Free || out.Valid != strings.HasPrefix(want, successHeading) {
			t.Errorf("%s: %+v, want %q", action, out, want)
		}
	}
	if got := strings.Count(w.Judge("Search func").Result, "\n"); got != maxHits {
		t.Errorf("a search shows %d lines, want %d", got, maxHits)
	}
	if got := strings.Count(w.Judge("Read file_1.go").Result, "\n"); got != fileLines {
		t.Errorf("a read shows %d lines, want %d", got, fileLines)
	}
}

// A merge changes its files on master and no others.
func TestMergeChangesFiles(t *testing.T) {
	t.Parallel()
	w := start(t, reading(t, 10, 1))
	w.Observe()
	w.repo = shop()
	changed, kept := w.Judge("Read file_2.go").Result, w.Judge("Read file_3.go").Result
	w.Act("Merge pr_1")
	w.Observe()
	if w.Judge("Read file_2.go").Result == changed {
		t.Error("the merged file is as it was")
	}
	if w.Judge("Read file_3.go").Result != kept {
		t.Error("another file changed")
	}
}

func TestReadsAreRefusedWhereNotOffered(t *testing.T) {
	t.Parallel()
	w := start(t, spec(10, 1))
	o, _ := w.Observe()
	if strings.Contains(o.Text, "Free commands") {
		t.Errorf("offered: %q", o.Text)
	}
	if out := w.Act("Read file_1.go"); out.Valid || out.Free || out.Result != string(noCommand) {
		t.Errorf("a read gives %+v", out)
	}
}
