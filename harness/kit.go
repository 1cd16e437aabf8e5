package harness

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"skillbench/harness/config"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
)

// A Kit is everything that an experiment can name.
type Kit struct {
	Tasks      []Task
	Strategies []Strategy
	Files      fs.FS // skills/<name>/ and templates/, as shipped

	// Endpoint opens a real model described by a file. It is an argument so
	// that the harness knows no provider.
	Endpoint func(path string) (Model, error)
}

// Validate names the first entry of a kit that is doubled or incomplete.
func (k Kit) Validate() error {
	seen := map[string]bool{}
	for _, t := range k.Tasks {
		if t.Name == "" || t.Doc == "" || t.New == nil || t.Grammar == nil || t.Options == nil || t.Random == nil || seen["task "+t.Name] {
			return fmt.Errorf("task %q: it is doubled, or lacks Doc, Options, New, Grammar or Random", t.Name)
		}
		seen["task "+t.Name] = true
	}
	for _, s := range k.Strategies {
		if s.Name == "" || s.Doc == "" || s.New == nil || seen["agent "+s.Name] {
			return fmt.Errorf("agent %q: it is doubled, or lacks Doc or New", s.Name)
		}
		if err := s.Defaults.Check(); err != nil {
			return fmt.Errorf("agent %q: %w", s.Name, err)
		}
		seen["agent "+s.Name] = true
	}
	return nil
}

// A Variant of a task: the task with a skill and values for its own keys.
type Variant struct {
	Name    string
	Task    Task
	Skill   Skill
	Options json.RawMessage
}

// A Column is a strategy with its settings, under the name that results show.
type Column struct {
	Name     string
	Strategy Strategy
	Settings Settings
	Informer *Model // that Settings.Informer names; nil where none is asked
}

// A Model is a model under the name that results show.
type Model struct {
	Name     string
	Kind     string          // record.Simulated or record.Real
	Identity json.RawMessage // everything that shapes its replies; never a key
	Open     func(Task) (model.Model, error)
}

// variant resolves an entry of `tasks`.
func (k Kit) variant(n config.Node) (Variant, error) {
	entry := struct {
		Name    string       `yaml:"name"`
		Task    string       `yaml:"task"`
		Skill   string       `yaml:"skill"`
		Options *config.Node `yaml:"options"`
	}{}
	if name, ok := n.Scalar(); ok {
		entry.Name = name
	} else if err := n.Decode(&entry); err != nil {
		return Variant{}, err
	}
	if entry.Task == "" {
		entry.Task = entry.Name
	}
	if entry.Name == "" {
		entry.Name = entry.Task
	}
	v := Variant{Name: entry.Name}
	var names []string
	for _, t := range k.Tasks {
		if names = append(names, t.Name); t.Name == entry.Task {
			v.Task = t
		}
	}
	if v.Task.Name == "" {
		return v, n.Errorf("tasks: want one of %q, got %q", names, entry.Task)
	}
	options := v.Task.Options()
	if entry.Options != nil {
		if err := entry.Options.Decode(options); err != nil {
			return v, err
		}
		if err := options.Validate(); err != nil {
			return v, entry.Options.At(err)
		}
	}
	var err error
	if v.Options, err = json.Marshal(options); err != nil {
		return v, n.Errorf("options: %s", err)
	}
	if v.Skill, err = k.skill(v.Task, entry.Skill, options); err != nil {
		return v, n.At(err)
	}
	return v, nil
}

// skill loads the folder that the experiment names, or else the one shipped
// with the task. What the options name is part of its hash. Errors begin with the
// key of an entry of `tasks`, skill or options.
func (k Kit) skill(t Task, dir string, o Options) (Skill, error) {
	s, err := k.folder(t, dir, o)
	if err != nil {
		return s, fmt.Errorf("skill: %w", err)
	}
	if named, ok := o.(Digester); ok {
		digest, err := named.Digest()
		if err != nil {
			return s, fmt.Errorf("options: %w", err)
		}
		s.Hash += "-" + digest
	}
	return s, nil
}

func (k Kit) folder(t Task, dir string, o Options) (Skill, error) {
	if dir != "" {
		return LoadSkill(os.DirFS(dir), ".", filepath.ToSlash(dir))
	}
	name := t.Skill
	if named, ok := o.(interface{ Skill() string }); ok {
		name = named.Skill()
	}
	if t.Files != nil {
		return LoadSkill(t.Files, "skills/"+name, t.Name+"/skills/"+name)
	}
	return LoadSkill(k.Files, "skills/"+name, "configs/skills/"+name)
}

