package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
)

func TestSparedTellsStaleAnswers(t *testing.T) {
	t.Parallel()
	step := 0
	look := func(looks, action, result string, v *record.Verdict) record.Act {
		step++
		return record.Act{Observation: record.Observation{Step: step}, Action: action, Looks: looks, Verdict: v,
			Outcome: record.Outcome{Valid: true, Free: true, Result: result}}
	}
	reuse := func(of int, would string) *record.Verdict {
		return &record.Verdict{Ruling: record.Reuse, Step: of, Skipped: &record.Outcome{Free: true, Result: would}}
	}
	var s spared
	for _, a := range []record.Act{
		look("reads", "Read f", "Read f.\n1: a\n2: b\n3: c", nil),
		look("reads", "Read f 2-3", "", reuse(1, "Read f, 2-3.\n2: b\n3: c")),
		look("reads", "Read f", "", reuse(1, "Read f.\n1: a\n2: b\n3: c")),
		look("reads", "Read f 2-3", "", reuse(1, "Read f, 2-3.\n2: b\n3: changed")), // stale
		look("searches", "Search b", "1 found.\n2: b", nil),
		look("searches", "Search b", "", reuse(5, "0 found.")),  // stale, though no line is lacking
		look("reads", "Read f", "", reuse(99, "Read f.\n1: a")), // stale: there is no such result
		look("checks", "RunTests x", "ok", nil),
		look("checks", "RunTests x", "ok", &record.Verdict{Ruling: record.Nudge, Step: 8}),
		look("", "Recall x", "Recalled", &record.Verdict{Ruling: record.Recall}),
		look("", "Commit x f", "done", nil),
	} {
		s.step(a)
	}
	s.results = nil
	want := spared{reads: 7, reused: 5, stale: 3, checks: 2, run: 2, nudged: 1, recalled: 1}
	if d := cmp.Diff(want, s, cmp.AllowUnexported(spared{}, looked{})); d != "" {
		t.Error(d)
	}
}
