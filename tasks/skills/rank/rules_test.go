package rank_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

func call(skill string) record.Route { return record.Route{Do: record.Call, Skill: skill} }
func ask(param string) record.Route  { return record.Route{Do: record.Ask, Param: param} }
func offer(a, b string) record.Route { return record.Route{Do: record.Offer, Skill: a, Other: b} }

var (
	declines   = record.Route{Do: record.Decline}
	clarifies  = record.Route{Do: record.Clarify}
	likelihood = rank.Rules{Threshold: 0.62, Floor: 0.4, Margin: 0.05}
)

// TestRules goes through the rules in their order: each row breaks none of the
// rules before its own, and often some of those after it.
func TestRules(t *testing.T) {
	t.Parallel()
	_, lib := afterSales(t)
	noon, _ := skills.ParseClock("12:00")
	night, _ := skills.ParseClock("22:00")
	paid := map[string]any{"paid": true, "refund": "none", "payment": "cash"}
	for _, c := range []struct {
		rule    string
		said    string
		ranked  []rank.Scored
		at      skills.Clock
		state   map[string]any
		known   map[string]any
		offered []string
		want    record.Route
		reason  string // a part of it
	}{
		{"1 nothing fits", "hm", nil, noon, nil, nil, nil, declines, "no skill"},
		{"1 disabled, below the threshold", "ring me", []rank.Scored{{Name: "callback", Score: 0.5}}, noon, nil, nil, nil, declines, "callback is disabled"},
		{"1 out of hours", "a human", []rank.Scored{{Name: "human-handoff", Score: 0.9}}, night, nil, nil, nil, declines, "human-handoff is open 09:00-18:00 only"},
		{"1 within hours", "a human", []rank.Scored{{Name: "human-handoff", Score: 0.9}}, noon, nil, nil, nil, call("human-handoff"), "best"},
		{"1 unknown skill", "x", []rank.Scored{{Name: "nobody", Score: 0.9}}, noon, nil, nil, nil, declines, "not in the library"},

		{"2 decline", "cancel A1047", []rank.Scored{{Name: "cancel-order", Score: 0.9}}, noon, map[string]any{"shipped": true}, nil, nil, declines, "shipped == true"},
		{"2 before 3", "cancel A1047", []rank.Scored{{Name: "cancel-order", Score: 0.5}}, noon, map[string]any{"shipped": true}, nil, nil, declines, "shipped == true"},
		{"2 unknown members do not hold", "cancel A1047", []rank.Scored{{Name: "cancel-order", Score: 0.9}}, noon, nil, nil, nil, call("cancel-order"), "best"},
		{"2 text is no state", "cancel A1047, it was shipped", []rank.Scored{{Name: "cancel-order", Score: 0.9}}, noon, map[string]any{"shipped": false}, nil, nil, call("cancel-order"), "best"},
		{"2 the other one", "where is A1047", []rank.Scored{{Name: "logistics", Score: 0.9}}, noon, map[string]any{"shipped": false}, nil, nil, call("order-status"), "best"},
		{"2 the other one is absent", "where is A1047", []rank.Scored{{Name: "logistics", Score: 0.9}}, noon, map[string]any{"shipped": false}, nil, []string{"logistics"}, declines, "shipped == false"},
		{"2 the other one is closed", "SN-204881", []rank.Scored{{Name: "warranty-claim", Score: 0.9}}, night, map[string]any{"warranty": "expired"}, nil, nil, declines, "human-handoff is open"},
		{"2 ask", "refund A1047", []rank.Scored{{Name: "submit-refund", Score: 0.9}}, noon, paid, nil, nil, ask("iban"), `payment == "cash"`},
		{"2 ask, and given", "refund A1047 to DE21500500009876543210", []rank.Scored{{Name: "submit-refund", Score: 0.9}}, noon, paid, nil, nil, call("submit-refund"), "best"},
		{"2 ask, which is no stand-in's", "refund A1047", []rank.Scored{{Name: "submit-refund", Score: 0.9}}, noon, map[string]any{"paid": true, "refund": "paid_out", "payment": "cash"}, nil, nil, call("refund-progress"), "best"},

		{"3 below the floor", "A1047", []rank.Scored{{Name: "logistics", Score: 0.39}}, noon, nil, nil, nil, declines, "0.390 of logistics, is below 0.400"},
		{"3 at the floor", "A1047", []rank.Scored{{Name: "logistics", Score: 0.4}}, noon, nil, nil, nil, clarifies, "is below 0.620"},
		{"3 before 4", "A1047", []rank.Scored{{Name: "logistics", Score: 0.61}, {Name: "invoice", Score: 0.61}}, noon, nil, nil, nil, clarifies, "0.610 of logistics"},
		{"3 at the threshold", "A1047", []rank.Scored{{Name: "logistics", Score: 0.62}}, noon, nil, nil, nil, call("logistics"), "best"},

		{"4 two within the margin", "A1047", []rank.Scored{{Name: "logistics", Score: 0.7}, {Name: "invoice", Score: 0.66}}, noon, nil, nil, nil, offer("logistics", "invoice"), "within 0.050"},
		{"4 before 5", "please", []rank.Scored{{Name: "logistics", Score: 0.7}, {Name: "invoice", Score: 0.66}}, noon, nil, nil, nil, offer("logistics", "invoice"), "within"},
		{"4 at the margin", "A1047", []rank.Scored{{Name: "logistics", Score: 0.75}, {Name: "invoice", Score: 0.70}}, noon, nil, nil, nil, call("logistics"), "best"},
		{"4 the second is closed", "A1047", []rank.Scored{{Name: "logistics", Score: 0.7}, {Name: "callback", Score: 0.69}, {Name: "invoice", Score: 0.6}}, noon, nil, nil, nil, call("logistics"), "best"},
		{"4 the second is ruled out", "A1047", []rank.Scored{{Name: "logistics", Score: 0.7}, {Name: "invoice", Score: 0.69}}, noon, map[string]any{"paid": false}, nil, nil, call("logistics"), "best"},
		{"4 the one in whose stead", "A1047", []rank.Scored{{Name: "logistics", Score: 0.7}, {Name: "order-status", Score: 0.69}}, noon, map[string]any{"shipped": false}, nil, nil, call("order-status"), "best"},

		{"5 first by name", "another day", []rank.Scored{{Name: "delivery-reschedule", Score: 0.9}}, noon, nil, nil, nil, ask("day"), "needs it"},
		{"5 the other", "on friday", []rank.Scored{{Name: "delivery-reschedule", Score: 0.9}}, noon, nil, nil, nil, ask("order"), "needs it"},
		{"6 known from before", "on friday", []rank.Scored{{Name: "delivery-reschedule", Score: 0.9}}, noon, nil, map[string]any{"order": "A1047"}, nil, call("delivery-reschedule"), "best"},
	} {
		s := rank.Situation{Library: lib, Offered: c.offered, At: c.at, State: c.state, Known: c.known}
		got := likelihood.Decide(c.said, c.ranked, s)
		if got.Route != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s:\n got %+v, %s\nwant %+v, …%s…", c.rule, got.Route, got.Reason, c.want, c.reason)
		}
	}
}

