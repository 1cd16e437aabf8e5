// Package claims tests what the paper claims, one claim at a time, on the rows
// of a run. A claim is data: which cells, which quantity of them, what it must
// come to, and which kind of model may decide it.
package claims

import (
	"fmt"
	"slices"
	"sync"

	"skillbench/configs"
	"skillbench/harness/config"
	"skillbench/harness/record"
	"skillbench/metrics/paper"
)

// A Claim is one statement of the paper with its test. It holds if the quantity
// is within the bounds in every cell named.
type Claim struct {
	ID      string `yaml:"id"`
	Says    string `yaml:"says"`    // in plain words
	Where   string `yaml:"where"`   // table1 … table11: it is tested by experiments that name the table
	Decides string `yaml:"decides"` // any | real: the models whose results say anything of it

	Audit string `yaml:"audit"` // the finding of the paper's own arithmetic that it is about, instead of cells
	Of    *Ref   `yaml:"of"`
	Over  *Ref   `yaml:"over"` // what cells are set against; keys that are not given are those of `of`
	As    As     `yaml:"as"`   // how; default ratio where there is an over

	AtLeast *float64 `yaml:"at_least"`
	AtMost  *float64 `yaml:"at_most"`
	Near    *Near    `yaml:"near"`
}

// As says how two cells are set against each other.
type As string

const (
	Ratio      As = "ratio"
	Difference As = "difference"
	Exponent   As = "exponent" // b in quantity ~ T^b between two horizons
	P          As = "p"        // exact permutation test over seeds, of the score
)

// A Ref names cells: every combination of its lists.
type Ref struct {
	Measure  string   `yaml:"measure"`
	Task     string   `yaml:"task"`
	Agents   []string `yaml:"agents"`
	Horizons []int    `yaml:"horizons"`
	Noise    []int    `yaml:"noise"`
	Drifts   []string `yaml:"drifts"`
}

// Near is a value with a tolerance: within, or by a share of the value.
type Near struct {
	Published bool     `yaml:"published"` // the figure that the table `where` has for each cell
	Value     *float64 `yaml:"value"`
	Within    float64  `yaml:"within"`
	By        float64  `yaml:"by"`
}

// Measures are the quantities of a cell.
var measures = []string{"score", "valid", "prompt_chars", "prompt_tokens", "tokens", "calls", "recovered", "recovery_steps",
	"patch_share_overwrite_deletion", "patch_share_schema", "patch_share_syntax"}

// columns of the published tables, by measure.
var columns = map[string]string{"score": "score", "prompt_chars": "prompt", "tokens": "tokens"}

const claimsFile = "claims.yaml"

// Shipped are the claims that come with the program. That they parse is this
// package's test.
var Shipped = sync.OnceValue(func() []Claim {
	data, err := configs.FS.ReadFile(claimsFile)
	if err != nil {
		panic(err)
	}
	list, err := Parse("configs/"+claimsFile, data)
	if err != nil {
		panic(err)
	}
	return list
})

