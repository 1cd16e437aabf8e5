package harness

import (
	"bytes"
	"encoding/json"
	"fmt"

	"skillbench/harness/journal"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
)

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
