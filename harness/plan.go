package harness

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"

	"skillbench/harness/config"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// A Plan is an experiment with everything resolved that its names stand for.
type Plan struct {
	Experiment Experiment
	Variants   []Variant
	Columns    []Column
	Models     []Model
	Summarizer *Model
	Templates  Templates
	Encoding   *tokens.Encoding
	Cells      []record.Cell
	Shard      *journal.Shard // which part of a plan the cells are; nil: all
	whole      map[string]point
}

// A point of the grid is what a cell's names stand for.
type point struct {
	variant Variant
	column  Column
	model   *Model // nil for players
}

// Plan resolves an experiment. The node is the file that it came from; errors
// point into it.
func (k Kit) Plan(x Experiment, n config.Node) (*Plan, error) {
	p := &Plan{Experiment: x, whole: map[string]point{}}
	var err error
	if p.Encoding, err = tokens.Load(x.Tokenizer); err != nil {
		return nil, n.At(fmt.Errorf("tokenizer: %w", err))
	}
	if p.Templates, err = k.templates(x.Templates); err != nil {
		return nil, n.At(fmt.Errorf("templates: %w", err))
	}
	if p.Variants, err = resolve(x.Tasks, k.variant); err != nil {
		return nil, err
	}
	if p.Columns, err = resolve(x.Agents, k.column); err != nil {
		return nil, err
	}
	if p.Models, err = resolve(x.Models, k.model); err != nil {
		return nil, err
	}
	if err := p.checkModels(); err != nil {
		return nil, n.At(err)
	}
	if x.Summarizer != nil {
		m, err := k.model(*x.Summarizer)
		if err != nil {
			return nil, err
		}
		p.Summarizer = &m
	}
	if err := p.checkNames(n); err != nil {
		return nil, err
	}
	for _, v := range p.Variants {
		for _, d := range x.Drifts {
			if d != "none" && !contains(v.Task.Drifts, d) {
				return nil, n.At(fmt.Errorf("drifts: task %s knows %q, got %q", v.Name, append([]string{"none"}, v.Task.Drifts...), d))
			}
		}
	}
	if err := p.tryStrategies(); err != nil {
		return nil, err
	}
	if err := p.tryTasks(n); err != nil {
		return nil, err
	}
	p.grid()
	return p, nil
}

// tryStrategies builds each strategy once for each task, so that settings that
// contradict each other are named before anything runs.
func (p *Plan) tryStrategies() error {
	for i, c := range p.Columns {
		for _, v := range p.Variants {
			first := record.Cell{Horizon: p.Experiment.Horizons[0], Seed: p.Experiment.Seeds[0], Noise: p.Experiment.Noise[0], Drift: driftOf(p.Experiment.Drifts[0])}
			setup := Setup{Skill: v.Skill, Settings: c.Settings, Templates: p.Templates, Encoding: p.Encoding, Task: v.Task, Spec: p.spec(v, first)}
			if _, err := c.Strategy.New(setup); err != nil {
				return p.Experiment.Agents[i].At(err)
			}
		}
	}
	return nil
}

// triedSeeds bounds how many scripts of a kind are tried.
const triedSeeds = 20

// tryTasks begins episodes of each task, horizon and drift, for the same reason.
func (p *Plan) tryTasks(n config.Node) error {
	x := p.Experiment
	for _, v := range p.Variants {
		for _, horizon := range x.Horizons {
			for _, drift := range x.Drifts {
				for _, seed := range x.Seeds[:min(triedSeeds, len(x.Seeds))] {
					c := record.Cell{Horizon: horizon, Drift: driftOf(drift), Seed: seed, Noise: x.Noise[0]}
					if _, err := v.Task.New(p.spec(v, c)); err != nil {
						return n.At(fmt.Errorf("horizons: task %s at T=%d, seed %d, drift %s: %w", v.Name, horizon, seed, drift, err))
					}
				}
			}
		}
	}
	return nil
}

func driftOf(scenario string) string {
	if scenario == "none" {
		return ""
	}
	return scenario
}

func (p *Plan) spec(v Variant, c record.Cell) Spec {
	return Spec{Horizon: c.Horizon, Seed: c.Seed, Noise: c.Noise, Drift: c.Drift, Lag: p.Experiment.Lag, Patience: p.Experiment.Patience, Options: v.Options}
}

