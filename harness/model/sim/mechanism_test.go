package sim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func said(stance Stance, pairs ...string) (mentions []Mention) {
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		mentions = append(mentions, Mention{Key: key, Value: value, Stance: stance})
	}
	return mentions
}

func TestEventsSettleWhatStatementsOnlyVoteOn(t *testing.T) {
	t.Parallel()
	often := said(Says, "ci=passed", "ci=passed", "ci=passed", "ci=passed")
	for _, test := range []struct {
		name   string
		then   []Mention
		anchor float64
		want   string
	}{
		{"a perfect reader takes the last statement", said(Says, "ci=failed"), 0, "failed"},
		{"an anchored one the most repeated", said(Says, "ci=failed"), 0.9, "passed"},
		{"until the new one is repeated enough", said(Says, "ci=failed", "ci=failed", "ci=failed"), 0.9, "failed"},
		{"an event is not doubted", said(Announces, "ci=failed"), 0.9, "failed"},
		{"nor is what an own action did", said(Tries, "ci=failed"), 0.9, "failed"},
		{"what was settled is contested like all else", append(said(Announces, "ci=failed"), said(Says, "ci=stale", "ci=stale", "ci=stale")...), 0.9, "stale"},
	} {
		mentions := append(append([]Mention(nil), often...), test.then...)
		if got := believe(Reading{Mentions: mentions}, test.anchor)["ci"]; got != test.want {
			t.Errorf("%s: want %s, got %s", test.name, test.want, got)
		}
	}
}

// TestNoAnchorIsTheLastStatement compares the voting with what a perfect reader
// is said to do.
func TestNoAnchorIsTheLastStatement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var mentions []Mention
		want := Beliefs{}
		for range rapid.IntRange(0, 30).Draw(rt, "mentions") {
			m := Mention{Key: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "key"), Value: rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "value"),
				Stance: rapid.SampledFrom([]Stance{Says, Tries, Announces, Denies}).Draw(rt, "stance")}
			mentions = append(mentions, m)
			if m.Stance != Denies {
				want[m.Key] = m.Value
			} else if v, ok := want[m.Key]; ok && v == m.Value {
				delete(want, m.Key)
			}
		}
		if diff := cmp.Diff(want, believe(Reading{Mentions: mentions}, 0)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestMisreadingReachesWhatTheEventNeeds(t *testing.T) {
	t.Parallel()
	beliefs := Beliefs{"pr_1.ci": "passed", "pr_1.branch": "feature_1", "pr_10.ci": "failed", "pr_2.ci": "passed", "pr_3.ci": "", "feature_1/file_1.go": "changed", "item_4": "shelf_2", "item_5": "shelf_3"}
	keys := []string{"feature_1/file_1.go", "item_4", "item_5", "pr_1.branch", "pr_1.ci", "pr_10.ci", "pr_2.ci", "pr_3.ci"}
	for arg, want := range map[string][]string{
		"pr_1":    {"pr_1.branch", "pr_1.ci"},
		"item_4":  {"item_4"},
		"shelf_3": {"item_5"},
		"":        nil,
	} {
		if got := about(Event{Args: map[string]string{"x": arg}}, keys, beliefs); !cmp.Equal(append([]string{}, want...), got) {
			t.Errorf("about %q: want %q, got %q", arg, want, got)
		}
	}
	for victim, want := range map[string][]string{
		"pr_1.ci":     {"pr_10.ci"}, // pr_2 has the same value and pr_3 none
		"pr_1.branch": nil,
		"item_4":      {"item_5"},
	} {
		if got := rivals(victim, keys, beliefs); !cmp.Equal(append([]string{}, want...), got) {
			t.Errorf("rivals of %s: want %q, got %q", victim, want, got)
		}
	}
}

func TestStrengthsAreWrittenOut(t *testing.T) {
	t.Parallel()
	for mechanism, want := range map[string]float64{Anchored: 0.9, Distractible: 0.01} {
		c := Config{Mechanism: mechanism}.Complete()
		if c.Strength == nil || *c.Strength != want {
			t.Errorf("%s: want %g, got %v", mechanism, want, c.Strength)
		}
	}
	off := 0.0
	if c := (Config{Mechanism: Anchored, Strength: &off}).Complete(); *c.Strength != 0 {
		t.Errorf("a strength of 0 became %g", *c.Strength)
	}
	if c := (Config{Mechanism: Perfect}).Complete(); c.Strength != nil {
		t.Errorf("sim:perfect has strength %g", *c.Strength)
	}
}