func TestCallsHaveTheirParameters(t *testing.T) {
	t.Parallel()
	_, lib := afterSales(t)
	s := rank.Situation{Library: lib, Known: map[string]any{"order": "A1047"}}
	got := likelihood.Decide("friday", []rank.Scored{{Name: "delivery-reschedule", Score: 0.9}}, s)
	want := rank.Decision{Route: call("delivery-reschedule"), Params: map[string]any{"order": "A1047", "day": "friday"}, Reason: "the best score"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = likelihood.Decide("soon", []rank.Scored{{Name: "delivery-reschedule", Score: 0.9}}, s)
	if got.About != "delivery-reschedule" || got.Params != nil {
		t.Errorf("an ask is about %q with %v", got.About, got.Params)
	}
}

// Whatever the ranking and the state, a call satisfies its contract, and nothing
// is called or offered that is closed or not in the catalogue.
func TestDecisionsAreAllowed(t *testing.T) {
	t.Parallel()
	_, lib := afterSales(t)
	rapid.Check(t, func(t *rapid.T) {
		s := rank.Situation{
			Library: lib,
			Offered: rapid.SliceOfDistinct(rapid.SampledFrom(lib.Names()), rapid.ID).Draw(t, "offered"),
			At:      skills.Clock(rapid.IntRange(0, 1439).Draw(t, "at")),
			State: map[string]any{
				"shipped": rapid.SampledFrom([]any{true, false, nil}).Draw(t, "shipped"),
				"paid":    rapid.SampledFrom([]any{true, false, "?"}).Draw(t, "paid"),
				"refund":  rapid.SampledFrom([]any{"none", "requested", 7}).Draw(t, "refund"),
			},
		}
		var ranked []rank.Scored
		score := 1.0
		for _, name := range s.Offered {
			score -= rapid.Float64Range(0, 0.2).Draw(t, "lead")
			ranked = append(ranked, rank.Scored{Name: name, Score: max(score, 0.01)})
		}
		said := rapid.SampledFrom([]string{"", "A1047", "A1047 on friday", "SN-204881 in M for 9.90", "SPRING15"}).Draw(t, "said")
		got := likelihood.Decide(said, ranked, s)
		for _, name := range []string{got.Skill, got.Other} {
			skill, _ := lib.Find(name)
			if name != "" && (!skill.Open(s.At) || !slices.Contains(s.Offered, name)) {
				t.Fatalf("%+v, but %s is closed or absent", got, name)
			}
		}
		if got.Do == record.Call {
			for _, name := range lib.Contract(got.Skill).Required() {
				if _, ok := got.Params[name]; !ok {
					t.Fatalf("%+v lacks %s", got, name)
				}
			}
		}
		if got.Reason == "" || strings.Contains(got.Reason, "\n") {
			t.Fatalf("reason %q", got.Reason)
		}
	})
}

func TestRulesAreValid(t *testing.T) {
	t.Parallel()
	for _, r := range []rank.Rules{rank.BM25Rules, rank.TrigramRules, rank.CosineRules, {}} {
		if err := r.Validate(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for want, r := range map[string]rank.Rules{
		"threshold: want a number from 0 to 1, got 1.5":            {Threshold: 1.5},
		"threshold: want a number from 0 to 1, got NaN":            {Threshold: math.NaN()},
		"floor: want a number from 0 to the threshold, 0.5, got 1": {Threshold: 0.5, Floor: 1},
		"margin: want a number from 0 to 1, got -1":                {Margin: -1},
	} {
		if err := r.Validate(); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", r, err, want)
		}
	}
}
