package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// An identity is what decides the result of a cell besides what the cell says.
// Settings and options may be the recorded JSON of what they are.
type identity struct {
	task, skill          string // base of the task, hash of its skill's files
	options              json.RawMessage
	strategy             string
	settings             any
	templates, tokenizer string            // hash of templates that replace shipped ones
	models               []json.RawMessage // of the model, then of the summarizer, where there are any
	lag, patience        int
}

// of names a cell by its content, so that the same episode has the same name in
// every run, shard and machine. The id that c has plays no part.
func (i identity) of(c record.Cell) string {
	c.ID = ""
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	_ = enc.Encode(c) // a hash takes every write
	_ = enc.Encode([]any{journal.Version, i.task, i.skill, i.options, i.strategy, i.settings, i.templates, i.tokenizer})
	for _, m := range i.models {
		_ = enc.Encode(m)
	}
	if c.Drift != "" {
		_ = enc.Encode([]int{i.lag, i.patience})
	}
	parts := []string{safe(c.Task), safe(c.Agent), fmt.Sprintf("T%d", c.Horizon), fmt.Sprintf("s%d", c.Seed)}
	return strings.Join(append(parts, hex.EncodeToString(sum.Sum(nil)[:5])), "-")
}

func (p *Plan) identity(at point) identity {
	i := identity{task: at.variant.Task.Name, skill: at.variant.Skill.Hash, options: at.variant.Options,
		strategy: at.column.Strategy.Name, settings: at.column.Settings, templates: p.Templates.Own, tokenizer: p.Encoding.Name(),
		lag: p.Experiment.Lag, patience: p.Experiment.Patience}
	if at.model != nil {
		i.models = append(i.models, at.model.Identity)
	}
	if p.Summarizer != nil {
		i.models = append(i.models, p.Summarizer.Identity)
	}
	return i
}

// named reports where a manifest says other things of a cell than the cell's name.
func named(m journal.Manifest, c record.Cell) error {
	task, agent, model := defined(m.Tasks, c.Task), defined(m.Agents, c.Agent), defined(m.Models, c.Model)
	switch {
	case task == nil:
		return fmt.Errorf("the manifest defines no task %.100q", c.Task)
	case agent == nil:
		return fmt.Errorf("the manifest defines no agent %.100q", c.Agent)
	case c.ModelKind != record.NoModel && (model == nil || model.Base != c.ModelKind):
		return fmt.Errorf("the manifest defines no %.20s model %.100q", c.ModelKind, c.Model)
	}
	i := identity{task: task.Base, skill: task.Hash, options: task.Keys, strategy: agent.Base, settings: agent.Keys,
		templates: m.Own, tokenizer: m.Tokenizer, lag: m.Lag, patience: m.Patience}
	if c.ModelKind != record.NoModel {
		i.models = append(i.models, model.Keys)
	}
	if _, keys := summarizer(m); keys != nil {
		i.models = append(i.models, keys)
	}
	if want := i.of(c); want != c.ID {
		return errors.New("the manifest was changed: its task, agent, model, horizon, seed and settings make it " + want)
	}
	return nil
}

// summarizer parts what a manifest says of one into its name and what shapes its
// replies, which is nil where there is none.
func summarizer(m journal.Manifest) (name string, keys json.RawMessage) {
	for at := range m.Summarizer {
		if keys := m.Summarizer[at:]; strings.HasPrefix(keys, identified) && json.Valid([]byte(keys)) {
			return m.Summarizer[:at], json.RawMessage(keys[1:])
		}
	}
	return m.Summarizer, nil
}

func defined(list []journal.Definition, name string) *journal.Definition {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}
