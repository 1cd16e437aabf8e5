package routing

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// played plays an episode with one of the strategies.
func played(t *testing.T, name string, s harness.Spec) ([]step, error) {
	t.Helper()
	for _, strategy := range Strategies() {
		if strategy.Name != name {
			continue
		}
		agent, err := strategy.New(harness.Setup{Task: Task(), Spec: s})
		if err != nil {
			return nil, err
		}
		w := start(t, s)
		return play(t, w, func(o record.Observation) string { return agent.(harness.Player).Play(o, w.Truth()) }), nil
	}
	t.Fatalf("no strategy %s", name)
	return nil, nil
}

func TestPlayersRefuseOtherTasks(t *testing.T) {
	t.Parallel()
	for _, s := range Strategies() {
		_, err := s.New(harness.Setup{Task: harness.Task{Name: "warehouse"}})
		if want := s.Name + ": it plays the task routing only, got warehouse"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Ranking is better than the floors, and a floor that calls nothing is right only
// where nothing is to be called.
func TestPlayers(t *testing.T) {
	t.Parallel()
	o := defaults()
	right := map[string]int{}
	for _, s := range Strategies() {
		for seed := uint64(1); seed <= 6; seed++ {
			steps, err := played(t, s.Name, spec(10, seed, o))
			if err != nil {
				t.Fatal(err)
			}
			n, _ := firsts(steps)
			right[s.Name] += n
			for _, step := range steps {
				r := step.out.Routing
				if err := Grammar(step.action); err != nil {
					t.Errorf("%s: %s", s.Name, err)
				}
				if s.Name == "always_none" && (r.Got.Do != record.Decline || r.Settled && r.Want.Do != record.Decline && len(r.Accept) == 0) {
					t.Errorf("always_none: %+v", r)
				}
			}
		}
	}
	for _, better := range []string{"bm25", "embed_threshold"} {
		for _, floor := range []string{"always_none", "first"} {
			if right[better] < 3*right[floor]/2 || right[floor] == 0 {
				t.Errorf("%s has %d right, %s %d", better, right[better], floor, right[floor])
			}
		}
	}
}

// A conversation is followed: what was asked for is taken from the answer, what
// was said before is known, and another conversation knows none of it.
func TestPlayersFollow(t *testing.T) {
	t.Parallel()
	steps, err := played(t, "bm25", shop(6, 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, s := range steps {
		said[s.o.Item] = append(said[s.o.Item], s.action)
	}
	for id, want := range map[string]string{
		"money-then-number": `Ask order|Call refund {"order":"A1002"}`,
		"cash":              `Ask iban|Call refund {"iban":"DE123456","order":"A1003"}`,
		"where":             `Call track {"order":"A1001"}`,
		"night":             "Decline",
	} {
		if got := strings.Join(said[id], "|"); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// vectorsOf writes vectors of trigrams for the shop, which a change may spoil.
func vectorsOf(t *testing.T, change func(line map[string]any) bool) string {
	t.Helper()
	src, err := openSource("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	write := func(line map[string]any) {
		if change(line) {
			data, _ := json.Marshal(line) // plain values
			b.Write(append(data, '\n'))
		}
	}
	by := rank.Trigrams{}
	for _, s := range src.library.Skills {
		write(map[string]any{"embedder": "tri", "skill": s.Name, "version": s.Version, "hash": skills.TextHash(s.Index()), "vector": by.Embed(s.Index())})
	}
	for _, c := range src.suite.Cases {
		for _, turn := range c.Turns {
			write(map[string]any{"embedder": "tri", "hash": skills.TextHash(turn.Say), "vector": by.Embed(turn.Say)})
		}
	}
	file := filepath.Join(t.TempDir(), "vectors.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func always(map[string]any) bool { return true }

func TestVectors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(map[string]any) bool
		says   string
	}{
		"fit":           {always, ""},
		"another text":  {func(l map[string]any) bool { l["hash"] = fmt.Sprint(l["hash"], "x"); return true }, "of another text"},
		"no message":    {func(l map[string]any) bool { return l["skill"] != nil }, "no vector of the message"},
		"a skill lacks": {func(l map[string]any) bool { return l["skill"] != "track" }, "no vector of track"},
	} {
		file := vectorsOf(t, test.change)
		_, err := played(t, "embed_threshold", shop(6, 1, func(o *Options) { o.Vectors = file }))
		switch {
		case test.says == "" && err != nil, test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: want %q, got %v", name, test.says, err)
		}
	}
	if _, err := played(t, "embed_threshold", shop(6, 1, func(o *Options) { o.Vectors = "nowhere" })); err == nil {
		t.Error("vectors that are not there are read")
	}
}

// TestRulesOfTheOptions: with a threshold that no score reaches, rankers call
// only what they were asked to go on with; with one that all reach, more.
func TestRulesOfTheOptions(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bm25", "embed_threshold"} {
		calls := map[float64]int{}
		for _, threshold := range []float64{0, 1} {
			steps, err := played(t, name, shop(6, 1, func(o *Options) { o.Rules = &rank.Rules{Threshold: threshold, Floor: threshold} }))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range steps {
				if strings.HasPrefix(s.action, verbCall+" ") {
					calls[threshold]++
				}
			}
		}
		if calls[1] > 1 || calls[0] <= calls[1] {
			t.Errorf("%s: calls by threshold: %v", name, calls)
		}
	}
}

// A desk that lacks every skill ends no player's episode early.
func TestPlayersWithoutAnySkill(t *testing.T) {
	t.Parallel()
	library, err := filepath.Abs("testdata/shop")
	if err != nil {
		t.Fatal(err)
	}
	o := defaults()
	o.Suite = filepath.Join(t.TempDir(), "bare.yaml")
	text := "library: " + library + "\ncases:\n  - {id: a, kind: right_skill_absent, split: test, absent: [track, refund, person, callback], turns: [{say: Hello, expect: {do: decline}}]}\n"
	if err := os.WriteFile(o.Suite, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range Strategies() {
		if steps, err := played(t, s.Name, spec(1, 1, o)); err != nil || len(steps) != 1 || steps[0].action != "Decline" {
			t.Errorf("%s: %+v, %v", s.Name, steps, err)
		}
	}
	draw, err := randomIn(spec(1, 1, o))
	if err != nil {
		t.Fatal(err)
	}
	if got := draw(rand.New(rand.NewPCG(1, 1)), factsOnly(nil)); got != "Decline" {
		t.Errorf("random: %s", got)
	}
}
