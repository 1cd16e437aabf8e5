package routing

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/tasks/skills/rank"
)

func TestGrammar(t *testing.T) {
	t.Parallel()
	for action, says := range map[string]string{
		"Wait":                               "",
		"Clarify":                            "",
		"Ask order":                          "",
		"Offer a b":                          "",
		`Call a {}`:                          "",
		`Call a {"order":"A 1","n":[1,{}]}`:  "",
		"":                                   "want Call, Ask,",
		"wait":                               "want Call, Ask,",
		"Wait ":                              "Wait: want nothing after it",
		"Ask":                                "Ask: want a parameter",
		"Ask a b":                            "Ask: want a parameter",
		"Offer a a":                          "Offer: want two skills",
		"Offer a b c":                        "Offer: want two skills",
		"Load A":                             "Load: want a name",
		"Call a":                             "Call: want one JSON object",
		"Call a  {}":                         "Call: want one JSON object",
		`Call a {"x":1} {}`:                  "Call: parameters: more text after the JSON object",
		`Call a {"x":1,"x":2}`:               "Call: parameters: ",
		`Call a {"x y":1}`:                   "Call: parameters: want names",
		"Call a {\n}":                        "Call: want one JSON object",
		"Call a {'x':1}":                     "Call: parameters: ",
		"Call a " + strings.Repeat("[", 9e3): "want a command of at most 4000 bytes",
	} {
		got := ""
		if err := Grammar(action); err != nil {
			got = err.Error()
		}
		if says == "" && got != "" || !strings.HasPrefix(got, says) {
			t.Errorf("%.60q: %q, want %q", action, got, says)
		}
	}
}

// FuzzGrammar: what is a command is written as one, and read the same again.
func FuzzGrammar(f *testing.F) {
	for _, seed := range []string{"Wait", "Ask order", "Offer a b", `Call a {"order":"A1"}`, `Call a {"x":{"y":[1e400,"\ud800"]}}`, "Load track", "Open money", "\x00", "Call"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, action string) {
		c, err := parse(action)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 1000 {
				t.Fatalf("%q: not a line: %q", action, err)
			}
			return
		}
		again, err := parse(written(c.route, c.args))
		if err != nil || again.route != c.route || !again.args.Equal(c.args) {
			t.Fatalf("%q is written as %q (%v)", action, written(c.route, c.args), err)
		}
	})
}

func TestEffects(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]int{"Load track": 1, "Open money": 1, `Call track {}`: 0, "Wait": 0, "nonsense": 0} {
		effects := Effects(action)
		if len(effects) != want || want == 1 && effects[0].Kind != harness.Reads {
			t.Errorf("%s: %v", action, effects)
		}
	}
}

func TestOptionsRefuse(t *testing.T) {
	t.Parallel()
	for says, change := range map[string]func(*Options){
		"suite: ":                             func(o *Options) { o.Suite = "" },
		"split: ":                             func(o *Options) { o.Split = "train" },
		"arm: ":                               func(o *Options) { o.Arm = "none" },
		"k: ":                                 func(o *Options) { o.K = 0 },
		"skills: ":                            func(o *Options) { o.Skills = maxSkills + 1 },
		"position: ":                          func(o *Options) { o.Position = -maxSkills - 1 },
		"attempts: ":                          func(o *Options) { o.Attempts = 11 },
		"rules.floor: ":                       func(o *Options) { o.Rules = &rank.Rules{Threshold: 0.3, Floor: 0.4} },
		"layers: want some of ":               func(o *Options) { o.Layers = []string{"summary", "summary"} },
		"favourites: want at most 50, got 51": func(o *Options) { o.Arm, o.Favourites = RecallK, slices.Repeat([]string{"track"}, 51) },
		"layers: ":                            func(o *Options) { o.Layers = []string{"params"} },
		"favourites: ":                        func(o *Options) { o.Arm, o.Favourites = RecallK, []string{"No Name"} },
	} {
		o := defaults()
		change(&o)
		if err := o.Validate(); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s got %v", says, err)
		}
	}
	for says, text := range map[string]string{
		"unknown field":           `{"armed":true}`,
		"more text":               `{} {}`,
		"suite: want one of":      `{"suite":"before-sales"}`,
		"nowhere.yaml":            `{"suite":"testdata/nowhere.yaml"}`,
		"favourites: want skills": `{"arm":"recall_k","favourites":["nobody"]}`,
		"position: want one of the 15 of the catalogue, from the top or with - from the end, got 16":  `{"position":16}`,
		"position: want one of the 15 of the catalogue, from the top or with - from the end, got -16": `{"position":-16}`,
		"position: want one of the 16 of the catalogue, from the top or with - from the end, got 17":  `{"position":17,"poison":true}`,
		"position: want one of the 30 of the catalogue, from the top or with - from the end, got 31":  `{"position":31,"skills":30}`,
		"skills: want at least 3, ": `{"suite":"testdata/shop.yaml","skills":2,"poison":true}`,
		"want a horizon":            `{"suite":"testdata/shop.yaml","split":"dev"}`,
		"skills: want at least 2, ": `{"suite":"testdata/shop.yaml","skills":1}`,
	} {
		_, err := begin(harness.Spec{Horizon: 6, Seed: 1, Options: []byte(text)})
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: want %q, got %v", text, says, err)
		}
	}
}

