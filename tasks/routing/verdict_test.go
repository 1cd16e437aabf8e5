package routing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
)

// What becomes of a first decision at a message: accepted, right, over, harm, the
// faults, and what the desk says.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	gates := func(on bool) func(*Options) { return func(o *Options) { o.Split, o.Gates = "all", on } }
	for name, test := range map[string]struct {
		gates                     bool
		at, action                string
		valid, right, ended, harm bool
		faults, says              string
	}{
		"right":               {true, "where", `Call track {"order":"A1001"}`, true, true, true, false, "", "Result of track: "},
		"another order":       {true, "where", `Call track {"order":"A1002"}`, true, false, false, false, "wrong:order", "Result of track: "},
		"no order":            {true, "where", `Call track {}`, false, false, false, false, "missing:order", "Error: the parameters of track have faults: missing:order."},
		"context is not told": {true, "where", `Call track {"customer":"C-101","order":"A1001"}`, false, false, false, false, "unknown:customer", "Error: "},
		"a number":            {true, "where", `Call track {"order":1001}`, false, false, false, false, "invalid:order", "Error: "},
		"nothing asked for":   {true, "where", `Call refund {"order":"A1001"}`, true, false, true, true, "", "Result of refund: "},
		"no such skill":       {true, "where", `Call magic {}`, false, false, false, false, "", "Error: there is no skill magic."},
		"refused":             {true, "where", "Decline", true, false, true, false, "", "The customer was told"},
		"waited":              {true, "where", "Wait", true, false, true, false, "", "The customer got no answer."},
		"missed":              {true, "where", record.None, false, false, true, false, "", "Error: no answer"},
		"asked":               {true, "money-then-number", "Ask order", true, true, true, false, "", "The customer was asked for order."},
		"asked for another":   {true, "money-then-number", "Ask iban", true, false, true, false, "", "The customer was asked for iban."},
		"too early":           {true, "money-then-number", `Call refund {"order":"A9999"}`, true, false, true, true, "", "Result of refund: "},
		"asks first":          {true, "cash", `Call refund {"order":"A1003"}`, false, false, false, false, "", `Error: refund is not for this case: payment == "cash"; ask for iban first.`},
		"cash, no gates":      {false, "cash", `Call refund {"order":"A1003"}`, true, false, true, true, "", "Result of refund: "},
		"unpaid":              {true, "unpaid", `Call refund {"order":"A1007"}`, false, false, false, false, "", "Error: refund is not for this case: paid == false; see track."},
		"unpaid, no gates":    {false, "unpaid", `Call refund {"order":"A1007"}`, true, false, true, true, "", "Result of refund: "},
		"faults, no gates":    {false, "unpaid", `Call refund {}`, false, false, false, false, "missing:order", "Error: the back office failed."},
		"closed":              {true, "night", "Call person {}", false, false, false, false, "", "Error: person is open 09:00-18:00, now it is 20:30."},
		"closed, no gates":    {false, "night", "Call person {}", true, false, true, true, "", "Result of person: "},
		"switched off":        {true, "night", `Call callback {"phone":"+123456"}`, false, false, false, false, "", "Error: callback is switched off."},
		"absent":              {false, "nobody", "Call person {}", false, false, false, false, "", "Error: there is no skill person."},
		"offered":             {true, "either", "Offer refund track", true, true, true, false, "", "The customer was offered refund and track."},
		"accepted":            {true, "either", "Clarify", true, true, true, false, "", "The customer was asked what is meant."},
		"offered the unknown": {true, "either", "Offer magic track", false, false, false, false, "", "Error: there is no skill magic."},
		"nothing to load":     {true, "where", "Load track", false, false, false, false, "", "Error: there is nothing to load."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, shop(7, 1, gates(test.gates)))
			at(t, w, test.at)
			out := w.Act(test.action)
			r := out.Routing
			if out.Valid != test.valid || out.Correct != test.right || r.Ended != test.ended || r.Harm != test.harm || out.Free == r.Ended {
				t.Errorf("got %+v of %+v", r, out)
			}
			if got := strings.Join(r.Faults, " "); got != test.faults || !strings.HasPrefix(out.Result, test.says) {
				t.Errorf("got %q and %q", got, out.Result)
			}
			if r.Settled != (test.right && test.ended) {
				t.Errorf("settled: %t", r.Settled)
			}
		})
	}
}

// A call that ends in an IBAN being given is not asked for it again.
func TestNegativeIsMet(t *testing.T) {
	t.Parallel()
	w := start(t, shop(7, 1, func(o *Options) { o.Split = "all" }))
	at(t, w, "cash")
	w.Act("Ask iban")
	if o, _ := w.Observe(); o.Age == nil || *o.Age != 1 {
		t.Errorf("the order was told one step ago, got %v", o.Age)
	}
	out := w.Act(`Call refund {"iban":"DE123456","order":"A1003"}`)
	if !out.Correct || !out.Routing.Resolved {
		t.Errorf("got %+v", out.Routing)
	}
}

// What is dropped is in no result, and what is for one prompt is in no later one.
func TestFieldsOfResults(t *testing.T) {
	t.Parallel()
	w := start(t, shop(6, 1, nil))
	at(t, w, "where")
	w.Act(`Call track {"order":"A1002"}`)
	o, _ := w.Observe()
	if strings.Contains(o.Text, "driver") || !strings.Contains(o.Text, "photo_link") || strings.Contains(o.Later, "photo_link") || !strings.Contains(o.Later, "expected_day") {
		t.Errorf("now %s\nlater %s", o.Text, o.Later)
	}
}

// A dialogue is resolved where its turns were settled in the end, and correct where
// they were rightly decided at first.
func TestResolvedAndCorrect(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first             []string
		correct, resolved bool
	}{
		"at once":            {[]string{"Ask order"}, true, true},
		"in the end":         {[]string{`Call track {"order":"A9999"}`, "Ask order"}, false, true},
		"not":                {[]string{"Decline"}, false, false},
		"not in three tries": {[]string{"Call track {}", "Call track {}", "Call track {}"}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, shop(6, 1, nil))
			at(t, w, "money-then-number")
			for i, action := range test.first {
				if i > 0 {
					w.Observe()
				}
				w.Act(action)
			}
			o, _ := w.Observe()
			out := w.Act(o.Oracle)
			if diff := cmp.Diff([]bool{test.correct, test.resolved, true}, []bool{out.Correct, out.Routing.Resolved, out.Routing.Last}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Looks are free, but for the sixth: it ends the turn, which then was not dealt
// with.
func TestLooksEnd(t *testing.T) {
	t.Parallel()
	w := start(t, shop(6, 1, func(o *Options) { o.Arm = LazyCatalogue }))
	o := at(t, w, "money-then-number")
	for n := range maxLooks + 1 {
		out := w.Act("Load track")
		if !out.Valid || out.Free != (n < maxLooks) || out.Routing.Ended == out.Free || out.Routing.Settled {
			t.Fatalf("look %d: %+v", n+1, out.Routing)
		}
		if n == maxLooks-1 {
			if _, answers := w.Answer("so"); answers {
				t.Fatal("a runtime answers more often than the desk")
			}
		}
		o, _ = w.Observe()
	}
	if out := w.Act(o.Oracle); out.Correct || !out.Routing.Settled || out.Routing.Resolved {
		t.Errorf("after a turn that was not dealt with: %+v", out)
	}
}
