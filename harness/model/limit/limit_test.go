package limit

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

type inner func(context.Context, model.Request) (record.Reply, error)

func (f inner) Generate(ctx context.Context, r model.Request) (record.Reply, error) { return f(ctx, r) }

func replies(prompt, completion int) inner {
	return func(context.Context, model.Request) (record.Reply, error) {
		return record.Reply{Finish: record.Stop, Usage: &record.Usage{Prompt: &prompt, Completion: &completion}}, nil
	}
}

func limited(t *testing.T, m model.Model, o Options) *Model {
	t.Helper()
	o.Clock = model.Wall()
	l, err := New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func ask(text string) model.Request {
	return model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, text)}}}
}

func call(t *testing.T, m model.Model) *model.Error {
	t.Helper()
	_, err := m.Generate(t.Context(), ask("four"))
	e, ok := errors.AsType[*model.Error](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	return e
}

func TestRequestsAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var notices []string
		m := limited(t, replies(1, 1), Options{Rates: Rates{RPM: 6}, Notice: func(s string) { notices = append(notices, s) }})
		start := time.Now()
		for range 12 {
			call(t, m)
		}
		if got := time.Since(start).Round(time.Millisecond); got != time.Minute {
			t.Errorf("12 calls at 6 a minute, 6 of them at once, took %v", got)
		}
		if len(notices) != 6 || !strings.Contains(notices[0], "10s") {
			t.Errorf("%q", notices)
		}
	})
}

func TestFailedAttemptsCountAsRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := limited(t, inner(func(context.Context, model.Request) (record.Reply, error) {
			return record.Reply{Failed: make([]record.Failure, 2)}, nil
		}), Options{Rates: Rates{RPM: 60}})
		start := time.Now()
		for range 21 {
			call(t, m)
		}
		if got := time.Since(start).Round(time.Millisecond); got != time.Second {
			t.Errorf("20 calls of 3 attempts use up a minute's 60, the next waits a second: took %v", got)
		}
	})
}

// WaitN of the library is an error for more than the burst; here it is a wait.
func TestOneCallOverTheTokensOfAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := limited(t, replies(250, 50), Options{Rates: Rates{TPM: 100}})
		start := time.Now()
		if e := call(t, m); e != nil {
			t.Fatal(e)
		}
		if got := time.Since(start); got != 0 {
			t.Errorf("the first call waited %v", got)
		}
		call(t, m) // pays for the 300 tokens of the first and its own estimate
		if got := time.Since(start); got < 2*time.Minute || got > 3*time.Minute {
			t.Errorf("the second call waited %v", got)
		}
	})
}

func TestHostileUsageStallsForAnHourAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := limited(t, replies(1<<39, 0), Options{Rates: Rates{TPM: 100}})
		start := time.Now()
		call(t, m)
		call(t, m)
		if got := time.Since(start); got > 61*time.Minute {
			t.Errorf("waited %v", got)
		}
	})
}