// The digest of options changes with what they name.
func TestDigest(t *testing.T) {
	t.Parallel()
	digests := map[string]bool{}
	for _, change := range []func(*Options){
		func(*Options) {}, func(o *Options) { o.Suite = "testdata/shop.yaml" }, func(o *Options) { o.Vectors = vectorsOf(t, always) },
	} {
		o := defaults()
		change(&o)
		d, err := o.Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests[d] = true
	}
	if len(digests) != 3 {
		t.Errorf("%d digests of 3", len(digests))
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"testdata/nowhere":   "vectors: testdata/nowhere: no such file or directory",
		"testdata":           "vectors: testdata: not a regular file",
		pipe:                 "vectors: " + pipe + ": not a regular file",
		"testdata/shop.yaml": "testdata/shop.yaml:1: want a vector as JSON: ",
	} {
		o := defaults()
		o.Vectors = name
		if _, err := o.Digest(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestRunsPlayWhatTheirDigestIsOf: a suite and vectors that change on disk change
// nothing until a digest is taken again.
func TestRunsPlayWhatTheirDigestIsOf(t *testing.T) {
	t.Parallel()
	library, err := filepath.Abs("testdata/shop")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "s.yaml")
	write := func(say string) *Options {
		text := "library: " + library + "\ncases:\n  - {id: a, kind: direct, split: test, turns: [{say: " + say + ", expect: {do: decline}}]}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := defaults()
		o.Suite, o.Vectors = file, vectorsOf(t, always)
		return &o
	}
	message := func(o *Options) string {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSession(harness.Spec{Horizon: 1, Seed: 1, Options: text})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openVectors(o.Vectors); err != nil {
			t.Error(err)
		}
		return s.cases[0].Turns[0].Say
	}
	o := write("Hello")
	before, err := o.Digest()
	if err != nil {
		t.Fatal(err)
	}
	write("Goodbye")
	if err := os.Remove(o.Vectors); err != nil {
		t.Fatal(err)
	}
	if got := message(o); got != "Hello" {
		t.Errorf("after a change a run plays %q", got)
	}
	o = write("Goodbye")
	after, err := o.Digest()
	dialogues, skills, _ := strings.Cut(after, "-")
	if err != nil || strings.HasPrefix(before, dialogues) || !strings.HasSuffix(before, skills) || message(o) != "Goodbye" {
		t.Errorf("a new digest: %s after %s, %q, %v", after, before, message(o), err)
	}
}

func TestWritten(t *testing.T) {
	t.Parallel()
	want := []string{"Ask order", "Offer a b", "Clarify", "Decline", "Load a", "Open a", "Wait", "Call a {}"}
	var got []string
	for _, r := range []record.Route{
		{Do: record.Ask, Param: "order"}, {Do: record.Offer, Skill: "a", Other: "b"}, {Do: record.Clarify}, {Do: record.Decline},
		{Do: record.LoadOne, Skill: "a"}, {Do: record.Open, Skill: "a"}, {Do: record.Nothing}, {Do: record.Call, Skill: "a"},
	} {
		c, err := parse(written(r, command{}.args))
		if err != nil || c.route != r {
			t.Errorf("%+v is read as %+v (%v)", r, c.route, err)
		}
		got = append(got, written(r, c.args))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
