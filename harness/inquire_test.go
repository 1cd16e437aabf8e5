package harness_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// scorer answers as an endpoint that knows n-grams would.
var scorer = answers(func(_ context.Context, r model.Request) (record.Reply, error) {
	prompt := len(r.Prompt.Text()) / 4
	return record.Reply{Text: ngrams.Judge(r.Prompt).String(), Finish: record.Stop, Served: "scorer", Usage: &record.Usage{Prompt: &prompt, Completion: new(1)}}, nil
})

// withScorer is a kit whose model files all describe an endpoint that m answers
// for. The file's name is the model's.
func withScorer(m model.Model) harness.Kit {
	k := kit()
	k.Endpoint = func(path string) (harness.Model, error) {
		if !strings.HasSuffix(path, ".yaml") {
			return harness.Model{}, errors.New(path + ": no such file")
		}
		identity := json.RawMessage(`{"body":{"model":"` + path + `"}}`)
		return harness.Model{Name: strings.TrimSuffix(path, ".yaml"), Kind: record.Real, Identity: identity,
			Open: func(harness.Task) (model.Model, error) { return m, nil }}, nil
	}
	return k
}

// asking is a cell whose strategy asks an informer.
func asking(t testing.TB, horizon int, m model.Model) (*harness.Plan, record.Cell) {
	return one(t, withScorer(m), "{base: llmlingua, informer: scorer.yaml}", horizon)
}

// opened opens the models that a plan names; acting ones go through l.
func opened(l *listener) func(*harness.Model, harness.Task) (model.Model, error) {
	return func(m *harness.Model, t harness.Task) (model.Model, error) {
		inner, err := m.Open(t)
		if m.Kind == record.Real {
			return inner, err
		}
		l.inner = inner
		return l, err
	}
}

// TestEveryFinishedTurnIsJudgedOnce: by one call each, recorded like any other,
// with nothing that was written.
func TestEveryFinishedTurnIsJudgedOnce(t *testing.T) {
	t.Parallel()
	const horizon = 12
	asked := &listener{inner: scorer}
	p, c := asking(t, horizon, asked)
	dir := t.TempDir()
	l := &listener{}
	if end := play(t, episode(t, p, c, opened(l)), dir); end.Status != record.Done {
		t.Fatal(end)
	}
	if len(asked.requests) != horizon {
		t.Errorf("%d calls for scores, want one to try the informer and one for each turn but the last", len(asked.requests))
	}
	for _, r := range l.requests {
		if r.Form == model.Scores {
			t.Errorf("the acting model was asked for scores at step %d", r.Step)
		}
	}
	n := 0
	for _, e := range events(t, dir) {
		if e.Call == nil || e.Call.Purpose != record.ForScores {
			continue
		}
		if e.Call.Step != n || e.Call.Attempt != 0 || e.Call.Completion != 0 || e.Call.Served != "scorer" || *e.Call.Usage.Completion != 1 {
			t.Errorf("%+v", e.Call)
		}
		n++
	}
	if n != horizon {
		t.Errorf("%d calls for scores recorded", n)
	}
	verified(t, dir)
	first, last := asked.requests[1].Prompt.Chars(), asked.requests[horizon-1].Prompt.Chars()
	if last > 2*first {
		t.Errorf("calls grow from %d characters to %d", first, last)
	}
}