func account(t *testing.T, b Budget, s Spent) *Account {
	t.Helper()
	a, err := NewAccount(b, s, model.Wall())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestWrongBudget(t *testing.T) {
	t.Parallel()
	const want = "limits.money: want 0 (no limit) or more, got -2"
	if _, err := NewAccount(Budget{Money: -2}, Spent{}, model.Wall()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestModelsShareAnAccount(t *testing.T) {
	t.Parallel()
	a := account(t, Budget{Calls: 3}, Spent{})
	one, two := limited(t, replies(1, 1), Options{Account: a}), limited(t, replies(1, 1), Options{Account: a})
	for _, m := range []*Model{one, two, one} {
		if e := call(t, m); e != nil {
			t.Fatal(e)
		}
	}
	if e := call(t, two); e == nil || e.Class != "limit:calls" {
		t.Errorf("fourth call of both together: %v", e)
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	price := func(u record.Usage) float64 { return float64(*u.Prompt)*0.001 + float64(*u.Completion)*0.002 }
	for _, tc := range []struct {
		name     string
		budget   Budget
		spent    Spent
		calls    int
		class    string
		measured string
	}{
		{"calls", Budget{Calls: 3}, Spent{}, 3, "limit:calls", "3"},
		{"calls, resumed", Budget{Calls: 3}, Spent{Calls: 2}, 1, "limit:calls", "3"},
		{"calls, all used before", Budget{Calls: 3}, Spent{Calls: 9}, 0, "limit:calls", "9"},
		{"tokens", Budget{Tokens: 30}, Spent{}, 3, "limit:tokens", "36"},
		{"tokens, resumed", Budget{Tokens: 30}, Spent{Tokens: 10}, 2, "limit:tokens", "34"},
		{"seconds", Budget{Seconds: 5}, Spent{}, 5, "limit:seconds", "5.0"},
		{"seconds, resumed", Budget{Seconds: 5}, Spent{Seconds: 2.5}, 3, "limit:seconds", "5.5"},
		{"money", Budget{Money: 0.03}, Spent{}, 3, "limit:money", "0.042000"},
		{"money, resumed", Budget{Money: 0.03}, Spent{Money: 0.02}, 1, "limit:money", "0.034000"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				m := limited(t, inner(func(ctx context.Context, r model.Request) (record.Reply, error) {
					sent++
					time.Sleep(time.Second)
					return replies(10, 2)(ctx, r)
				}), Options{Account: account(t, tc.budget, tc.spent), Price: price})
				var e *model.Error
				for range tc.calls + 2 {
					if e = call(t, m); e != nil {
						break
					}
				}
				if e == nil || e.Class != tc.class || e.Measured != tc.measured || sent != tc.calls {
					t.Errorf("after %d calls: %+v; want %s at %s after %d", sent, e, tc.class, tc.measured, tc.calls)
				}
			})
		})
	}
}

func TestSpentCountsEveryAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := []record.Failure{{Class: model.CutBody, Usage: &record.Usage{Prompt: new(7)}}, {Class: model.Timeout}}
		var next []func() (record.Reply, error)
		m := limited(t, inner(func(context.Context, model.Request) (record.Reply, error) {
			f := next[0]
			next = next[1:]
			return f()
		}), Options{})
		next = append(next,
			func() (record.Reply, error) {
				return record.Reply{Usage: &record.Usage{Prompt: new(5), Completion: new(3)}, Failed: failed}, nil
			},
			func() (record.Reply, error) {
				return record.Reply{}, &model.Error{Class: model.Transient, Failed: failed}
			},
			func() (record.Reply, error) { return record.Reply{}, &model.Error{Class: model.Deterministic} },
			func() (record.Reply, error) { return record.Reply{Text: "12345678"}, nil }, // no usage: 1 + 2 estimated
			func() (record.Reply, error) { return record.Reply{Finish: record.Overflow}, nil },
		)
		for range 5 {
			call(t, m)
		}
		want := Spent{Calls: 3 + 2 + 1 + 1 + 1, Tokens: 7 + 8 + 7 + 0 + 3}
		if d := cmp.Diff(want, m.o.Account.Spent()); d != "" {
			t.Error(d)
		}
	})
}

func TestCallBudgetIsExactUnderLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int32
		m := limited(t, inner(func(ctx context.Context, r model.Request) (record.Reply, error) {
			sent.Add(1)
			time.Sleep(time.Second)
			return replies(1, 1)(ctx, r)
		}), Options{Account: account(t, Budget{Calls: 20}, Spent{}), Rates: Rates{RPM: 600, Concurrency: 7}})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { _, _ = m.Generate(t.Context(), ask("x")) })
		}
		wg.Wait()
		if sent.Load() != 20 {
			t.Errorf("sent %d calls of 20", sent.Load())
		}
	})
}

// peak runs n calls at once, each failing as told, and returns the most that
// were in flight.
func peak(t *testing.T, m *Model, n int, flight *atomic.Int32, most *atomic.Int32) int {
	t.Helper()
	most.Store(0)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _, _ = m.Generate(t.Context(), ask("x")) })
	}
	wg.Wait()
	if flight.Load() != 0 {
		t.Errorf("%d calls left in flight", flight.Load())
	}
	return int(most.Load())
}

func TestConcurrencyAdapts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flight, most atomic.Int32
		var failing atomic.Bool
		m := limited(t, inner(func(ctx context.Context, r model.Request) (record.Reply, error) {
			now := flight.Add(1)
			defer flight.Add(-1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			time.Sleep(time.Second)
			if failing.Load() {
				return record.Reply{Failed: []record.Failure{{Class: model.RateLimited, Status: 429}}}, nil
			}
			return record.Reply{}, nil
		}), Options{Rates: Rates{Concurrency: 8}})
		steps := []struct {
			fail bool
			n    int
			want int
		}{
			{false, 40, 8}, // never over the ceiling
			{true, 8, 8},   // eight refusals at once are one sign: 8 → 4
			{false, 4, 4},
			{true, 4, 4}, // 4 → 2
			{true, 2, 2}, // 2 → 1
			{true, 3, 1}, // not under one
			{false, 9, 1},
			{false, 1, 1},   // the tenth success in a row: 1 → 2
			{false, 2, 2},   // and not before
			{false, 200, 8}, // back to the ceiling and no further
		}
		for i, s := range steps {
			failing.Store(s.fail)
			if got := peak(t, m, s.n, &flight, &most); got != s.want {
				t.Errorf("step %d: %d in flight, want %d", i, got, s.want)
			}
		}
	})
}

func TestNoCeilingStillBacksOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flight, most atomic.Int32
		m := limited(t, inner(func(context.Context, model.Request) (record.Reply, error) {
			most.Store(max(most.Load(), flight.Add(1)))
			defer flight.Add(-1)
			time.Sleep(time.Second)
			return record.Reply{}, &model.Error{Class: model.Transient, Failed: []record.Failure{{Status: 503}}}
		}), Options{})
		if got := peak(t, m, 12, &flight, &most); got != 12 {
			t.Errorf("%d in flight, want 12", got)
		}
		if got := peak(t, m, 12, &flight, &most); got != 6 {
			t.Errorf("after refusals %d in flight, want 6", got)
		}
	})
}

func TestWaitingCallsCanGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := time.Minute
		m := limited(t, inner(func(context.Context, model.Request) (record.Reply, error) {
			time.Sleep(slow)
			return record.Reply{}, nil
		}), Options{Rates: Rates{Concurrency: 1, RPM: 1}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		go func() { _, _ = m.Generate(t.Context(), ask("x")) }()
		synctest.Wait()
		_, err := m.Generate(ctx, ask("x")) // waits at the gate
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Canceled {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Minute)
		slow = 0
		if e := call(t, m); e != nil { // the place came back
			t.Error(e)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = m.Generate(ctx, ask("x")) // waits for the rate
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Class != model.Canceled {
			t.Errorf("%v", err)
		}
		if m.gate.inFlight != 0 || m.o.Account.Spent().Calls != 2 {
			t.Errorf("%d in flight, spent %+v", m.gate.inFlight, m.o.Account.Spent())
		}
	})
}

// A call may be let in at the very moment it gives up.
func TestPlaceGivenToACallThatGivesUp(t *testing.T) {
	t.Parallel()
	g := newGate(1)
	if _, err := g.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	turn := make(chan struct{})
	g.waiting = append(g.waiting, turn)
	g.leave(0, fine) // lets turn in
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.giveUp(ctx, turn); err == nil || g.inFlight != 0 {
		t.Errorf("%v, %d in flight", err, g.inFlight)
	}
}

// However calls succeed, fail and give up, no place is lost and the bounds hold.
func TestGateKeepsItsPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ceiling := rapid.IntRange(0, 6).Draw(t, "ceiling")
		g := newGate(ceiling)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var inside []int
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "enter") {
				epoch, err := g.enter(ctx) // a full gate gives up at once
				full := g.allowed > 0 && len(inside) >= g.allowed
				if (err != nil) != full {
					t.Fatalf("%d inside of %d: %v", len(inside), g.allowed, err)
				}
				if err == nil {
					inside = append(inside, epoch)
				}
			} else if len(inside) > 0 {
				g.leave(inside[0], sign(rapid.IntRange(0, 2).Draw(t, "sign")))
				inside = inside[1:]
			}
			if g.inFlight != len(inside) || len(g.waiting) != 0 || ceiling > 0 && (g.allowed < 1 || g.allowed > ceiling) {
				t.Fatalf("gate %+v with %d inside", g, len(inside))
			}
		}
	})
}

func TestWrongOptions(t *testing.T) {
	t.Parallel()
	clock := model.Wall()
	for want, o := range map[string]Options{
		"limits.tpm: want 0 (no limit) or more, got -1": {Clock: clock, Rates: Rates{TPM: -1}},
		"limits.money: want a price for this model":     {Clock: clock, Account: account(t, Budget{Money: 2}, Spent{})},
		"limit: want a clock":                           {},
	} {
		if _, err := New(replies(1, 1), o); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Scores are nothing that anybody wrote: an endpoint that counts nothing is taken
// to have written one token.
func TestScoresAreNoCompletion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := limited(t, inner(func(context.Context, model.Request) (record.Reply, error) {
			return record.Reply{Text: strings.Repeat("1", 4000)}, nil
		}), Options{})
		r := ask("four")
		r.Form = model.Scores
		if _, err := m.Generate(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if got := m.o.Account.Spent().Tokens; got != 1+1 {
			t.Errorf("%d tokens, want one that was read and one that was written", got)
		}
	})
}
