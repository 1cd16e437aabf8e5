package compare_test

import (
	"math"
	"strings"
	"testing"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/compare"
	"skillbench/metrics/stats"
)

// made is a side with one group: scores in tenths and tokens by seed.
func made(model string, correct []int, tokens []int) compare.Side {
	s := compare.Side{Name: "run:" + model, Model: model, Kind: record.Real, Manifest: journal.Manifest{Tokenizer: "o200k_base", Templates: "t",
		Agents: []journal.Definition{{Name: "react", Base: "react", Keys: []byte(`{"retry": 2}`)}}}}
	for i := range correct {
		s.Rows = append(s.Rows, metrics.Row{
			Cell:   record.Cell{Task: "warehouse", Agent: "react", Model: model, ModelKind: record.Real, World: record.Closed, Horizon: 10, Seed: uint64(i + 1)},
			Status: record.Done, Actionable: 10, Correct: stats.Of(float64(correct[i])), PromptTokens: tokens[i],
		})
	}
	return s
}

// Differences 0.1 to 0.5: mean 0.3, SD 0.158114, t = 0.3 / (0.158114/√5) =
// 4.242641, and of the 32 sign patterns two lie as far out.
func TestByHand(t *testing.T) {
	t.Parallel()
	a := made("a", []int{9, 9, 9, 9, 9}, []int{100, 100, 100, 100, 100})
	b := made("b", []int{8, 7, 6, 5, 4}, []int{100, 100, 100, 100, 100})
	r, err := compare.Sides(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Lines) != 2 || len(r.Unlike) != 0 {
		t.Fatalf("got %d lines, unlike %q", len(r.Lines), r.Unlike)
	}
	score, tokens := r.Lines[0], r.Lines[1]
	for what, pair := range map[string][2]float64{
		"difference": {score.Test.Difference.V, 0.3}, "sd": {score.Test.SD.V, 0.158114}, "t": {score.Test.T.V, 4.242641},
		"permutation p": {score.Test.Permutation.P.V, 0.0625}, "adjusted": {score.Adjusted.V, 0.0625}, "a": {score.A.V, 0.9}, "b": {score.B.V, 0.6},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-6 {
			t.Errorf("%s: got %f, want %f", what, pair[0], pair[1])
		}
	}
	if score.Verdict != "cannot be told: p ≥ 0.0625 with 5 pairs" || !score.Test.MinimumDetectable.OK {
		t.Errorf("score: %q, detectable %v", score.Verdict, score.Test.MinimumDetectable)
	}
	if tokens.Verdict != "equal on every seed" || tokens.Adjusted.OK {
		t.Errorf("tokens: %q, adjusted p %v", tokens.Verdict, tokens.Adjusted)
	}
}

func TestRealDifferencesAreFound(t *testing.T) {
	t.Parallel()
	tens, elevens := []int{}, []int{}
	var high, low []int
	for i := range 12 {
		tens, elevens = append(tens, 1000+i), append(elevens, 1100+2*i)
		high, low = append(high, 9-i%2), append(low, 5+i%3)
	}
	r, err := compare.Sides(made("a", high, tens), made("b", low, elevens))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Lines {
		if l.Verdict != "real" || l.Adjusted.V < l.Test.Permutation.P.V {
			t.Errorf("%s: %q, p %v, adjusted %v", l.Quantity, l.Verdict, l.Test.Permutation.P, l.Adjusted)
		}
	}
}

func TestUnlikeRunsAreNamed(t *testing.T) {
	t.Parallel()
	fresh := func() compare.Side { return made("m", []int{9, 8}, []int{100, 120}) }
	for want, change := range map[string]func(*compare.Side){
		"tokenizer: o200k_base and cl100k_base": func(s *compare.Side) { s.Manifest.Tokenizer = "cl100k_base" },
		"templates: t and u":                    func(s *compare.Side) { s.Manifest.Templates = "u" },
		`agent react: react {"retry":2} and react {"retry":0}`: func(s *compare.Side) {
			s.Manifest.Agents = []journal.Definition{{Name: "react", Base: "react", Keys: []byte(`{"retry":0}`)}}
		},
		"summarizer: none and big": func(s *compare.Side) { s.Manifest.Summarizer = "big" },
		"lag: 0 and 3": func(s *compare.Side) {
			s.Manifest.Lag = 3
			s.Rows = append(s.Rows, metrics.Row{Cell: record.Cell{Drift: "secret_move"}})
		},
	} {
		b := fresh()
		change(&b)
		r, err := compare.Sides(fresh(), b)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Unlike) != 1 || !strings.HasPrefix(r.Unlike[0], want) {
			t.Errorf("want %q, got %q", want, r.Unlike)
		}
		for _, l := range r.Lines {
			if l.Quantity == compare.Tokens && strings.HasPrefix(want, "tokenizer") {
				t.Error("tokens of two tokenizers are compared")
			}
		}
	}
	b := fresh()
	b.Kind = record.Simulated
	if _, err := compare.Sides(fresh(), b); err == nil || !strings.Contains(err.Error(), "never set side by side") {
		t.Errorf("simulated beside real: got %v", err)
	}
	b = fresh()
	b.Rows[0].Cell.Horizon, b.Rows[1].Cell.Horizon = 99, 99
	if _, err := compare.Sides(fresh(), b); err == nil || !strings.Contains(err.Error(), "no cell in common") {
		t.Errorf("nothing in common: got %v", err)
	}
}

// Repeats of a seed are one pair, and cells without a result are left out.
func TestRepeatsAndLosses(t *testing.T) {
	t.Parallel()
	a, b := made("m", []int{9, 8, 2}, []int{100, 120, 5}), made("m", []int{7, 7}, []int{90, 90})
	a.Rows[2].Cell.Seed = 2 // a second run of seed 2
	lost := b.Rows[1]
	lost.Status, lost.Cell.Repeat = "failed:refused", 1
	b.Rows = append(b.Rows, lost)
	r, err := compare.Sides(a, b)
	if err != nil {
		t.Fatal(err)
	}
	l := r.Lines[0]
	if l.Test.Pairs != 2 || l.Dropped != 1 || math.Abs(l.A.V-0.7) > 1e-9 || math.Abs(l.Test.Difference.V) > 1e-9 {
		t.Errorf("got %+v", l)
	}
}
