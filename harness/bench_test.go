package harness_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// canned replies as the simulated models write them, of the length of the
// published growth per turn, without reading the prompt.
func canned(step int) string {
	return fmt.Sprintf("%s\n\nAction: Wait", ("I have read the instructions and the latest observation once more, compared what is asked with what is known, " +
		"and see nothing that speaks against this choice. The event of this step is number " + fmt.Sprint(step) + ".            ")[:180])
}

// cannedPatch is canned for strategies with a state: the fact it changes is
// always the same one, so that the state keeps its size.
func cannedPatch(step int) string {
	return fmt.Sprintf("%s\n```json\n{\"state_patch\": {\"inventory\": {\"shelf_0\": \"item_%d\"}}, \"action\": \"Wait\"}\n```", canned(step)[:110], step)
}

var instantPatch = answers(func(_ context.Context, r model.Request) (record.Reply, error) {
	return record.Reply{Text: cannedPatch(r.Step), Finish: record.Stop}, nil
})

var instant = answers(func(_ context.Context, r model.Request) (record.Reply, error) {
	return record.Reply{Text: canned(r.Step), Finish: record.Stop}, nil
})

// BenchmarkStep measures what the harness itself needs for a step: it must not
// grow with the horizon. Reported beside it are the journal's size and the
// memory that an episode holds at its end.
func BenchmarkStep(b *testing.B) {
	for _, horizon := range []int{25, 100, 200, 500, 2000, 10_000} {
		b.Run(fmt.Sprintf("react/T=%d", horizon), func(b *testing.B) { steps(b, "react", horizon, instant) })
		b.Run(fmt.Sprintf("skillstate/T=%d", horizon), func(b *testing.B) { steps(b, "skillstate", horizon, instantPatch) })
	}
	for _, horizon := range []int{25, 100} {
		p, c := one(b, kit(), "react", horizon)
		b.Run(fmt.Sprintf("naive/T=%d", horizon), func(b *testing.B) {
			var stored float64
			for b.Loop() {
				stored = naive(b, episode(b, p, c, instead(instant)), filepath.Join(b.TempDir(), "prompts"))
			}
			report(b, horizon)
			b.ReportMetric(stored/float64(horizon), "journal-B/step")
		})
	}
}

// steps plays whole episodes.
func steps(b *testing.B, agent string, horizon int, m model.Model) {
	p, c := one(b, kit(), agent, horizon)
	var said, stored, held float64
	for b.Loop() {
		dir := b.TempDir()
		e := episode(b, p, c, instead(m))
		if end := play(b, e, dir); end.Status != record.Done {
			b.Fatal(end)
		}
		b.StopTimer()
		if n := len(events(b, dir)); n != 2+3*horizon {
			b.Fatalf("%d events: a reply was refused", n)
		}
		said, stored = sizes(b, dir)
		held = heap() // the tokenizer's tables included
		runtime.KeepAlive(e)
		b.StartTimer()
	}
	report(b, horizon)
	b.ReportMetric(stored/float64(horizon), "journal-B/step")
	b.ReportMetric(stored/said, "journal/text")
	b.ReportMetric(held/1e6, "heap-MB")
}

// BenchmarkResume measures what replaying a step costs.
func BenchmarkResume(b *testing.B) {
	for _, horizon := range []int{100, 1000, 10_000} {
		p, c := one(b, kit(), "skillstate", horizon)
		dir := b.TempDir()
		play(b, episode(b, p, c, instead(instantPatch)), dir)
		b.Run(fmt.Sprintf("T=%d", horizon), func(b *testing.B) {
			for b.Loop() {
				if end := play(b, episode(b, p, c, instead(nil)), dir); end.Status != record.Done {
					b.Fatal(end)
				}
			}
			report(b, horizon)
		})
	}
}

// TestWorkPerStepDoesNotGrow is not parallel: others would be counted too.
func TestWorkPerStepDoesNotGrow(t *testing.T) {
	for _, agent := range []string{"react", "stateful", "skillstate", "memory"} {
		perStep := map[int]float64{}
		for _, horizon := range []int{50, 400} {
			p, c := one(t, kit(), agent, horizon)
			perStep[horizon] = testing.AllocsPerRun(1, func() {
				play(t, episode(t, p, c, instead(instant)), t.TempDir())
			}) / float64(horizon)
		}
		if perStep[400] > 1.2*perStep[50] {
			t.Errorf("%s: %.0f allocations a step at T=50, %.0f at T=400", agent, perStep[50], perStep[400])
		}
	}
}

func report(b *testing.B, horizon int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*horizon), "ns/step")
}

// sizes returns the bytes of observations and replies, and of the journal.
func sizes(b *testing.B, dir string) (said, stored float64) {
	b.Helper()
	r, err := journal.Read(dir)
	if err != nil {
		b.Fatal(err)
	}
	text := func(n int) {
		t, err := r.Text(n)
		if err != nil {
			b.Fatal(err)
		}
		said += float64(len(t))
	}
	for _, e := range events(b, dir) {
		if e.Call == nil {
			continue
		}
		text(e.Call.Reply)
		for _, edit := range e.Call.Splice {
			for _, ref := range edit.Add {
				if ref.Kind == prompt.Observation && ref.From != prompt.Fixed {
					text(ref.Text)
				}
			}
		}
	}
	f := load(b, dir)
	return said, float64(len(f.events) + len(f.texts))
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// naive plays the same episode as a loop without segments would: it renders the
// whole prompt, counts it and stores it at every step. It returns the bytes stored.
func naive(b *testing.B, e *harness.Episode, path string) float64 {
	b.Helper()
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	world, err := e.Task.New(e.Spec)
	if err != nil {
		b.Fatal(err)
	}
	history, stored := "", 0
	for {
		o, ok := world.Observe()
		if !ok {
			break
		}
		text := prompt.LabelInstructions + e.Skill.Instructions + prompt.LabelHistory + history + prompt.LabelLatest + o.Text + prompt.LabelContract
		n, err := fmt.Fprintf(file, "%q %d\n", text, encoding.Count(text))
		if err != nil {
			b.Fatal(err)
		}
		stored += n
		reply := canned(o.Step)
		world.Act("Wait")
		history += prompt.LabelObservation + o.Text + prompt.LabelReply + reply + "\n"
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return float64(stored)
}
