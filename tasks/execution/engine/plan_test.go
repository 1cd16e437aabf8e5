package engine_test

import (
	"strings"
	"testing"

	"skillbench/tasks/execution/engine"
)

// sound is a plan of ship for order_1.
const sound = `{"steps":[{"skill":"reserve","params":{"order":"order_1"},"depends_on":[]},{"skill":"label","params":{"order":"order_1","carrier":"post"},"depends_on":[1]}]}`

func TestPlans(t *testing.T) {
	t.Parallel()
	l := library(t)
	for name, c := range map[string]struct{ plan, why string }{
		"sound":              {sound, ""},
		"no dependence told": {strings.ReplaceAll(sound, `,"depends_on":[]`, ""), ""},
		"not JSON":           {sound[:40], "it is no plan in JSON"},
		"an unknown member":  {`{"steps":[],"note":1}`, "it is no plan in JSON"},
		"a member twice":     {`{"steps":[],"steps":[]}`, "it is no plan in JSON"},
		"more behind it":     {sound + sound, "it is no plan in JSON"},
		"a text for a list":  {`{"steps":"all"}`, "it is no plan in JSON"},
		"no steps":           {`{"steps":[]}`, "want 1 to 16 steps, got 0"},
		"too many steps":     {`{"steps":[` + strings.Repeat(`{"skill":"notify","params":{"order":"order_1"},"depends_on":[]},`, 16) + `{"skill":"notify","params":{"order":"order_1"},"depends_on":[]}]}`, "want 1 to 16 steps, got 17"},
		"too long":           {strings.Repeat(" ", 4096) + sound, "want a plan of at most 4096 bytes, got 4253"},
		"unknown skill":      {strings.Replace(sound, "label", "lable", 1), `step 2: there is no skill "lable"`},
		"missing parameter":  {strings.Replace(sound, `,"carrier":"post"`, "", 1), "step 2: missing:carrier"},
		"no parameters":      {`{"steps":[{"skill":"reserve"}]}`, "step 1: missing:order"},
		"wrong parameter":    {strings.Replace(sound, "post", "raven", 1), "step 2: invalid:carrier"},
		"unknown parameter":  {strings.Replace(sound, `"carrier"`, `"via":"sea","carrier"`, 1), "step 2: unknown:via"},
		"no such step":       {strings.Replace(sound, "[1]", "[3]", 1), "step 2: want steps from 1 to 2, got 3"},
		"waits for itself":   {strings.Replace(sound, "[1]", "[2]", 1), "its steps go in a circle"},
		"a circle":           {strings.Replace(sound, "[]", "[2]", 1), "its steps go in a circle"},
		"undeclared write":   {strings.Replace(sound, `"label","params":{"order":"order_1","carrier":"post"}`, `"report","params":{"week":"week_1"}`, 1), "step 2: it writes archive, and the request does not"},
		"money":              {strings.Replace(sound, `"label","params":{"order":"order_1","carrier":"post"}`, `"charge","params":{"order":"order_1","amount":5}`, 1), "it costs money"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := open(engine.All(), l, engine.NewOffice(1, l), 1)
			x.Receive(long("ship"))
			ack := x.Plan("r_1", c.plan)
			want := engine.Ack{Verdict: engine.Accepted, Request: "r_1", Ticket: ack.Ticket}
			if c.why != "" {
				want.Verdict, want.Why = engine.Replaced, c.why
			}
			if ack != want {
				t.Errorf("got %+v, want %+v", ack, want)
			}
			x.settle(t)
			if n := len(x.office.Effects()); c.why != "" && n != 3 {
				t.Errorf("the fixed flow has %d effects, want 3", n)
			}
			// Nobody asked for it: there is no flow to take its place.
			if ack := x.Plan("r_9", c.plan); c.why != "" && (ack.Verdict != engine.Refused || ack.Why == "") {
				t.Errorf("of a request that nobody made: %+v", ack)
			}
		})
	}
}

// A plan of a request that costs money is replaced whatever it says.
func TestMoneyHasAFixedFlow(t *testing.T) {
	t.Parallel()
	l := library(t)
	x := open(engine.All(), l, engine.NewOffice(1, l), 1)
	x.Receive(long("sell"))
	if ack := x.order(long("sell")); ack.Verdict != engine.Replaced || ack.Why != "it costs money" {
		t.Errorf("got %+v", ack)
	}
}

// FuzzPlan: no text makes the runtime fall over, with or without a check, and none
// has an effect that nobody asked for where there is one.
func FuzzPlan(f *testing.F) {
	f.Add(sound)
	f.Add(`{"steps":[{"skill":"reserve","params":{"order":7},"depends_on":[-1,99,1]}]}`)
	f.Add(`{"steps":[{"skill":"label","params":{"carrier":null},"depends_on":null}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, check := range []bool{true, false} {
			m := engine.All()
			m.PlanCheck, m.FixedFlow = check, check
			l := library(t)
			x := open(m, l, engine.NewOffice(1, l), 1)
			x.Receive(long("ship"))
			x.Plan("r_1", text)
			x.settle(t)
			for harm, c := range x.harms() {
				if check && c.N > 0 && harm != "unasked" && harm != "duplicate" { // a sound plan may be about another order
					t.Errorf("%s: %+v", harm, c)
				}
			}
		}
	})
}
