package suite_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/tasks/skills/suite"
)

func ids(cases []suite.Case) []string {
	var out []string
	for _, c := range cases {
		out = append(out, c.ID)
	}
	return out
}

// drawn is a suite of cases that are nothing but an id and a split.
func drawn(t *rapid.T) suite.Suite {
	s := suite.Suite{Name: "s"}
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 999), 2, 60, rapid.ID).Draw(t, "ids") {
		s.Cases = append(s.Cases, suite.Case{ID: fmt.Sprint("case-", n), Split: rapid.SampledFrom([]string{suite.Dev, suite.Test}).Draw(t, "split")})
	}
	return s
}

// The seeds 1, 2, … play every dialogue of a split once, whatever the horizon,
// but for the rest that fills no session.
func TestSeedsCoverTheSplitOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		split := rapid.SampledFrom([]string{suite.Dev, suite.Test, suite.All}).Draw(t, "split")
		horizon := rapid.IntRange(1, 10).Draw(t, "horizon")
		order := ids(s.Order(split))
		var played []string
		seed := uint64(1)
		for ; ; seed++ {
			cases, err := s.Deal(split, seed, horizon)
			if err != nil {
				break
			}
			played = append(played, ids(cases)...)
		}
		if rest := len(order) - len(played); rest < 0 || rest >= horizon || !slices.Equal(played, order[:len(played)]) {
			t.Fatalf("order %v, played %v", order, played)
		}
	})
}

// The order follows neither the file nor the other cases.
func TestOrderIsThatOfTheIds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		all := ids(s.Order(suite.All))
		shuffled := suite.Suite{Name: "s", Cases: rapid.Permutation(s.Cases).Draw(t, "cases")}
		if got := ids(shuffled.Order(suite.All)); !slices.Equal(all, got) {
			t.Fatalf("%v, after shuffling the file %v", all, got)
		}
		if want, got := ids(s.Order(suite.Dev)), ids(shuffled.Sorted().Order(suite.Dev)); !slices.Equal(want, got) {
			t.Fatalf("%v, sorted beforehand %v", want, got)
		}
		gone := rapid.SampledFrom(all).Draw(t, "gone")
		fewer := suite.Suite{Cases: slices.DeleteFunc(slices.Clone(s.Cases), func(c suite.Case) bool { return c.ID == gone })}
		want := slices.DeleteFunc(all, func(id string) bool { return id == gone })
		if got := ids(fewer.Order(suite.All)); !slices.Equal(want, got) {
			t.Fatalf("want %v, got %v", want, got)
		}
	})
}

func TestDealIsShuffledAndSaysWhatThereIs(t *testing.T) {
	t.Parallel()
	s, _ := afterSales(t)
	first, err := s.Deal(suite.Test, 1, 12)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, c := range first {
		kinds[c.Kind] = true
	}
	if len(kinds) < 4 {
		t.Errorf("the first dozen are of %d kinds: is the file's order played?", len(kinds))
	}
	for _, ask := range []struct {
		seed    uint64
		horizon int
		want    string
	}{
		{16, 10, "after-sales has 150 dialogues of split test: at horizon 10 want seeds 1 to 15, got 16"},
		{1, 151, "after-sales has 150 dialogues of split test: want a horizon of at most 150, got 151"},
		{0, 10, "after-sales: want seeds and horizons from 1, got seed 0 of horizon 10"},
		{1 << 62, 1, "after-sales has 150 dialogues"},
		{math.MaxUint64, 10, "after-sales has 150 dialogues of split test: at horizon 10 want seeds 1 to 15, got 18446744073709551615"},
	} {
		if _, err := s.Deal(suite.Test, ask.seed, ask.horizon); err == nil || !strings.HasPrefix(err.Error(), ask.want) {
			t.Errorf("seed %d, horizon %d:\n got %v\nwant %s", ask.seed, ask.horizon, err, ask.want)
		}
	}
}
