package rank_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// made writes the file of vectors that an embedder would make.
func made(t *testing.T, by rank.Embedder, list []skills.Skill, messages []string) []byte {
	t.Helper()
	var b strings.Builder
	add := func(line map[string]any) {
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	for _, s := range list {
		add(map[string]any{"embedder": by.Name(), "skill": s.Name, "version": s.Version, "hash": skills.TextHash(s.Index()), "vector": by.Embed(s.Index())})
	}
	for _, m := range messages {
		add(map[string]any{"embedder": by.Name(), "hash": skills.TextHash(m), "vector": by.Embed(m)})
	}
	return []byte(b.String())
}

// Vectors from a file rank as those that are made on the spot.
func TestRecordedVectorsRankAsTheirEmbedder(t *testing.T) {
	t.Parallel()
	s, lib := afterSales(t)
	var messages []string
	seen := map[string]bool{}
	for _, c := range s.Order("dev") {
		if say := c.Turns[0].Say; !seen[say] {
			messages, seen[say] = append(messages, say), true
		}
	}
	v, err := rank.ReadVectors("v.jsonl", made(t, rank.Trigrams{}, lib.Skills, messages))
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := rank.Recorded(lib.Skills, v, "trigrams-1024")
	if err != nil {
		t.Fatal(err)
	}
	if err := recorded.Covers(messages); err != nil {
		t.Error(err)
	}
	live := rank.Embed(lib.Skills, rank.Trigrams{})
	for _, m := range messages {
		if d := cmp.Diff(live.Rank(m), recorded.Rank(m), cmpopts.EquateApprox(0, 1e-12)); d != "" {
			t.Errorf("%q: %s", m, d)
		}
	}
	if got := recorded.Rank("never embedded"); got != nil {
		t.Errorf("a message without a vector is ranked: %v", got)
	}
	want := `v.jsonl: no vector of the message "never embedded" (hash ` + skills.TextHash("never embedded") + `); embed it too`
	if err := recorded.Covers([]string{messages[0], "never embedded"}); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

const (
	skillLine   = `{"embedder":"e","skill":"a","version":"1","hash":"%s","vector":[3,4]}`
	messageLine = `{"embedder":"e","hash":"%s","vector":[1,0]}`
)

func TestVectorsMustFit(t *testing.T) {
	t.Parallel()
	a := plain("a", "Track a parcel.")
	hash := skills.TextHash(a.Index())
	good, hello := fmt.Sprintf(skillLine, hash), fmt.Sprintf(messageLine, "h1")
	for name, f := range map[string]struct{ file, embedder, want string }{
		"all is well":        {good + "\n\n" + hello, "e", ""},
		"any embedder":       {good, "", ""},
		"an older one too":   {strings.Replace(good, `"version":"1"`, `"version":"0.9"`, 1) + "\n" + good, "", ""},
		"wanted embedder":    {good, "f", `v.jsonl: want vectors of "f", found some of "e"`},
		"mixed embedders":    {good + "\n" + strings.Replace(hello, `"e"`, `"f"`, 1), "", `v.jsonl:2: embedder: want "e" as in the lines before, got "f"`},
		"no embedder":        {strings.Replace(good, `"e"`, `""`, 1), "", `v.jsonl:1: embedder: want the name of what made the vector, found none`},
		"other version":      {strings.Replace(good, `"version":"1"`, `"version":"2"`, 1), "", `v.jsonl:1: the vector of a is of version 2, the definition is of 1; embed it again`},
		"other text":         {strings.Replace(good, hash, "0123", 1), "", `v.jsonl:1: the vector of a 1 is of another text: its hash is 0123, that of the definition ` + hash + `; embed it again`},
		"no vector":          {strings.Replace(good, `"a"`, `"b"`, 1), "", `v.jsonl: no vector of a 1; embed it with e`},
		"other size":         {good + "\n" + strings.Replace(hello, "[1,0]", "[1,0,0]", 1), "", `v.jsonl:2: vector: want 2 numbers as in the lines before, got 3`},
		"no numbers":         {strings.Replace(good, "[3,4]", "[]", 1), "", `v.jsonl:1: vector: want 1 to 16384 numbers, got 0`},
		"zero":               {strings.Replace(good, "[3,4]", "[0,0]", 1), "", `v.jsonl:1: vector: want one of a length between 0 and infinity, got 0`},
		"too long":           {strings.Replace(good, "[3,4]", "[1e300,4]", 1), "", `v.jsonl:1: vector: want one of a length between 0 and infinity, got +Inf`},
		"not a number":       {strings.Replace(good, "[3,4]", "[NaN,4]", 1), "", `v.jsonl:1: want a vector as JSON`},
		"beyond all":         {strings.Replace(good, "[3,4]", "[1e999,4]", 1), "", `v.jsonl:1: want a vector as JSON`},
		"unknown member":     {strings.Replace(good, `"hash"`, `"sum"`, 1), "", `v.jsonl:1: want a vector as JSON`},
		"no version":         {strings.Replace(good, `"version":"1",`, "", 1), "", `v.jsonl:1: version: want skill and version of a skill's vector`},
		"no hash":            {strings.Replace(good, hash, "", 1), "", `v.jsonl:1: hash: want that of the text, found none`},
		"a skill twice":      {good + "\n" + good, "", `v.jsonl:2: skill: want one vector of a 1, found another in line 1`},
		"a message twice":    {good + "\n" + hello + "\n" + hello, "", `v.jsonl:3: hash: want one vector of a message, found h1 twice`},
		"nothing":            {"\n", "", `v.jsonl: want vectors, found none`},
		"a line without end": {good + "\n" + strings.Repeat(" ", 5<<20), "", `v.jsonl:2: want lines of at most 4 MiB`},
	} {
		v, err := rank.ReadVectors("v.jsonl", []byte(f.file))
		if err == nil {
			_, err = rank.Recorded([]skills.Skill{a}, v, f.embedder)
		}
		switch {
		case f.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case f.want != "" && (err == nil || !strings.HasPrefix(err.Error(), f.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s:\n got %v\nwant %s", name, err, f.want)
		}
	}
}

// The vectors of the built-in embedder are what its name stands for.
func TestTrigramsStayTheSame(t *testing.T) {
	t.Parallel()
	got, length := map[int]float64{}, 0.0
	for i, x := range (rank.Trigrams{}).Embed("Äpfel äpfel!") {
		length += x * x
		if x != 0 {
			got[i] = math.Round(x*1e4) / 1e4
		}
	}
	if d := cmp.Diff(map[int]float64{42: 0.4472, 256: 0.4472, 496: -0.4472, 748: -0.4472, 968: -0.4472}, got); d != "" {
		t.Error(d)
	}
	if math.Abs(length-1) > 1e-12 {
		t.Errorf("length² %g", length)
	}
	for _, x := range (rank.Trigrams{}).Embed("?!") {
		if x != 0 {
			t.Fatal("a text without letters has a vector")
		}
	}
}

func FuzzReadVectors(f *testing.F) {
	f.Add(fmt.Sprintf(skillLine, "h") + "\n" + fmt.Sprintf(messageLine, "h"))
	f.Add(`{"embedder":"e","vector":[1e308,1e308]}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := rank.ReadVectors("v.jsonl", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		if v.Embedder == "" {
			t.Error("vectors of no embedder")
		}
	})
}
