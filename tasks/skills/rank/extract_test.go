package rank_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

func parameters() skills.Skill {
	user := func(p skills.Param) skills.Param { p.Source, p.Required = skills.FromUser, true; return p }
	return skills.Skill{Name: "x", Version: "1", Summary: "x", Effect: skills.NoEffect, Params: map[string]skills.Param{
		"order":    user(skills.Param{Type: "string", Pattern: "^A[0-9]{4}$"}),
		"size":     user(skills.Param{Type: "string", Enum: []string{"S", "M", "XL", "XXL"}}),
		"day":      user(skills.Param{Type: "string", Enum: []string{"monday", "friday"}}),
		"count":    user(skills.Param{Type: "integer"}),
		"price":    user(skills.Param{Type: "number"}),
		"wish":     user(skills.Param{Type: "string"}),
		"gift":     user(skills.Param{Type: "boolean"}),
		"vat":      {Type: "string", Source: skills.FromUser, Pattern: "DE[0-9]{9}|ATU[0-9]{8}"},
		"customer": {Type: "string", Source: skills.FromContext, Pattern: "C-[0-9]{5}"},
		"channel":  {Type: "string", Source: skills.Fixed, Default: "chat"},
	}}
}

func TestExtract(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]map[string]any{
		"":                                       {},
		"A1047":                                  {"order": "A1047"},
		"order A10475, xA1047 or A1047x":         {},
		"(A1047), not A1048":                     {"order": "A1047"},
		"a1047":                                  {},
		"ÄA1047":                                 {},
		"I'M on it, make it an M":                {"size": "M"},
		"an m":                                   {},
		"XXL, not XL":                            {"size": "XXL"},
		"Friday or MONDAY":                       {"day": "friday"},
		"fridays":                                {},
		"three of them":                          {},
		"12 of them":                             {"count": int64(12), "price": 12.0},
		"at 12.50 each":                          {"price": 12.5},
		"VAT ATU12345678":                        {"vat": "ATU12345678"},
		"customer C-12345 by chat, yes, a gift!": {},
	} {
		if d := cmp.Diff(want, rank.Extract(parameters(), said, nil)); d != "" {
			t.Errorf("%q: %s", said, d)
		}
	}
}

func TestExtractFallsBackOnWhatIsKnown(t *testing.T) {
	t.Parallel()
	known := map[string]any{
		"order": "A1047", "size": "huge", "count": "many", "price": 5, "wish": "a bow", "gift": true,
		"vat": "DE123456789", "customer": "C-12345", "channel": "mail",
	}
	before := maps.Clone(known)
	want := map[string]any{"order": "A2000", "price": 5.0, "wish": "a bow", "gift": true}
	if d := cmp.Diff(want, rank.Extract(parameters(), "A2000 please", known)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(before, known); d != "" {
		t.Errorf("what is known was changed: %s", d)
	}
}

// Whatever stands in a message, what is extracted satisfies the contract.
func TestExtractSatisfiesTheContract(t *testing.T) {
	t.Parallel()
	s := parameters()
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringMatching(`([ A-Za-z0-9.,'-]|A[0-9]{4}|friday|XL| |DE[0-9]{9}){0,30}`).Draw(t, "said")
		known := map[string]any{"order": said, "count": said, "wish": said}
		for name, v := range rank.Extract(s, said, known) {
			if n, ok := s.Params[name].Normal(v); !ok || n != v {
				t.Fatalf("%q: %s %v does not fit", said, name, v)
			}
		}
	})
}

// Calls that the suite wants at the first message can be filled in from it.
func TestExtractFindsWhatTheSuiteWants(t *testing.T) {
	t.Parallel()
	s, lib := afterSales(t)
	n := 0
	for _, c := range s.Cases {
		e := c.Turns[0].Expect
		if len(c.Turns) > 1 || e.Do != record.Call {
			continue
		}
		n++
		skill, _ := lib.Find(e.Skill)
		if got := rank.Extract(skill, c.Turns[0].Say, nil); fmt.Sprint(got) != fmt.Sprint(mapOf(e.Params)) {
			t.Errorf("%s: want %v, found %v", c.ID, e.Params, got)
		}
	}
	if n < 100 {
		t.Errorf("only %d calls", n)
	}
}

func mapOf(params map[string]any) map[string]any {
	if params == nil {
		return map[string]any{}
	}
	return params
}
