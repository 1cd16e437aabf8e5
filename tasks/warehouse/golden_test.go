package warehouse

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestTranscript holds every word of two short episodes: a base one with a few
// wrong actions, and one with drift.
func TestTranscript(t *testing.T) {
	t.Parallel()
	wrong := map[int]string{4: "Ship item_1 shelf_9", 6: record.None, 8: "Wait"}
	for name, spec := range map[string]harness.Spec{
		"base":  {Horizon: 14, Seed: 1, Noise: 2, Options: json.RawMessage(`{"warm_start":2}`)},
		"drift": {Horizon: 15, Seed: 3, Drift: secretMove, Lag: 1, Patience: 15},
	} {
		var b strings.Builder
		for _, s := range play(t, spec, func(o record.Observation, _ state.Object) string {
			if action, ok := wrong[o.Step]; ok && name == "base" {
				return action
			}
			return o.Oracle
		}) {
			o, _ := json.Marshal(s.o)
			out, _ := json.Marshal(s.out)
			fmt.Fprintf(&b, "%s> %s\n# %s\n# %s\n\n", s.o.Text, s.action, o, out)
		}
		golden(t, "testdata/"+name+".golden", b.String())
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}
