package repo

import (
	"encoding/json"
	"strings"
	"testing"

	"skillbench/harness"
)

func TestOptionsAreValidated(t *testing.T) {
	t.Parallel()
	if err := Task().Options().Validate(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	for options, want := range map[string]string{
		`{"files":3}`:        "files: want a whole number from 4 to 500, got 3",
		`{"files":501}`:      "files: want a whole number from 4 to 500, got 501",
		`{"open":0}`:         "open: want a whole number from 1 to 50, got 0",
		`{"open":51}`:        "open: want a whole number from 1 to 50, got 51",
		`{"overlap":-0.1}`:   "overlap: want a number from 0 to 1, got -0.1",
		`{"overlap":1.5}`:    "overlap: want a number from 0 to 1, got 1.5",
		`{"speed":1}`:        "unknown field",
		`{"files":12}{}`:     "more text",
		`{"files":"twelve"}`: "cannot unmarshal",
	} {
		s := spec(10, 1)
		s.Options = json.RawMessage(options)
		if _, err := Task().New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", options, err, want)
		}
	}
}

func TestSpecsAreValidated(t *testing.T) {
	t.Parallel()
	for _, bad := range []harness.Spec{
		{Horizon: 0},
		{Horizon: -3},
		{Horizon: maxHorizon + 1},
		{Horizon: 10, Noise: -1},
		{Horizon: 50, Drift: "secret_move"},
		{Horizon: 9, Drift: forcePush},
		{Horizon: 50, Drift: forcePush, Lag: -1},
		{Horizon: 50, Drift: forcePush, Patience: -1},
	} {
		if _, err := Task().New(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// Odd difficulties give whole episodes too.
func TestOptionsChangeTheScript(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Files: 4, Open: 1}, {Files: 4, Open: 50, Overlap: 1}, {Files: 500, Open: 50}, {Files: 500, Open: 2, Overlap: 1},
	} {
		s := withOptions(t, spec(60, 3), o)
		if correct, events := score(run(t, s, oracle)); correct != 60 || events != 60 {
			t.Errorf("%+v: the oracle has %d of %d right", o, correct, events)
		}
	}
}
