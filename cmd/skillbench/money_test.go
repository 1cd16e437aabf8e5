package main

import (
	"path/filepath"
	"strings"
	"testing"

	"skillbench/harness/journal"
	"skillbench/metrics/money"
)

// spend adds up what the journals of a run cost at a price.
func spend(t *testing.T, dir string, p money.Price) (total, dearest float64) {
	t.Helper()
	m, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if err != nil {
			continue // not begun
		}
		err = r.Each(func(e journal.Event) error {
			if e.Call != nil {
				cost := p.Told(counted(e.Call.Usage, e.Call.Tokens, e.Call.Completion))
				total += cost
				dearest = max(dearest, cost)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return total, dearest
}

// A budget of money holds over sessions, but for the calls in flight.
func TestBudgetOfMoney(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	file, dir := modelFile(t, s.url, "price: gpt-5-mini"), filepath.Join(t.TempDir(), "run")
	p, err := money.Shipped().Price("gpt-5-mini")
	if err != nil {
		t.Fatal(err)
	}
	args := small("--model", file, "--out", dir, "--workers", "1", "--set", "limits.money=0.005")
	program(t, exitFound, args...)
	total, dearest := spend(t, dir, p)
	if total < 0.005 || total > 0.005+dearest+1e-9 {
		t.Errorf("spent %f, want 0.005 and less than a call of %f more", total, dearest)
	}
	c := program(t, exitFound, args...)
	if again, _ := spend(t, dir, p); again != total {
		t.Errorf("the second session spent %f more", again-total)
	}
	if !strings.Contains(c.out.String(), "limit:money") {
		t.Errorf("want limit:money in %s", &c.out)
	}
}

func TestBudgetOfMoneyWantsPrices(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	dir := filepath.Join(t.TempDir(), "run")
	for want, more := range map[string]string{
		"limits.money: model served has no price: ": "stream: false",
		`model.yaml:5: price: want one of`:          "price: memory",
		"limits.money: the price file has no input": "price: qwen-3-8b",
	} {
		c := program(t, exitWrong, small("--model", modelFile(t, s.url, more), "--out", dir, "--set", "limits.money=1")...)
		if !strings.Contains(c.err.String(), want) || strings.Count(c.err.String(), "\n") != 1 {
			t.Errorf("%s: want %q, got %s", more, want, &c.err)
		}
	}
	// Simulated models cost nothing.
	program(t, exitDone, small("--out", filepath.Join(t.TempDir(), "free"), "--set", "limits.money=0.000001")...)
}
