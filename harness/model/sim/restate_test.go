package sim_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

// summaryOf is what a model says it believes after reading sections of a
// prompt.
func summaryOf(m *sim.Model, sections string) string {
	return m.Reply(sections+prompt.LabelContract+"Summarize.\n", model.Fenced, 0).Text
}

// TestWhatARestatementSaysIsReadBack shows beliefs to a model, takes its reply
// to an observation without an event as the only past turn of a later prompt,
// and asks what is believed then: the same, whatever surrounds it.
func TestWhatARestatementSaysIsReadBack(t *testing.T) {
	t.Parallel()
	for name, task := range map[string]struct {
		language sim.Language
		beliefs  *rapid.Generator[sim.Beliefs]
	}{
		"warehouse": {warehouse.Task().Language, rapid.Custom(drawFloor)},
		"repo":      {repo.Task().Language, rapid.Custom(drawRepository)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				held := task.language.Summarize(task.beliefs.Draw(rt, "beliefs"))
				m := sim.New(sim.Config{Mechanism: sim.Perfect, Restates: true}, task.language)
				shown := prompt.LabelSummary + held + prompt.LabelLatest + "Nothing.\n"
				reply := m.Reply(shown+prompt.LabelContract+"Action: <command>\n", model.Fenced, rapid.SampledFrom([]int{0, 300, 5000}).Draw(rt, "verbosity")).Text
				past := prompt.LabelHistory + prompt.LabelObservation + "Nothing.\n" + prompt.LabelReply + reply + "\n"
				if got := summaryOf(m, past); got != held {
					rt.Fatalf("reply %q\nwant %q\ngot  %q", reply, held, got)
				}
			})
		})
	}
}

func drawFloor(rt *rapid.T) sim.Beliefs {
	beliefs := sim.Beliefs{}
	shelves := rapid.SliceOfNDistinct(rapid.IntRange(0, warehouse.Shelves-1), 0, 30, rapid.ID[int]).Draw(rt, "shelves")
	for i, shelf := range shelves {
		beliefs[fmt.Sprintf("item_%d", 1+3*i)] = fmt.Sprintf("shelf_%d", shelf)
	}
	return beliefs
}

func drawRepository(rt *rapid.T) sim.Beliefs {
	beliefs := sim.Beliefs{}
	for i := range rapid.IntRange(0, 8).Draw(rt, "branches") {
		branch := fmt.Sprintf("feature_%d", 1+i)
		for _, file := range rapid.SliceOfNDistinct(rapid.IntRange(0, 12), 1, 4, rapid.ID[int]).Draw(rt, "files") {
			beliefs[fmt.Sprintf("%s/file_%d.go", branch, file)] = "changed"
		}
		if rapid.Bool().Draw(rt, "open") {
			pr := fmt.Sprintf("pr_%d", 10+i)
			beliefs[pr+".branch"] = branch
			beliefs[pr+".ci"] = rapid.SampledFrom([]string{"pending", "passed", "failed", "stale"}).Draw(rt, "ci")
			beliefs[pr+".approved"] = rapid.SampledFrom([]string{"yes", "no"}).Draw(rt, "approved")
		}
	}
	return beliefs
}
