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
}

// Again rebuilds the plan of a run from its manifest.
func (k Kit) Again(m journal.Manifest) (Again, error) {
	a := Again{Why: map[string]error{}, Plan: &Plan{whole: map[string]point{}}}
	a.Plan.Experiment = Experiment{Name: m.Name, Lag: m.Lag, Patience: m.Patience}
	var err error
	if a.Plan.Encoding, err = tokens.Load(m.Tokenizer); err != nil {
		return a, err
	}
	if a.Plan.Templates, err = k.templates(""); err != nil {
		return a, err
	}
	points := recalled{kit: k, manifest: m, tasks: map[string]journal.Definition{}, agents: map[string]journal.Definition{}}
	for _, d := range m.Tasks {
		points.tasks[d.Name] = d
	}
	for _, d := range m.Agents {
		points.agents[d.Name] = d
	}
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
	a := Again{Plan: p, Why: map[string]error{}}
	for _, c := range m.Cells {
		if _, ok := p.whole[c.ID]; !ok {
			a.Why[c.ID] = errors.New("the experiment file has no such cell")
		}
	}
	return a
}

// recalled finds what the names of a manifest stand for.
type recalled struct {
	kit           Kit
	manifest      journal.Manifest
	tasks, agents map[string]journal.Definition
}

func (r recalled) of(c record.Cell) (at point, err error) {
	if at.variant, err = r.variant(c.Task); err != nil {
		return at, err
	}
	if at.column, err = r.column(c.Agent); err != nil {
		return at, err
	}
	if !at.column.Strategy.Player {
		at.model = &Model{Name: c.Model, Kind: c.ModelKind}
	}
	return at, nil
}

func (r recalled) variant(name string) (Variant, error) {
	d := r.tasks[name]
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
	d := r.agents[name]
	for _, s := range r.kit.Strategies {
		if s.Name != d.Base {
			continue
		}
		c := Column{Name: name, Strategy: s}
		if err := same(d.Keys, &c.Settings); err != nil {
			return c, fmt.Errorf("agent %.100q: its settings are not those of this program: %w", name, err)
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
// replies, Σ, what the world did and what was right. An error names the first
// line of the journal that differs.
func (a Again) Play(c record.Cell, r *journal.Reader) error {
	e, err := a.Plan.Episode(c, func(*Model, Task) (model.Model, error) { return nil, nil })
	if err != nil {
		return err
	}
	log, err := journal.OpenAgain(r)
	if err != nil {
		return err
	}
	stopped := make(chan struct{})
	close(stopped)
	e.Stop = stopped
	if _, err := e.Run(context.Background(), log); err != nil {
		return err
	}
	return log.Left()
}
