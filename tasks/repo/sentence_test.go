package repo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model/sim"
)

// sentences are all that the task writes.
func sentences() []sentence {
	all := []sentence{waited, noAction, noCommand, noFile, noCommits, noReads, testedClosed}
	for _, part := range [][]statement{results, alerts, plainStatements, webhooks} {
		for _, s := range part {
			all = append(all, s.says)
		}
	}
	return all
}

// Every sentence is read back as itself, and as no other.
func TestSentencesAreDistinct(t *testing.T) {
	t.Parallel()
	for _, s := range sentences() {
		var words []string
		for i := range len(s) {
			if s[i] == '%' {
				words = append(words, map[byte]string{'b': "feature_3", 'f': "file_4.go", 'p': "pr_5", 'c': stale, 'l': "file_1.go, file_2.go"}[s[i+1]])
			}
		}
		line := s.with(words...)
		for _, other := range sentences() {
			got, ok := other.slots(line)
			if ok != (other == s) {
				t.Errorf("%q is read as %q: %v", line, other, ok)
			}
			if ok && !cmp.Equal(got, words) {
				t.Errorf("%q holds %q, read %q", line, words, got)
			}
		}
		for _, broken := range []string{line[1:], line[:len(line)-1], line + " ", strings.ToUpper(line)} {
			if _, ok := s.slots(broken); ok {
				t.Errorf("%q is read as %q", broken, s)
			}
		}
	}
}

func TestReasoningStatesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		d := &double{state: true}
		run(t, drifting(flakyCI, seed), d.act)
		for i, s := range d.past {
			if s.Part != sim.InReply {
				continue
			}
			because, _, _ := strings.Cut(s.Text, "\n")
			d.past[i].Text = because
			if r := (language{}).Read([]sim.Section{{Part: sim.InHistory, Text: because + "\n"}, d.past[i]}); len(r.Mentions) > 0 {
				t.Errorf("%q is read as %+v", because, r.Mentions)
			}
		}
	}
}
