package execution

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/model/sim"
	"skillbench/harness/state"
)

// last is what is said of each key last.
func last(r sim.Reading) sim.Beliefs {
	b := sim.Beliefs{}
	for _, m := range r.Mentions {
		b[m.Key] = m.Value
	}
	return b
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]sim.Beliefs{
		"[runtime] r_1 task_12 running at 40 %.\n":                                      {"r_1.ticket": "task_12", "r_1.status": "running"},
		"[runtime] r_1 task_12 succeeded.\n":                                            {"r_1.ticket": "", "r_1.status": "", "r_1.use": ""},
		"[runtime] r_1 task_12 canceled.\n":                                             {"r_1.ticket": "task_12", "r_1.status": "canceled", "r_1.use": ""},
		`[runtime] r_1 task_12 failed transient {"error":"timeout"}`:                    {"r_1.ticket": "task_12", "r_1.status": "transient", "r_1.use": ""},
		`[runtime] r_1 task_12 needs_info {"use":"post"}`:                               {"r_1.ticket": "task_12", "r_1.status": "needs_info", "r_1.use": "post"},
		`[runtime] r_1 task_12 needs_info {"status":"error","data":{"use":"post"}}`:     {"r_1.ticket": "task_12", "r_1.status": "needs_info", "r_1.use": "post"},
		`[runtime] r_1 task_12 needs_info {"use":"a raven"}`:                            {"r_1.ticket": "task_12", "r_1.status": "needs_info", "r_1.use": ""},
		`[runtime] r_1 task_12 result {"charge":"charge_1","order":"order_4"}`:          {"order_4.charge": "charge_1"},
		`[runtime] r_1 task_12 result {"data":{"tracking":"t_1","order":"order_4"}}`:    {"order_4.tracking": "t_1"},
		`[runtime] r_1 task_12 result {"refunded":"x","order":"order_4"}`:               {"order_4.charge": ""},
		`[runtime] r_1 task_12 result {"place":"x","order":"order_4"}`:                  {"order_4.tracking": ""},
		`[runtime] r_1 task_12 result {"charge":"charge_1","order":"somebody"}`:         {},
		`[runtime] r_1 task_12 result {"charge":"cha`:                                   {},
		"[runtime] r_1 task_12 exploded.\n":                                             {},
		"[runtime] r_1 12 running.\n":                                                   {},
		"Escalated: r_7 (task_1).\n":                                                    {"r_7.ticket": "", "r_7.status": "", "r_7.use": ""},
		"Escalated: r_x (task_1).\n":                                                    {},
		"--- BACKGROUND TELEMETRY ---\n[runtime] r_1 task_12 succeeded.\n":              {},
		"The r_1.status is running.\nNo r_2.ticket stands.\nThe order_1.charge is c.\n": {"r_1.status": "running", "r_2.ticket": "", "order_1.charge": "c"},
		"The weather.today is fine.\nNo order_1.lot stands.\nThe r_1.colour is blue.\n": {},
	} {
		got := last(language{}.Read([]sim.Section{{Part: sim.InObservation, Text: text}}))
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", text, d)
		}
	}
}

// A state that was cut is read as far as it goes, and only a whole one says what is
// not in it.
func TestReadState(t *testing.T) {
	t.Parallel()
	whole := `{"requests":{"r_1":{"ticket":"task_1","status":"running"}},"orders":{"order_2":{"charge":"charge_1"}}}`
	event := sim.Section{Part: sim.InObservation, Text: "[due r_9] notify order_1.\n"}
	got := last(language{}.Read([]sim.Section{{Part: sim.InState, Text: whole}, event}))
	want := sim.Beliefs{"r_1.ticket": "task_1", "r_1.status": "running", "order_2.charge": "charge_1", "r_9.status": ""}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = last(language{}.Read([]sim.Section{{Part: sim.InState, Text: whole[:40]}, event}))
	if d := cmp.Diff(sim.Beliefs{"r_1.ticket": "task_1"}, got); d != "" {
		t.Error(d)
	}
}

func TestLacks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"[request r_9] refund order_1.\n":  {"Wait", "order_1.charge"},
		"[request r_9] trace order_1.\n":   {"Wait", "order_1.tracking"},
		"[due r_9] notify order_1.\n":      {"Wait", "r_9.status"},
		"[request r_9] notify order_1.\n":  {`Run r_9 notify {"order":"order_1"}`, ""},
		"[request r_9] notify somebody.\n": {"Wait", ""},
		"nothing\n":                        {"Wait", ""},
	} {
		r := language{}.Read([]sim.Section{{Part: sim.InObservation, Text: text}})
		if a := (language{}).Answer(r.Event, last(r), sim.BestGuess); a.Action != want[0] || a.Lacks != want[1] {
			t.Errorf("%s: %q, lacking %q", text, a.Action, a.Lacks)
		}
	}
}

// Beliefs survive a summary and, where the state has a place for them, a state.
func TestSummaryIsReadAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		beliefs := sim.Beliefs{}
		for range rapid.IntRange(0, 8).Draw(rt, "facts") {
			n := rapid.IntRange(0, 30).Draw(rt, "number")
			request, order := requestName(n), numbered("order_", n)
			beliefs[request+fieldTicket] = rapid.SampledFrom([]string{"", "task_77"}).Draw(rt, "ticket")
			beliefs[request+fieldStatus] = rapid.SampledFrom(append([]string{""}, statuses...)).Draw(rt, "status")
			beliefs[order+".charge"] = rapid.SampledFrom([]string{"", "charge_0a1b2c3d"}).Draw(rt, "charge")
		}
		text := language{}.Summarize(beliefs)
		if d := cmp.Diff(beliefs, last(language{}.Read([]sim.Section{{Part: sim.InSummary, Text: text}}))); d != "" {
			rt.Fatal(d)
		}
		shown := state.From(language{}.Render(beliefs))
		if found := skill(t).Schema.Check(shown); len(found) > 0 {
			rt.Fatalf("%s: %s", shown.Compact(), found[0])
		}
	})
}

// FuzzRead: no text makes the reader fall over.
func FuzzRead(f *testing.F) {
	f.Add(`{"requests":{"r_1":{"ticket":"task_1"}}}`)
	f.Add("[runtime] r_1 task_1 result {\"data\":{\"order\":[]}}\n[due r_1] label order_1 by post.\n")
	f.Add("[")
	f.Fuzz(func(t *testing.T, text string) {
		for _, part := range []sim.Part{sim.InState, sim.InHistory, sim.InSummary, sim.InReply, sim.InObservation} {
			r := language{}.Read([]sim.Section{{Part: part, Text: text}})
			language{}.Answer(r.Event, last(r), sim.Abstain)
		}
	})
}
