package patcherr_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/metrics/patcherr"
)

// A resender repeats one fact of Σ, which it leaves as it is, in every patch of
// a right reply.
type resender struct{ model.Model }

func (m resender) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	reply, err := m.Model.Generate(ctx, r)
	if err != nil {
		return reply, err
	}
	text := r.Prompt.Text()
	begin := strings.Index(text, "```json\n{") + len("```json\n")
	shown, err := state.Parse([]byte(text[begin : begin+strings.IndexByte(text[begin:], '\n')]))
	if err != nil {
		return reply, err
	}
	move, _ := transition.Parse(r.Form, r.Wire, transition.Strict, reply)
	patch := *move.Patch
	held, _ := shown.Get("inventory")
	node := held.(map[string]any)
	for _, shelf := range slices.Sorted(maps.Keys(node)) {
		if _, touched := patch.Get("inventory", shelf); !touched {
			patch = state.From(map[string]any{"inventory": merged(patch, shelf, node[shelf])})
			break
		}
	}
	return transition.Write(r.Form, r.Wire, "I say again where one item is.", &patch, move.Action), nil
}

func merged(patch state.Object, shelf string, item any) map[string]any {
	out := map[string]any{shelf: item}
	old, _ := patch.Get("inventory")
	if node, ok := old.(map[string]any); ok {
		for k, v := range node {
			out[k] = v
		}
	}
	return out
}

// The same replies: deep keeps what they leave out, shallow and replace lose it.
func TestResendsAreHarmlessUnderDeepAlone(t *testing.T) {
	t.Parallel()
	for _, merge := range []string{"deep", "shallow", "replace"} {
		p := planned(t, "tasks: [{name: warehouse, options: {warm_start: 8}}]\nagents: [{name: a, base: skillstate, merge: "+merge+", told: false}]\n"+
			"models: [sim:perfect]\nhorizons: [30]\nseeds: 3\nworlds: [teacher]\n")
		dir := t.TempDir()
		r := harness.Runner{Plan: p, Dir: dir, Workers: 2, Wrap: func(_ harness.Model, m model.Model) (model.Model, error) { return resender{m}, nil }}
		if _, err := r.Run(context.Background(), p.Cells); err != nil {
			t.Fatal(err)
		}
		resends, lost, others, spoilt := 0, 0, 0, 0
		for _, e := range classify(t, p, dir) {
			for _, a := range e.Attempts {
				if a.Resend {
					resends++
				}
				if a.Primary(patcherr.First) == patcherr.PrematureDelete {
					spoilt++
				}
				for _, f := range a.Findings {
					if f.Class == patcherr.PrematureDelete && f.Resend {
						lost++
					} else {
						others++
					}
				}
			}
		}
		t.Logf("%s: %d replies with a resend, %d facts lost in %d of them, %d other findings", merge, resends, lost, spoilt, others)
		if resends != 90 || others != 0 {
			t.Errorf("%s: %d resends, want 90; %d other findings, want none", merge, resends, others)
		}
		if harmless := lost == 0 && spoilt == 0; harmless != (merge == "deep") || !harmless && (spoilt < 80 || lost < 5*spoilt) {
			t.Errorf("%s: %d facts lost in %d replies", merge, lost, spoilt)
		}
	}
}

func TestReplayIsClassifiedAlike(t *testing.T) {
	t.Parallel()
	p, dir := run(t, "tasks: [warehouse]\nagents: [skillstate]\nmodels: [{sim: clumsy, rates: "+rates(0.5, "json_syntax", "premature_delete", "schema_value", "missed_update")+"}]\nhorizons: [30]\nseeds: [4]\n")
	live := classify(t, p, dir)
	if len(live[0].Attempts) < 31 {
		t.Fatalf("%d attempts, want retries among them", len(live[0].Attempts))
	}
	cell := journal.CellDir(dir, p.Cells[0].ID)
	for _, keep := range []float64{1, 0.5} { // a replay of the whole journal, and one that ends live
		cut(t, cell, keep)
		r := harness.Runner{Plan: p, Dir: dir, Workers: 1}
		if result, err := r.Run(context.Background(), p.Cells); err != nil || result.Done != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		sameEpisodes(t, live, classify(t, p, dir))
	}
}
