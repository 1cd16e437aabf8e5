package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
)

// long is a request of several calls, the effects of which build on each other.
func long(goal string) engine.Request {
	return engine.Request{ID: "r_1", Goal: goal, Params: paramsOf(goal, 1)}
}

// effects of a request that is stopped after some seconds and resumed, or left
// alone, without what they were numbered.
func interrupted(t *testing.T, m engine.Mechanisms, r engine.Request, stop time.Duration) (*session, []engine.Effect) {
	t.Helper()
	l := library(t)
	x := open(m, l, engine.NewOffice(7, l), 7)
	x.Receive(r)
	x.order(r)
	if stop > 0 {
		x.pass(stop)
		x.Cancel(x.Ticket(r.ID))
		x.settle(t)
		if state, _ := x.State(x.Ticket(r.ID)); state == engine.Canceled {
			if ack := x.Resume(x.Ticket(r.ID)); ack.Verdict != engine.Resumed {
				t.Fatalf("after %s: resuming gives %+v", stop, ack)
			}
		}
	}
	x.settle(t)
	if state, _ := x.State(x.Ticket(r.ID)); state != engine.Succeeded {
		t.Fatalf("after %s: it ends %s", stop, state)
	}
	return x, x.office.Effects()
}

// A cancellation at any moment, and a resumption, end with the effects of the run
// that nobody disturbed; nothing is run twice.
func TestResumeAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, goal := range []string{"report", "ship", "sell"} {
		_, want := interrupted(t, engine.All(), long(goal), 0)
		canceled := 0
		for stop := time.Millisecond; stop < 6*time.Minute; stop += 97 * time.Millisecond {
			x, got := interrupted(t, engine.All(), long(goal), stop)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s stopped after %s:\n%s", goal, stop, d)
			}
			c := x.harms()[record.Redone]
			if c.N > 0 {
				t.Fatalf("%s stopped after %s: %d of %d calls run again", goal, stop, c.N, c.Of)
			}
			canceled += x.tally.Latency.Of
			if x.tally.Latency.N > x.tally.Latency.Of {
				t.Fatalf("%s stopped after %s: %d calls end before it stops", goal, stop, x.tally.Latency.N)
			}
		}
		if canceled < len(want) {
			t.Errorf("%s: %d cancellations, fewer than steps", goal, canceled)
		}
	}
}

// Without checkpoints all is run again, and the keys of the calls alone keep it
// from taking effect; without those it does.
func TestResumeWithoutCheckpoints(t *testing.T) {
	t.Parallel()
	m := engine.All()
	m.Checkpoints = false
	_, want := interrupted(t, m, long("report"), 0)
	x, got := interrupted(t, m, long("report"), 150*time.Second)
	if d := cmp.Diff(want, got); d != "" || x.harms()[record.Redone].N < 2 {
		t.Errorf("%+v run again, effects:\n%s", x.harms()[record.Redone], d)
	}
	m.RequestIDs = false
	if x, _ := interrupted(t, m, long("report"), 150*time.Second); x.harms()[record.Duplicate].N < 2 {
		t.Errorf("%+v duplicate effects, want some", x.harms()[record.Duplicate])
	}
}

// A crash behind any call, before its checkpoint, costs one call and no effect.
func TestCrashAtEveryStep(t *testing.T) {
	t.Parallel()
	l := library(t)
	_, want := interrupted(t, engine.All(), long("report"), 0)
	for part := range 5 {
		r := long("report")
		r.Fault = engine.Fault{Kind: engine.Crash, N: part}
		x := open(engine.All(), l, engine.NewOffice(7, l), 7)
		x.Receive(r)
		x.order(r)
		x.settle(t)
		x.Resume(x.Ticket(r.ID))
		x.settle(t)
		if d := cmp.Diff(want, x.office.Effects()); d != "" || x.harms()[record.Redone].N != 1 {
			t.Errorf("crash behind part %d: %+v run again:\n%s", part, x.harms()[record.Redone], d)
		}
	}
}

// Two new sessions use one skill at once for two orders, and both run; a repeat
// of one is answered with what is stored.
func TestTwoSessionsAtOnce(t *testing.T) {
	t.Parallel()
	l := library(t)
	office := engine.NewOffice(1, l)
	one, two := open(engine.All(), l, office, 1), open(engine.All(), l, office, 2)
	for n, x := range []*session{one, two} {
		r := engine.Request{ID: fmt.Sprintf("r_%d", n), Goal: "charge", Params: paramsOf("charge", n)}
		x.Receive(r)
		if ack := x.order(r); ack.Verdict != engine.Accepted {
			t.Fatalf("%+v", ack)
		}
	}
	for range 40 { // turn by turn
		one.pass(100 * time.Millisecond)
		two.pass(100 * time.Millisecond)
	}
	if n := len(office.Effects()); n != 2 || office.Harms()[record.Undetected].Of != 0 {
		t.Fatalf("%d effects, conflicts %+v", n, office.Harms()[record.Undetected])
	}
	r := engine.Request{ID: "r_0", Goal: "charge", Params: paramsOf("charge", 0)}
	if ack := one.order(r); ack.Verdict != engine.Stored || ack.Stored == "" {
		t.Errorf("a repeat is %+v, want what is stored", ack)
	}
	r.Params = map[string]any{"order": "order_0", "amount": 5}
	if ack := one.order(r); ack.Verdict != engine.Reused {
		t.Errorf("the id with another amount is %+v, want a conflict", ack)
	}
	one.settle(t)
	// A session that knows nothing of the first one sends the call again: the key
	// is the back office's.
	three := open(engine.All(), l, office, 3)
	r.Params = paramsOf("charge", 0)
	three.Receive(r)
	three.order(r)
	three.settle(t)
	if n := len(office.Effects()); n != 2 {
		t.Errorf("%d effects after repeats, want 2", n)
	}
}

// Two sessions that write one slot at once: one is first, the other stops and asks
// for a new plan.
func TestLoserAsksForANewPlan(t *testing.T) {
	t.Parallel()
	l := library(t)
	office := engine.NewOffice(1, l)
	one, two := open(engine.All(), l, office, 1), open(engine.All(), l, office, 2)
	for n, x := range []*session{one, two} {
		r := engine.Request{ID: fmt.Sprintf("r_%d", n), Goal: "reserve", Params: paramsOf("reserve", 0)}
		x.Receive(r)
		x.order(r)
		x.Advance(time.Millisecond) // both have read
	}
	one.settle(t)
	two.settle(t)
	first, _ := one.State(one.Ticket("r_0"))
	second, _ := two.State(two.Ticket("r_1"))
	if first != engine.Succeeded || second != engine.NeedsInfo || len(office.Effects()) != 1 || office.Harms()[record.Undetected].Of != 1 {
		t.Fatalf("they end %s and %s with %d effects; conflicts %+v", first, second, len(office.Effects()), office.Harms()[record.Undetected])
	}
	r := engine.Request{ID: "r_1", Goal: "reserve", Params: paramsOf("reserve", 0)}
	two.order(r)
	two.settle(t)
	if second, _ = two.State(two.Ticket("r_1")); second != engine.Succeeded {
		t.Errorf("the second try ends %s", second)
	}
}
