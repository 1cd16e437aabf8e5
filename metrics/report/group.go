package report

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics/money"
	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

// data is all that the sections are made from.
type data struct {
	manifest journal.Manifest
	dir      string
	cells    []*cell // in the order of the manifest
	groups   []*group
	till     *till
	routing  *routing.Result // nil where no cell has anything on it
}

// condition is what the cells of one table have in common. Two models are two
// conditions, so simulated and real results never share a table. The model is
// "" for floors.
type condition struct {
	task, drift, model string
	world              record.World
	noise              int
}

// A group is the cells of one condition. Floors, which no model plays, stand in
// every group of their task, world, noise and drift.
type group struct {
	condition
	kind     string   // of the model
	base     string   // name of the task behind the label
	agents   []string // in the order of the manifest
	horizons []int    // rising
	cells    []*cell
	series   map[string]*series // of the largest horizon, by agent
	title    string             // what tells this group from the others
	slug     string             // the same, for file names; "" where there is one group
	alone    bool               // there is no other group
}

// gather reads a run directory.
func gather(dir string) (*data, error) {
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	d := &data{manifest: m, dir: dir}
	if d.till, err = newTill(m.Tokenizer, money.Shipped()); err != nil {
		return nil, err
	}
	for _, c := range m.Cells {
		d.group(c)
	}
	d.name()
	byCell, book := map[string]*cell{}, routing.NewBook()
	for _, c := range m.Cells {
		var s *series
		if g := d.find(c); g != nil && c.Horizon == g.largest() && c.ModelKind != record.NoModel {
			if s = g.series[c.Agent]; s == nil {
				s = &series{parts: map[prompt.Kind][]float64{}}
				g.series[c.Agent] = s
			}
		}
		one, err := measure(c, dir, s, d.till)
		if err != nil {
			one = unread(c, dir, err)
		}
		book.Add(c, one.routing)
		one.routing = nil
		d.cells = append(d.cells, one)
		byCell[c.ID] = one
	}
	kinds := d.kinds()
	d.routing = book.Result(m, kinds)
	for _, g := range d.groups {
		g.kind = kinds[g.model]
		for _, c := range m.Cells {
			if g.holds(c) {
				g.cells = append(g.cells, byCell[c.ID])
			}
		}
	}
	return d, nil
}

// kinds of the models by name. An endpoint that said once that it is simulated
// makes all cells of its model so, also those that got no reply.
func (d *data) kinds() map[string]string {
	kinds := map[string]string{}
	for _, c := range d.cells {
		if kinds[c.Cell.Model] != record.Simulated {
			kinds[c.Cell.Model] = c.Cell.ModelKind
		}
	}
	return kinds
}

