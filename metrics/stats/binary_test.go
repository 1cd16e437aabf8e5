package stats

import (
	"fmt"
	"testing"
)

func TestMcNemarExact(t *testing.T) {
	t.Parallel()
	near(t, "2 and 8", McNemarExact(2, 8), 0.109375, 1e-12)
	near(t, "8 and 2", McNemarExact(8, 2), 0.109375, 1e-12)
	// The textbook table 101 121 / 59 33.
	near(t, "121 and 59", McNemarExact(121, 59), 4.4344493e-6, 1e-12)
	near(t, "0 and 6", McNemarExact(0, 6), 2.0/64, 1e-12)
	near(t, "equal", McNemarExact(5, 5), 1, 0)
	absent(t, "none", McNemarExact(0, 0))
	absent(t, "negative", McNemarExact(-1, 4))
}

func TestMcNemar(t *testing.T) {
	t.Parallel()
	a, b := map[string]bool{}, map[string]bool{}
	for i, outcome := range []struct{ a, b bool }{
		{true, true}, {true, true}, {true, true}, {true, false}, {false, true}, {false, true}, {false, false},
	} {
		a[fmt.Sprint(i)], b[fmt.Sprint(i)] = outcome.a, outcome.b
	}
	b["extra"] = true
	c := McNemar(a, b)
	if c.Both != 3 || c.OnlyA != 1 || c.OnlyB != 2 || c.Neither != 1 {
		t.Errorf("got %+v, want 3 both, 1 only a, 2 only b, 1 neither", c)
	}
	near(t, "p", c.P, 1, 0)
	warned(t, c.Warnings, "0 keys only in a, 1 only in b: left out")
	same := McNemar(a, a)
	absent(t, "p of a with itself", same.P)
	warned(t, same.Warnings, "outcomes never differ: no p-value")
}

func TestCompareProportions(t *testing.T) {
	t.Parallel()
	// Newcombe 1998, table II, method 10.
	d := CompareProportions(56, 70, 48, 80, 0)
	near(t, "difference", d.Difference, 0.2, 1e-12)
	near(t, "low", d.Interval.Low, 0.0524315, 1e-6)
	near(t, "high", d.Interval.High, 0.3338727, 1e-6)
	near(t, "fisher", d.P, 0.0125211, 1e-7)
	d = CompareProportions(9, 10, 3, 10, 0)
	near(t, "low 9/10 - 3/10", d.Interval.Low, 0.1705, 5e-5)
	near(t, "high 9/10 - 3/10", d.Interval.High, 0.8090, 5e-5)
	near(t, "tea tasting (Fisher 1935)", CompareProportions(3, 4, 1, 4, 0).P, 0.4857143, 1e-7)
	near(t, "1/10 and 11/14", CompareProportions(1, 10, 11, 14, 0).P, 0.0027594562, 1e-9)
	near(t, "all right", CompareProportions(5, 5, 7, 7, 0).P, 1, 1e-12)
	near(t, "far apart", CompareProportions(4000, 4000, 0, 4000, 0).P, 0, 1e-300)
	none := CompareProportions(1, 2, 0, 0, 0)
	absent(t, "difference with no trials", none.Difference)
	absent(t, "p with no trials", none.P)
	warned(t, none.Warnings, "a proportion is missing: no comparison")
}

func TestHolm(t *testing.T) {
	t.Parallel()
	// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"), with absent ones between.
	got := Holm([]Value{Of(0.01), {}, Of(0.04), Of(0.03), {V: 1.5, OK: true}, Of(0.005)})
	for i, want := range []float64{0.03, -1, 0.06, 0.06, -1, 0.02} {
		if want < 0 {
			absent(t, fmt.Sprint(i), got[i])
			continue
		}
		near(t, fmt.Sprint(i), got[i], want, 1e-12)
	}
	near(t, "capped", Holm([]Value{Of(0.7), Of(0.6)})[0], 1, 0)
	near(t, "one test", Holm([]Value{Of(0.04), {}})[0], 0.04, 0)
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("no tests: got %v", got)
	}
}
