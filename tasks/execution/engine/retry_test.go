package engine_test

import (
	"fmt"
	"testing"
	"time"

	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
	"skillbench/tasks/skills"
)

// run takes a request to its end and returns the session and the state.
func run(t *testing.T, m engine.Mechanisms, goal string, f engine.Fault) (*session, engine.State) {
	t.Helper()
	l := library(t)
	x := open(m, l, engine.NewOffice(3, l), 3)
	r := long(goal)
	r.Fault = f
	x.Receive(r)
	x.order(r)
	x.settle(t)
	state, _ := x.State(x.Ticket(r.ID))
	return x, state
}

// What follows an error depends on its class.
func TestRetryByClass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		goal   string
		fault  engine.Fault
		state  engine.State
		class  engine.Class
		calls  int // to the back office, those that are required first included
		caller func(*session, string) engine.Ack
		answer engine.Verdict
	}{
		"passes":        {"charge", engine.Fault{Kind: engine.Unavailable, Skill: "charge", N: 2}, engine.Succeeded, "", 4, (*session).retry, engine.Refused},
		"does not pass": {"charge", engine.Fault{Kind: engine.Unavailable, Skill: "charge", N: 5}, engine.Failed, skills.Transient, 5, (*session).retry, engine.Retried},
		"deterministic": {"charge", engine.Fault{Kind: engine.Declined, Skill: "charge"}, engine.Failed, skills.Deterministic, 2, (*session).retry, engine.Refused},
		"escalated":     {"charge", engine.Fault{Kind: engine.FalseOK, Skill: "charge"}, engine.Failed, skills.Deterministic, 2, (*session).escalate, engine.Escalated},
		"semantic":      {"label", engine.Fault{Kind: engine.NoCarrier, Skill: "label"}, engine.NeedsInfo, skills.Semantic, 2, (*session).retry, engine.Refused},
		"conflict":      {"reserve", engine.Fault{Kind: engine.Race}, engine.NeedsInfo, engine.Conflict, 1, (*session).resume, engine.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, state := run(t, engine.All(), c.goal, c.fault)
			ticket := x.Ticket("r_1")
			if state != c.state || x.class(ticket) != c.class || len(x.Audit()) != c.calls {
				t.Errorf("it ends %s %s with %d calls, want %s %s with %d", state, x.class(ticket), len(x.Audit()), c.state, c.class, c.calls)
			}
			if ack := c.caller(x, ticket); ack.Verdict != c.answer {
				t.Errorf("the caller's order is answered %+v, want %s", ack, c.answer)
			}
		})
	}
}

func (s *session) retry(ticket string) engine.Ack    { return s.Retry(ticket) }
func (s *session) escalate(ticket string) engine.Ack { return s.Escalate(ticket) }
func (s *session) resume(ticket string) engine.Ack   { return s.Resume(ticket) }

// Without classes every error is tried as often as it is allowed, and at once.
func TestRetryWithoutClass(t *testing.T) {
	t.Parallel()
	m := engine.All()
	m.RetryByClass = false
	x, state := run(t, m, "charge", engine.Fault{Kind: engine.Declined, Skill: "charge"})
	if c := x.harms()[record.Wasted]; state != engine.Failed || c != (record.Count{N: 3, Of: 3}) {
		t.Errorf("it ends %s, wasted %+v", state, c)
	}
	x, state = run(t, engine.All(), "charge", engine.Fault{Kind: engine.Unavailable, Skill: "charge", N: 3})
	y, _ := run(t, m, "charge", engine.Fault{Kind: engine.Unavailable, Skill: "charge", N: 3})
	if slow, fast := x.tally.Settled.N, y.tally.Settled.N; state != engine.Succeeded || slow-fast < 1750 || slow-fast > 3500 {
		t.Errorf("it ends %s after %d ms, at once after %d: want waits of half to all of 3.5 s between", state, slow, fast)
	}
}

// A ticket that has ended is only taken up by the order that fits its end.
func TestIllegalOrders(t *testing.T) {
	t.Parallel()
	x, state := run(t, engine.All(), "charge", engine.Fault{})
	ticket := x.Ticket("r_1")
	if state != engine.Succeeded {
		t.Fatal(state)
	}
	for order, got := range map[string]engine.Ack{
		"retry": x.Retry(ticket), "escalate": x.Escalate(ticket), "cancel of none": x.Cancel("task_1"), "resume of none": x.Resume("task_1"),
		"retry of none": x.Retry("task_1"), "escalate of none": x.Escalate("task_1"), "no skill": x.Run("r_2", "fly", "{}"),
		"no parameters": x.Run("r_2", "charge", "{}"), "no JSON": x.Run("r_2", "charge", "order_1"),
	} {
		if got.Verdict != engine.Refused || got.Why == "" {
			t.Errorf("%s: %+v", order, got)
		}
	}
	if a, b := x.Cancel(ticket), x.Resume(ticket); a.Verdict != engine.NotLive || b.Verdict != engine.Going {
		t.Errorf("canceling gives %+v, resuming %+v", a, b)
	}
	x.pass(time.Hour)
	if state, _ := x.State(ticket); state != engine.Succeeded || len(x.Audit()) != 2 {
		t.Errorf("it is %s after %d calls", state, len(x.Audit()))
	}
}

// A session that gives out more tickets than there are numbers to draw goes on, and
// no two have one number.
func TestTicketsNeverRunOut(t *testing.T) {
	t.Parallel()
	l := library(t)
	x := open(engine.All(), l, engine.NewOffice(1, l), 1)
	given := map[string]bool{}
	for n := range 9100 {
		ack := x.Run(fmt.Sprintf("r_%d", n), "notify", `{"order":"order_1"}`)
		if ack.Verdict != engine.Accepted || given[ack.Ticket] {
			t.Fatalf("request %d: %+v, %d given", n, ack, len(given))
		}
		given[ack.Ticket] = true
	}
}