func notBegun(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func conditionOf(c record.Cell) condition {
	return condition{task: c.Task, drift: c.Drift, model: c.Model, world: c.World, noise: c.Noise}
}

func (d *data) find(c record.Cell) *group {
	for _, g := range d.groups {
		if g.condition == conditionOf(c) {
			return g
		}
	}
	return nil
}

// group makes the groups that hold a cell know its horizon and agent.
func (d *data) group(c record.Cell) {
	if d.find(c) == nil && (c.ModelKind != record.NoModel || !d.hasModels()) {
		g := &group{condition: conditionOf(c), kind: c.ModelKind, base: c.Task, series: map[string]*series{}}
		for _, t := range d.manifest.Tasks {
			if t.Name == c.Task {
				g.base = t.Base
			}
		}
		d.groups = append(d.groups, g)
		for _, earlier := range d.manifest.Cells {
			if g.holds(earlier) {
				g.extend(earlier)
			}
		}
	}
}

// ofSkills reports whether the task of the group routes to skills, or runs them.
func (g *group) ofSkills() bool {
	return slices.ContainsFunc(g.cells, func(c *cell) bool { return c.skills })
}

// hasModels reports whether any cell is played by a model.
func (d *data) hasModels() bool {
	return slices.ContainsFunc(d.manifest.Cells, func(c record.Cell) bool { return c.ModelKind != record.NoModel })
}

func (g *group) holds(c record.Cell) bool {
	of := conditionOf(c)
	if c.ModelKind == record.NoModel {
		of.model = g.model
	}
	return of == g.condition
}

func (g *group) extend(c record.Cell) {
	if !slices.Contains(g.agents, c.Agent) {
		g.agents = append(g.agents, c.Agent)
	}
	if i, found := slices.BinarySearch(g.horizons, c.Horizon); !found {
		g.horizons = slices.Insert(g.horizons, i, c.Horizon)
	}
}

func (g *group) largest() int { return g.horizons[len(g.horizons)-1] }

// plainly reports whether the condition is that of the published scaling
// tables.
func (g *group) plainly() bool { return g.world == record.Closed && g.drift == "" }

// at returns the cells of one strategy at one horizon.
func (g *group) at(horizon int, agent string) []*cell {
	var out []*cell
	for _, c := range g.cells {
		if c.Cell.Horizon == horizon && c.Cell.Agent == agent {
			out = append(out, c)
		}
	}
	return out
}

// over returns all cells of one strategy.
func (g *group) over(agent string) []*cell {
	var out []*cell
	for _, c := range g.cells {
		if c.Cell.Agent == agent {
			out = append(out, c)
		}
	}
	return out
}

// finished keeps the cells that have a result.
func finished(cells []*cell) []*cell {
	var out []*cell
	for _, c := range cells {
		if c.Status.Final() {
			out = append(out, c)
		}
	}
	return out
}

// summarize describes a quantity over the finished cells, clustered by seed.
func summarize(cells []*cell, of func(*cell) stats.Value) stats.Summary {
	var samples []stats.Sample
	for _, c := range finished(cells) {
		if v := of(c); v.OK {
			samples = append(samples, stats.Sample{Cluster: seedOf(c), Value: v.V})
		}
	}
	return stats.Summarize(samples, 0)
}

func seedOf(c *cell) string { return fmt.Sprint(c.Cell.Seed) }

// name gives every group a title and a slug from what the groups differ in.
func (d *data) name() {
	taken := map[string]bool{}
	for _, g := range d.groups {
		g.alone = len(d.groups) == 1
		words := []string{plain(g.task)}
		var varying []string
		add := func(word, short string, differs func(*group) bool) {
			words = append(words, word)
			if slices.ContainsFunc(d.groups, differs) {
				varying = append(varying, short)
			}
		}
		if slices.ContainsFunc(d.groups, func(o *group) bool { return o.task != g.task }) {
			varying = append(varying, g.task)
		}
		add(string(g.world)+" world", string(g.world), func(o *group) bool { return o.world != g.world })
		add(noiseWords(g.noise), fmt.Sprintf("noise%d", g.noise), func(o *group) bool { return o.noise != g.noise })
		add(driftWords(g.drift), driftWords(g.drift), func(o *group) bool { return o.drift != g.drift })
		if g.model != "" {
			add(plain(g.model), g.model, func(o *group) bool { return o.model != g.model })
		}
		g.title = strings.Join(words, ", ")
		g.slug = slug(varying)
		for n := 2; taken[g.slug]; n++ {
			g.slug = fmt.Sprintf("%s_%d", slug(varying), n)
		}
		taken[g.slug] = true
	}
}

func noiseWords(n int) string {
	if n == 0 {
		return "no noise"
	}
	return fmt.Sprintf("%d noise lines per step", n)
}

func driftWords(drift string) string {
	if drift == "" {
		return "no drift"
	}
	return "drift " + plain(drift)
}

// slug makes words fit for a file name.
func slug(words []string) string {
	s := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.Join(words, "_"))
	return s[:min(len(s), 60)]
}

// in ends a caption: it says which condition a table is about, where there are
// several.
func (g *group) in() string {
	if g.alone {
		return ""
	}
	return ": " + g.title
}

// file is the name of a file about this group.
func (g *group) file(name string) string {
	if g.slug == "" {
		return name
	}
	return name + "_" + g.slug
}