// Parse reads a file of claims. Faults are one line with file and line.
func Parse(source string, data []byte) ([]Claim, error) {
	node, err := config.Parse(source, data)
	if err != nil {
		return nil, err
	}
	var file struct {
		Claims []config.Node `yaml:"claims"`
	}
	if err := node.Decode(&file); err != nil {
		return nil, err
	}
	var list []Claim
	for _, n := range file.Claims {
		var c Claim
		if err := n.Decode(&c); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(o Claim) bool { return o.ID == c.ID }) {
			return nil, n.Errorf("id: %s stands twice", c.ID)
		}
		if err := n.At(c.check()); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func (c Claim) check() error {
	switch {
	case c.ID == "" || c.Says == "":
		return fmt.Errorf("id, says: want both")
	case c.Decides != "any" && c.Decides != record.Real:
		return fmt.Errorf("decides: want any or real, got %q", c.Decides)
	case (c.Audit == "") == (c.Of == nil):
		return fmt.Errorf("of: want either cells or audit")
	case c.AtLeast == nil && c.AtMost == nil && c.Near == nil:
		return fmt.Errorf("at_least: want at_least, at_most or near")
	case c.Near != nil && (c.AtLeast != nil || c.AtMost != nil):
		return fmt.Errorf("near: it stands alone, without at_least or at_most")
	}
	if c.Audit != "" {
		if c.Over != nil || c.As != "" || c.Near != nil && c.Near.Published {
			return fmt.Errorf("audit: it has no over, as or published value")
		}
		if len(c.findings()) == 0 {
			return fmt.Errorf("audit: the arithmetic on the published tables has no %q", c.Audit)
		}
		return c.checkNear()
	}
	return c.checkCells()
}

func (c Claim) checkCells() error {
	if _, ok := paper.Tables()[c.Where]; !ok {
		return fmt.Errorf("where: want a table of the paper such as table1, got %q", c.Where)
	}
	if err := c.Of.check(true); err != nil {
		return fmt.Errorf("of.%w", err)
	}
	switch c.As {
	case "", Ratio, Difference, Exponent, P:
	default:
		return fmt.Errorf("as: want ratio, difference, exponent or p, got %q", c.As)
	}
	if c.Over == nil {
		if c.As != "" {
			return fmt.Errorf("as: %s needs over", c.As)
		}
		return c.checkNear()
	}
	if err := c.Over.check(false); err != nil {
		return fmt.Errorf("over.%w", err)
	}
	if c.Near != nil && c.Near.Published {
		return fmt.Errorf("near.published: a cell's figure says nothing of two cells")
	}
	return c.checkNear()
}

func (c Claim) checkNear() error {
	n := c.Near
	if n == nil {
		return nil
	}
	if n.Published == (n.Value != nil) {
		return fmt.Errorf("near: want either published or a value")
	}
	if !(n.Within >= 0 && n.By >= 0) || (n.Within == 0) == (n.By == 0) {
		return fmt.Errorf("near: want a tolerance above 0, either within or by")
	}
	if !n.Published {
		return nil
	}
	for _, p := range c.Of.points() {
		if _, ok := c.figure(p); !ok {
			return fmt.Errorf("near.published: %s has no %s for %s", c.Where, p.measure, p)
		}
	}
	return nil
}

// check wants known names; whole wants all that points need.
func (r Ref) check(whole bool) error {
	if r.Measure != "" || whole {
		if !slices.Contains(measures, r.Measure) {
			return fmt.Errorf("measure: want one of %q, got %q", measures, r.Measure)
		}
	}
	if whole && (r.Task == "" || len(r.Agents) == 0 || len(r.Horizons) == 0) {
		return fmt.Errorf("task: want task, agents and horizons")
	}
	if !whole && (len(r.Agents) > 1 || len(r.Horizons) > 1 || len(r.Noise) > 1 || len(r.Drifts) > 1) {
		return fmt.Errorf("agents: want one of each, to set all cells against")
	}
	for _, t := range r.Horizons {
		if t < 1 {
			return fmt.Errorf("horizons: want positive numbers, got %d", t)
		}
	}
	if len(r.Agents)*len(r.Horizons)*max(1, len(r.Noise))*max(1, len(r.Drifts)) > maxPoints {
		return fmt.Errorf("agents: want %d cells at most", maxPoints)
	}
	return nil
}

const maxPoints = 10_000

// A point is one cell of the paper.
type point struct {
	measure, task, agent, drift string
	horizon, noise              int
}

func (p point) String() string {
	s := fmt.Sprintf("%s, T=%d", p.agent, p.horizon)
	if p.noise > 0 {
		s += fmt.Sprintf(", noise %d", p.noise)
	}
	if p.drift != "" {
		s += ", " + p.drift
	}
	return s
}

func (r Ref) points() []point {
	noise, drifts := r.Noise, r.Drifts
	if len(noise) == 0 {
		noise = []int{0}
	}
	if len(drifts) == 0 {
		drifts = []string{""}
	}
	var out []point
	for _, agent := range r.Agents {
		for _, horizon := range r.Horizons {
			for _, n := range noise {
				for _, d := range drifts {
					out = append(out, point{r.Measure, r.Task, agent, d, horizon, n})
				}
			}
		}
	}
	return out
}

// against is the point that another is set against.
func (r Ref) against(p point) point {
	if r.Measure != "" {
		p.measure = r.Measure
	}
	if r.Task != "" {
		p.task = r.Task
	}
	if len(r.Agents) > 0 {
		p.agent = r.Agents[0]
	}
	if len(r.Horizons) > 0 {
		p.horizon = r.Horizons[0]
	}
	if len(r.Noise) > 0 {
		p.noise = r.Noise[0]
	}
	if len(r.Drifts) > 0 {
		p.drift = r.Drifts[0]
	}
	return p
}

// figure is what the table has for a point.
func (c Claim) figure(p point) (float64, bool) {
	column, ok := columns[p.measure]
	if !ok {
		return 0, false
	}
	var f paper.Figure
	if slices.Contains(paper.Tables()[c.Where].Columns, "noise_per_turn") {
		f, ok = paper.LookupNoise(c.Where, p.noise, p.agent)
		ok = ok && column == "score"
	} else {
		f, ok = paper.Lookup(c.Where, p.horizon, p.agent, column)
	}
	return f.Value, ok
}

// findings are those of the paper's arithmetic that the claim is about.
func (c Claim) findings() []paper.Finding {
	var out []paper.Finding
	for _, f := range paper.Audit() {
		if f.ID == c.Audit && (c.Where == "" || f.Table == c.Where || f.Table == "") {
			out = append(out, f)
		}
	}
	return out
}