func resolve[T any](nodes []config.Node, one func(config.Node) (T, error)) ([]T, error) {
	var list []T
	for _, n := range nodes {
		v, err := one(n)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func (k Kit) templates(dir string) (Templates, error) {
	base, err := fs.Sub(k.Files, "templates")
	if err != nil {
		return Templates{}, err
	}
	if dir == "" {
		return LoadTemplates(base, nil, "configs/templates")
	}
	return LoadTemplates(base, os.DirFS(dir), dir)
}

func (p *Plan) checkNames(n config.Node) error {
	var tasks, agents, models []string
	for _, v := range p.Variants {
		tasks = append(tasks, v.Name)
	}
	for _, c := range p.Columns {
		agents = append(agents, c.Name)
	}
	for _, m := range p.Models {
		models = append(models, m.Name)
	}
	return n.At(firstError(
		labels("tasks", tasks), labels("agents", agents), labels("models", models),
		distinct("tasks", tasks), distinct("agents", agents), distinct("models", models)))
}

// checkModels wants a model where a strategy asks one; players ask none.
func (p *Plan) checkModels() error {
	for _, c := range p.Columns {
		if !c.Strategy.Player && len(p.Models) == 0 {
			return fmt.Errorf("models: want at least one, because %s asks a model", c.Name)
		}
	}
	return nil
}

// labels holds names to what tables, files and terminals can show: one printable
// line that no spreadsheet takes for a formula.
func labels(key string, names []string) error {
	for _, name := range names {
		if name == "" || len(name) > 100 || strings.ContainsAny(name[:1], "=+-@") || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fmt.Errorf("%s: want names of 1 to 100 printable characters that do not begin with = + - or @, got %.100q", key, name)
		}
	}
	return nil
}

// grid lists the cells in the order in which results show them.
func (p *Plan) grid() {
	x := p.Experiment
	for _, v := range p.Variants {
		for _, world := range x.Worlds {
			for _, drift := range x.Drifts {
				for _, noise := range x.Noise {
					for _, horizon := range x.Horizons {
						for _, column := range p.Columns {
							for _, m := range p.modelsOf(column) {
								for _, seed := range x.Seeds {
									for repeat := range p.repeatsOf(column) {
										p.add(point{v, column, m}, record.Cell{World: world, Drift: driftOf(drift), Noise: noise, Horizon: horizon, Seed: seed, Repeat: repeat})
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

func (p *Plan) modelsOf(c Column) []*Model {
	if c.Strategy.Player {
		return []*Model{nil}
	}
	models := make([]*Model, len(p.Models))
	for i := range p.Models {
		models[i] = &p.Models[i]
	}
	return models
}

func (p *Plan) repeatsOf(c Column) int {
	if c.Strategy.Player {
		return 1
	}
	return p.Experiment.Repeats
}

func (p *Plan) add(at point, c record.Cell) {
	c.Task, c.Agent, c.ModelKind = at.variant.Name, at.column.Name, record.NoModel
	if at.model != nil {
		c.Model, c.ModelKind = at.model.Name, at.model.Kind
	}
	c.ID = p.identity(at).of(c)
	p.Cells = append(p.Cells, c)
	p.whole[c.ID] = at
}

// safe makes a label fit for a folder name.
func safe(label string) string {
	keep := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}
	return strings.Map(keep, label[:min(len(label), 40)])
}

// Episode gets a cell ready to run. Models are opened by the caller, once.
func (p *Plan) Episode(c record.Cell, open func(*Model, Task) (model.Model, error)) (*Episode, error) {
	at, ok := p.whole[c.ID]
	if !ok {
		return nil, fmt.Errorf("cell %s is not in the plan", c.ID)
	}
	e := &Episode{
		Cell: c, Task: at.variant.Task, Skill: at.variant.Skill, Settings: at.column.Settings, Templates: p.Templates,
		Encoding: p.Encoding, New: at.column.Strategy.New,
		Spec: p.spec(at.variant, c),
	}
	if at.model == nil {
		return e, nil
	}
	var err error
	if e.Model, err = open(at.model, at.variant.Task); err != nil {
		return nil, err
	}
	if p.Summarizer != nil {
		e.Summarizer, err = open(p.Summarizer, at.variant.Task)
	}
	if err == nil && at.column.Informer != nil {
		e.Informer, err = open(at.column.Informer, at.variant.Task)
	}
	return e, err
}

// Callee is the model that answers a cell's calls of a purpose; nil for cells
// that call none.
func (p *Plan) Callee(c record.Cell, purpose record.Purpose) *Model {
	at := p.whole[c.ID]
	switch {
	case purpose == record.ForSummary && p.Summarizer != nil:
		return p.Summarizer
	case purpose == record.ForScores && at.column.Informer != nil:
		return at.column.Informer
	}
	return at.model
}

// Callees are all models that the plan calls.
func (p *Plan) Callees() []Model {
	all := slices.Clone(p.Models)
	if p.Summarizer != nil {
		all = append(all, *p.Summarizer)
	}
	for _, c := range p.Columns {
		if c.Informer != nil {
			all = append(all, *c.Informer)
		}
	}
	return all
}

// Manifest says what the run directory of this plan holds.
func (p *Plan) Manifest(made journal.Made) (journal.Manifest, error) {
	x := p.Experiment
	m := journal.Manifest{
		Version: journal.Version, Name: x.Name, Title: x.Title, Paper: x.Paper, Tokenizer: p.Encoding.Name(),
		Templates: p.Templates.Hash, Own: p.Templates.Own, Lag: x.Lag, Patience: x.Patience, Cells: p.Cells, Shard: p.Shard, Made: made,
	}
	if p.Summarizer != nil {
		m.Summarizer = p.Summarizer.Name + " " + string(p.Summarizer.Identity)
	}
	for _, v := range p.Variants {
		m.Tasks = append(m.Tasks, journal.Definition{Name: v.Name, Base: v.Task.Name, Hash: v.Skill.Hash, Keys: v.Options})
	}
	for _, c := range p.Columns {
		keys, err := json.Marshal(c.Settings)
		if err != nil {
			return m, err
		}
		m.Agents = append(m.Agents, journal.Definition{Name: c.Name, Base: c.Strategy.Name, Keys: keys})
	}
	for _, v := range p.Models {
		m.Models = append(m.Models, journal.Definition{Name: v.Name, Base: v.Kind, Keys: v.Identity})
	}
	return m, nil
}