// column resolves an entry of `agents`.
func (k Kit) column(n config.Node) (Column, error) {
	base, name := "", ""
	if text, ok := n.Scalar(); ok {
		base, name = text, text
	} else {
		for key, to := range map[string]*string{"base": &base, "name": &name} {
			if m, ok := n.Member(key); ok {
				*to, _ = m.Scalar()
			}
		}
	}
	if base == "" {
		base = name
	}
	if name == "" {
		name = base
	}
	c := Column{Name: name}
	var names []string
	for _, s := range k.Strategies {
		if names = append(names, s.Name); s.Name == base {
			c.Strategy = s
		}
	}
	if c.Strategy.Name == "" {
		return c, n.Errorf("agents: want one of %q, got %q", names, base)
	}
	entry := struct {
		Name     string `yaml:"name"`
		Base     string `yaml:"base"`
		Settings `yaml:",inline"`
	}{Settings: c.Strategy.Defaults}
	if _, ok := n.Scalar(); !ok {
		if _, ok := n.Member("budget"); ok {
			entry.Budget = Budget{} // one in tokens replaces the default in characters
		}
		if err := n.Decode(&entry); err != nil {
			return c, err
		}
		given := func(key string) bool { _, ok := n.Member(key); return ok }
		if err := c.Strategy.Defaults.effectless(base, given); err != nil {
			return c, n.At(err)
		}
	}
	c.Settings = entry.Settings
	err := n.At(c.Settings.Check())
	if err == nil {
		err = k.informer(&c, n)
	}
	return c, err
}

// informer resolves the key of that name where it names a model file.
func (k Kit) informer(c *Column, n config.Node) error {
	path := c.Settings.Informer
	if !path.asked() {
		return nil
	}
	at, _ := n.Member("informer")
	if k.Endpoint == nil || strings.HasPrefix(string(path), simulatedPrefix) {
		return at.Errorf("informer: want %s or a model file, got %q; simulated models know no probabilities", NGrams, path)
	}
	m, err := k.Endpoint(string(path))
	if err == nil {
		err = labels("name", []string{m.Name})
	}
	if err != nil {
		return at.Errorf("informer: want %s or a model file: %s", NGrams, err)
	}
	c.Informer, c.Settings.Informer = &m, informer(m)
	return nil
}

// simulated are the short names of the simulated models.
const simulatedPrefix = "sim:"

// model resolves an entry of `models`: sim:<mechanism>, a model file, or keys.
func (k Kit) model(n config.Node) (Model, error) {
	if text, ok := n.Scalar(); ok {
		if len(text) > len(simulatedPrefix) && text[:len(simulatedPrefix)] == simulatedPrefix {
			return k.simulated(n, text, sim.Config{Mechanism: text[len(simulatedPrefix):]})
		}
		if k.Endpoint == nil {
			return Model{}, n.Errorf("models: want sim:<name>, got %q", text)
		}
		m, err := k.Endpoint(text)
		if err != nil {
			return m, n.Errorf("models: %s", err)
		}
		return m, nil
	}
	entry := struct {
		Name       string `yaml:"name"`
		sim.Config `yaml:",inline"`
	}{}
	if err := n.Decode(&entry); err != nil {
		return Model{}, err
	}
	if entry.Name == "" {
		entry.Name = simulatedPrefix + entry.Mechanism
	}
	return k.simulated(n, entry.Name, entry.Config)
}

func (k Kit) simulated(n config.Node, name string, c sim.Config) (Model, error) {
	m, err := simulated(name, c)
	return m, n.At(err)
}

// simulated is a model that is part of the program. Errors begin with the key.
func simulated(name string, c sim.Config) (Model, error) {
	if err := c.Check(); err != nil {
		return Model{}, err
	}
	identity, err := json.Marshal(c.Complete())
	if err != nil {
		return Model{}, fmt.Errorf("models: %w", err)
	}
	return Model{Name: name, Kind: record.Simulated, Identity: identity, Open: func(t Task) (model.Model, error) {
		if err := c.Plays(t.Language); err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		return sim.New(c, t.Language), nil
	}}, nil
}
