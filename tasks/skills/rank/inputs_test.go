package rank_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// lines are the lines of a file for some inputs.
func lines(t rapid.TB, inputs []rank.Input) (all [][]byte) {
	t.Helper()
	for i, in := range inputs {
		line, err := rank.NewLine("e", in.Subject, []float32{0.1, float32(i)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line.Text)
	}
	return all
}

func TestInputsAreEachTextOnce(t *testing.T) {
	t.Parallel()
	b, a := plain("b", "Send a bill."), plain("a", "Track a parcel.")
	got := rank.Inputs([]skills.Skill{b, a}, []string{"hi", "bye", "hi", "Send a bill."})
	var texts []string
	for _, in := range got {
		if in.Hash != skills.TextHash(in.Text) {
			t.Errorf("%+v", in)
		}
		texts = append(texts, in.Skill+in.Version+":"+in.Text)
	}
	slices.Sort(texts[2:]) // by hash
	if d := cmp.Diff([]string{"a1:" + a.Index(), "b1:" + b.Index(), ":Send a bill.", ":bye", ":hi"}, texts); d != "" {
		t.Error(d)
	}
}

// What is written is read, whatever the order of the lines, and is complete.
func TestLinesAreAFileOfVectors(t *testing.T) {
	t.Parallel()
	s, lib := afterSales(t)
	var messages []string
	for _, c := range s.Cases {
		for _, turn := range c.Turns {
			messages = append(messages, turn.Say)
		}
	}
	inputs := rank.Inputs(lib.Skills, messages)
	rapid.Check(t, func(t *rapid.T) {
		text := bytes.Join(lines(t, rapid.Permutation(inputs).Draw(t, "lines")), nil)
		v, err := rank.ReadVectors("v.jsonl", text)
		if err != nil {
			t.Fatal(err)
		}
		by, err := rank.Recorded(lib.Skills, v, "e")
		if err == nil {
			err = by.Covers(messages)
		}
		if err != nil {
			t.Fatal(err)
		}
		read, embedder, size, err := rank.ReadLines("v.jsonl", text)
		if err != nil || embedder != "e" || size != 2 || len(read) != len(inputs) {
			t.Fatalf("%d lines, %q, %d, %v", len(read), embedder, size, err)
		}
		slices.SortFunc(read, func(a, b rank.Line) int { return a.Compare(b.Subject) })
		for i, in := range inputs {
			if read[i].Subject != in.Subject {
				t.Fatalf("line %d: %+v, want %+v", i, read[i].Subject, in.Subject)
			}
		}
	})
}

// Wherever a write stops, the lines before it are kept and nothing else.
func TestALineThatWasInterruptedIsDropped(t *testing.T) {
	t.Parallel()
	all := lines(t, rank.Inputs([]skills.Skill{plain("a", "Track a parcel.")}, []string{"hi", "bye"}))
	text := bytes.Join(all, nil)
	for n := range len(text) + 1 {
		read, _, _, err := rank.ReadLines("v.jsonl", text[:n])
		if err != nil {
			t.Fatalf("%q: %v", text[:n], err)
		}
		var kept []byte
		for _, line := range read {
			kept = append(kept, line.Text...)
		}
		whole := text[:bytes.LastIndexByte(text[:n], '\n')+1]
		if n < len(text) && text[n] == '\n' { // all but its end
			whole = text[:n+1]
		}
		if d := cmp.Diff(string(whole), string(kept)); d != "" {
			t.Fatalf("%q: %s", text[:n], d)
		}
	}
	if _, _, _, err := rank.ReadLines("v.jsonl", append(slices.Clone(text[:20]), '\n')); err == nil || !strings.HasPrefix(err.Error(), "v.jsonl:1: want a vector as JSON") {
		t.Errorf("half a line with an end: %v", err)
	}
}

// Numbers have no more digits than they need.
func TestNumbersAreShort(t *testing.T) {
	t.Parallel()
	line, err := rank.NewLine("e", rank.Subject{Hash: "ab"}, []float32{0.1, -1e-20, 3})
	want := `{"embedder":"e","hash":"ab","vector":[0.1,-1e-20,3]}` + "\n"
	if err != nil || string(line.Text) != want {
		t.Errorf("%s, %v", line.Text, err)
	}
	line, err = rank.NewLine("e", rank.Subject{"a", "1", "ab"}, []float32{1})
	want = `{"embedder":"e","skill":"a","version":"1","hash":"ab","vector":[1]}` + "\n"
	if err != nil || string(line.Text) != want {
		t.Errorf("%s, %v", line.Text, err)
	}
}
