package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// Again is the plan of a run as its manifest tells it, to play its episodes
// again. Cells of it are those whose task, skill, strategy and templates this
// program has; Why says of each other cell what is missing.
type Again struct {
	Plan *Plan
	Why  map[string]error // by cell id

	manifest journal.Manifest
}

// Again rebuilds the plan of a run from its manifest.
func (k Kit) Again(m journal.Manifest) (Again, error) {
	a := Again{Why: map[string]error{}, Plan: &Plan{whole: map[string]point{}}, manifest: m}
	a.Plan.Experiment = Experiment{Name: m.Name, Lag: m.Lag, Patience: m.Patience}
	var err error
	if a.Plan.Encoding, err = tokens.Load(m.Tokenizer); err != nil {
		return a, err
	}
	if a.Plan.Templates, err = k.templates(""); err != nil {
		return a, err
	}
	if name, keys := summarizer(m); keys != nil {
		summarizes := recall(journal.Definition{Name: name, Base: record.Simulated, Keys: keys})
		a.Plan.Summarizer = &summarizes
	}
	points := recalled{kit: k, manifest: m}
	for _, c := range m.Cells {
		at, err := points.of(c)
		if err == nil && a.Plan.Templates.Hash != m.Templates {
			err = errors.New("its templates are not those of this program")
		}
		if err != nil {
			a.Why[c.ID] = err
			continue
		}
		a.Plan.Cells = append(a.Plan.Cells, c)
		a.Plan.whole[c.ID] = at
	}
	return a, nil
}

// Again is the plan for playing the cells of a run again that are in it.
func (p *Plan) Again(m journal.Manifest) Again {
	if m.Own == "" && m.Templates == p.Templates.Hash {
		m.Own = p.Templates.Own // journals of before do not tell
	}
	a := Again{Plan: p, Why: map[string]error{}, manifest: m}
	for _, c := range m.Cells {
		if _, ok := p.whole[c.ID]; !ok {
			a.Why[c.ID] = errors.New("the experiment file has no such cell")
		}
	}
	return a
}

// Named is an error where the manifest says other things of a cell than its name,
// which follows from all that decides its result.
func (a Again) Named(c record.Cell) error {
	if a.manifest.Own == "" && a.manifest.Templates != a.Plan.Templates.Hash {
		// These may be of the user's own, of which a manifest of before says too
		// little. The cell is not played again, and Why says so.
		return nil
	}
	return named(a.manifest, c)
}

// Play plays a recorded episode again, with the recorded replies in the place of
// a model, and compares every event: prompts and their counts, judgements on
// replies, Σ, what the world did and what was right. Simulated models, which are
// part of the program, are asked again and have to say what is recorded. An error
// names the first line of the journal that differs.
func (a Again) Play(c record.Cell, r *journal.Reader) error {
	e, err := a.Plan.Episode(c, reopen)
	if err != nil {
		return err
	}
	log, err := journal.OpenAgain(r)
	if err != nil {
		return err
	}
	stopped := make(chan struct{})
	close(stopped)
	e.Stop, e.again = stopped, true
	if _, err := e.Run(context.Background(), log); err != nil {
		return err
	}
	return log.Left()
}

// silent stands for a model that is not asked again.
type silent struct{ model.Model }

// reopen opens a model for playing again.
func reopen(m *Model, t Task) (model.Model, error) {
	if m.Kind == record.Simulated {
		return m.Open(t)
	}
	return silent{}, nil
}

// repeat asks a simulated model again what it has been asked, and is an error
// where it says something else.
func repeat(ctx context.Context, m model.Model, r model.Request, recorded record.Reply) error {
	if s, ok := m.(scoring); ok {
		m = s.Model
	}
	if _, ok := m.(silent); ok {
		return nil
	}
	reply, err := m.Generate(ctx, r)
	if err != nil {
		return err
	}
	said, err := json.Marshal(reply.Clean())
	if err != nil {
		return err
	}
	if stands, err := json.Marshal(recorded); err != nil || !bytes.Equal(said, stands) {
		return fmt.Errorf("the simulated model replies otherwise:\nrecorded %.300s\nreplied %.300s", stands, said)
	}
	return nil
}