// verified measures a journal again.
func verified(t *testing.T, dir string) {
	t.Helper()
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	v := harness.NewVerifier(r, encoding)
	err = r.Each(func(e journal.Event) error {
		if e.Call == nil {
			return nil
		}
		return v.Call(*e.Call)
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTheInformerIsPartOfACell: of its name, and of what the manifest says.
func TestTheInformerIsPartOfACell(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, agent := range []string{"llmlingua", "{base: llmlingua, informer: ngrams}", "{base: llmlingua, informer: one.yaml}", "{base: llmlingua, informer: two.yaml}"} {
		p, c := one(t, withScorer(scorer), agent, 3)
		m, err := p.Manifest(journal.Made{})
		if err != nil {
			t.Fatal(err)
		}
		var s harness.Settings
		if err := json.Unmarshal(m.Agents[0].Keys, &s); err != nil {
			t.Fatal(err)
		}
		seen[c.ID] = s.Informer.Title()
		if want := 1; len(p.Callees()) != want+strings.Count(agent, ".yaml") {
			t.Errorf("%s: %d callees", agent, len(p.Callees()))
		}
		if m := p.Callee(c, record.ForScores); strings.Contains(agent, ".yaml") != (m.Kind == record.Real) {
			t.Errorf("%s: scores come from %s", agent, m.Name)
		}
		if m := p.Callee(c, record.ForStep); m.Kind != record.Simulated {
			t.Errorf("%s: replies come from %s", agent, m.Name)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d cells, want three: %v", len(seen), seen)
	}
	for _, name := range []string{ngrams.Name, "one", "two"} {
		found := false
		for _, got := range seen {
			found = found || got == name
		}
		if !found {
			t.Errorf("no cell names %q: %v", name, seen)
		}
	}
}

func TestInformersThatAreNone(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"{base: llmlingua, informer: sim:perfect}": "x.yaml:4: informer: want ngrams or a model file, got \"sim:perfect\"; simulated models know no probabilities",
		"{base: llmlingua, informer: ngram}":       "x.yaml:4: informer: want ngrams or a model file: ngram: no such file",
		"{base: react, informer: scorer.yaml}":     "informer: the key does nothing here",
	} {
		x, node, err := harness.ParseExperiment("x.yaml", []byte("name: x\ntasks: [warehouse]\nmodels: [sim:perfect]\nagents: ["+entry+"]\nhorizons: 3\nseeds: 1\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = withScorer(scorer).Plan(x, node); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", entry, err, want)
		}
	}
}

// alike are scores of the text that informers are tried with, the same for every
// byte.
func alike(logProb float64) string {
	_, text := model.Judged(harness.Familiar())
	scores := make(record.Scores, len(text))
	for i := range scores {
		scores[i] = record.NewScore(1, logProb)
	}
	return scores.String()
}

// shifted are such scores of a server that is one token off: repetition makes
// nothing likelier.
func shifted() string {
	_, text := model.Judged(harness.Familiar())
	var scores record.Scores
	for i := range strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n") {
		scores = append(scores, record.NewScore(len(text)/4, -8.5-float64(i)/5))
	}
	return scores.String()
}

// TestInformersThatFail: the cell ends with a reason and with how to mend it, and
// nothing takes the endpoint's place.
func TestInformersThatFail(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reply  record.Reply
		err    error
		status record.Status
		why    string
	}{
		"prose":      {record.Reply{Text: "Hello.", Usage: &record.Usage{Prompt: new(7)}}, nil, "failed:deterministic", "informer: the reply holds no scores of the text"},
		"overflow":   {record.Reply{Finish: record.Overflow}, nil, "failed:deterministic", "informer: the reply holds no scores"},
		"of another": {record.Reply{Text: `{"bytes":[1],"logprobs":[-1]}`}, nil, "failed:deterministic", "bytes of the text have no scores; want a model whose endpoint answers echo with logprobs at /v1/completions, or informer: ngrams"},
		"refused":    {record.Reply{}, &model.Error{Class: model.Deterministic, Status: 404, Message: "no such address"}, "failed:deterministic", "informer: HTTP 404: no such address; want a model"},
		"transient":  {record.Reply{}, &model.Error{Class: model.Transient, Status: 503, Message: "6 attempts", Failed: make([]record.Failure, 6)}, "failed:transient", "informer: HTTP 503: 6 attempts"},
		"shifted":    {record.Reply{Text: shifted()}, nil, "failed:deterministic", "informer: a line tells 12 bits at first sight and 13 when it is read for the fourth time, so the log-probabilities are not those of its tokens; want a model"},
		"all alike":  {record.Reply{Text: alike(-1)}, nil, "failed:deterministic", "informer: a line tells 55 bits at first sight and 55 when"},
		"all sure":   {record.Reply{Text: alike(0)}, nil, "failed:deterministic", "informer: a line tells 0 bits at first sight and 0 when"},
		"limit":      {record.Reply{}, &model.Error{Class: "limit:calls", Message: "the run has used 3 calls of 3", Measured: "3"}, "limit:calls", "the run has used 3 calls of 3"},
		"replay":     {record.Reply{}, &model.Error{Class: model.Replay, Message: "nothing recorded"}, "failed:replay", "informer: nothing recorded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, c := asking(t, 5, answers(func(context.Context, model.Request) (record.Reply, error) { return tc.reply, tc.err }))
			dir := t.TempDir()
			end := play(t, episode(t, p, c, opened(&listener{})), dir)
			if paid := []record.Failure{{Class: model.Deterministic, Usage: tc.reply.Usage}}; tc.err == nil && !cmp.Equal(end.Failed, paid) {
				t.Errorf("a reply that was sent is on record as %+v", end.Failed)
			}
			if end.Status != tc.status || !strings.Contains(end.Why, tc.why) || strings.Contains(end.Why, "\n") {
				t.Errorf("%+v, want %s: %s", end, tc.status, tc.why)
			}
			for _, e := range events(t, dir) {
				if e.Call != nil {
					t.Errorf("recorded, though the informer comes first: %+v", e.Call)
				}
			}
			// Once the endpoint answers, the same journal goes on.
			p, c = asking(t, 5, scorer)
			if end := play(t, episode(t, p, c, opened(&listener{})), dir); end.Status != record.Done {
				t.Errorf("%+v", end)
			}
		})
	}
}
