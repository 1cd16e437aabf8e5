package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
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
	err := named(a.manifest, c)
	if unknown := a.manifest.Own == "" && a.manifest.Templates != a.Plan.Templates.Hash; err != nil && unknown && a.Why[c.ID] != nil {
		return nil // templates of the user's own, of which a manifest of before says too little
	}
	return err
}

// recalled finds what the names of a manifest stand for.
type recalled struct {
	kit      Kit
	manifest journal.Manifest
}

func (r recalled) of(c record.Cell) (at point, err error) {
	if at.variant, err = r.variant(c.Task); err != nil {
		return at, err
	}
	if at.column, err = r.column(c.Agent); err != nil {
		return at, err
	}
	if d := defined(r.manifest.Models, c.Model); d != nil && !at.column.Strategy.Player {
		m := recall(*d)
		at.model = &m
	}
	return at, nil
}

// recall is the model of a definition. It can be opened where the program is it:
// of an endpoint there is nothing but what it has said.
func recall(d journal.Definition) Model {
	var c sim.Config
	if d.Base == record.Simulated && same(d.Keys, &c) == nil {
		if m, err := simulated(d.Name, c); err == nil {
			return m
		}
	}
	return Model{Name: d.Name, Kind: record.Real, Identity: d.Keys}
}

func (r recalled) variant(name string) (Variant, error) {
	d := defined(r.manifest.Tasks, name)
	if d == nil {
		return Variant{}, fmt.Errorf("the manifest defines no task %.100q", name)
	}
	for _, t := range r.kit.Tasks {
		if t.Name != d.Base {
			continue
		}
		options := t.Options()
		if err := same(d.Keys, options); err != nil {
			return Variant{}, fmt.Errorf("task %.100q: its options are not those of this program: %w", name, err)
		}
		skill, err := r.kit.skill(t, "", options)
		if err != nil {
			return Variant{}, err
		}
		if skill.Hash != d.Hash {
			return Variant{}, fmt.Errorf("task %.100q: its skill is not the one that this program ships", name)
		}
		return Variant{Name: name, Task: t, Skill: skill, Options: d.Keys}, nil
	}
	return Variant{}, fmt.Errorf("task %.100q: this program has no task %.100q", name, d.Base)
}

func (r recalled) column(name string) (Column, error) {
	d := defined(r.manifest.Agents, name)
	if d == nil {
		return Column{}, fmt.Errorf("the manifest defines no agent %.100q", name)
	}
	for _, s := range r.kit.Strategies {
		if s.Name != d.Base {
			continue
		}
		c := Column{Name: name, Strategy: s}
		if err := same(d.Keys, &c.Settings); err != nil {
			return c, fmt.Errorf("agent %.100q: its settings are not those of this program: %w", name, err)
		}
		if c.Settings.Informer.asked() {
			c.Informer = &Model{Name: c.Settings.Informer.Title(), Kind: record.Real}
		}
		return c, c.Settings.Check()
	}
	return Column{}, fmt.Errorf("agent %.100q: this program has no strategy %.100q", name, d.Base)
}

// same decodes keys into v and reports whether they are all that v has.
func same(keys json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(keys))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	back, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var recorded bytes.Buffer
	if err := json.Compact(&recorded, keys); err != nil {
		return err
	}
	if !bytes.Equal(recorded.Bytes(), back) {
		return fmt.Errorf("recorded %.200s, read as %.200s", recorded.Bytes(), back)
	}
	return nil
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
