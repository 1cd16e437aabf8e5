package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/stats"
)

// A Group is what the cells of one comparison have in common.
type Group struct {
	Task, Agent, Drift string
	World              record.World
	Horizon, Noise     int
}

// String names the group, ordinary conditions left out.
func (g Group) String() string {
	s := fmt.Sprintf("%s %s T=%d", g.Task, g.Agent, g.Horizon)
	if g.World != record.Closed && g.World != "" {
		s += fmt.Sprintf(" %s world", g.World)
	}
	if g.Noise != 0 {
		s += fmt.Sprintf(" noise %d", g.Noise)
	}
	if g.Drift != "" {
		s += " drift " + g.Drift
	}
	return s
}

// Quantities that are compared.
const (
	Score  = "score"
	Tokens = "tokens" // prompt and completion of an episode, counted locally
)

// A Line compares one quantity in one group over the seeds that both sides
// played. Differences are A - B.
type Line struct {
	Group    Group
	Quantity string
	A, B     stats.Value // means over the common seeds
	Test     stats.Comparison
	Adjusted stats.Value // exact permutation p after Holm's correction over all lines
	Verdict  string
	Dropped  int // cells without a result
}

// A Result is all lines, and what is not alike beside the models.
type Result struct {
	A, B   Side
	Unlike []string
	Lines  []Line
}

// alpha is the level at which a difference passes for real.
const alpha = 0.05

// Sides compares two sides. Simulated and real ones are refused: neither says
// anything of the other. Tokens are left out where the tokenizers differ.
func Sides(a, b Side) (Result, error) {
	r := Result{A: a, B: b, Unlike: unlike(a, b)}
	if a.Kind != b.Kind && a.Kind != record.NoModel && b.Kind != record.NoModel {
		return r, fmt.Errorf("%s is %s and %s is %s: they are never set side by side", a.Name, a.Kind, b.Name, b.Kind)
	}
	quantities := []string{Score, Tokens}
	if a.Manifest.Tokenizer != b.Manifest.Tokenizer {
		quantities = quantities[:1]
	}
	left, right := grouped(a.Rows), grouped(b.Rows)
	for _, g := range order(a.Rows) {
		if _, ok := right[g]; !ok {
			continue
		}
		for _, q := range quantities {
			r.Lines = append(r.Lines, line(g, q, left[g], right[g]))
		}
	}
	if len(r.Lines) == 0 {
		return r, errors.New("the two have no cell in common: want the same task, agent, horizon, world, noise and drift in both")
	}
	r.judge()
	return r, nil
}

func groupOf(c record.Cell) Group {
	return Group{Task: c.Task, Agent: c.Agent, Drift: c.Drift, World: c.World, Horizon: c.Horizon, Noise: c.Noise}
}

func grouped(rows []metrics.Row) map[Group][]metrics.Row {
	out := map[Group][]metrics.Row{}
	for _, r := range rows {
		g := groupOf(r.Cell)
		out[g] = append(out[g], r)
	}
	return out
}

func order(rows []metrics.Row) []Group {
	var out []Group
	for _, r := range rows {
		if g := groupOf(r.Cell); !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b Group) int { return cmp.Compare(a.Task, b.Task) })
	return out
}

func line(g Group, quantity string, a, b []metrics.Row) Line {
	l := Line{Group: g, Quantity: quantity}
	x, droppedX := bySeed(a, quantity)
	y, droppedY := bySeed(b, quantity)
	l.Dropped = droppedX + droppedY
	l.Test = stats.Paired(x, y)
	var xs, ys []stats.Sample
	for seed, v := range x {
		if w, ok := y[seed]; ok {
			xs, ys = append(xs, stats.Sample{Cluster: seed, Value: v}), append(ys, stats.Sample{Cluster: seed, Value: w})
		}
	}
	l.A, l.B = stats.Summarize(xs, 0).Mean, stats.Summarize(ys, 0).Mean
	return l
}

// bySeed averages the repeats of each seed over the cells with a result.
func bySeed(rows []metrics.Row, quantity string) (means map[string]float64, dropped int) {
	samples := map[string][]stats.Sample{}
	for _, r := range rows {
		v := r.Score()
		if quantity == Tokens {
			v = stats.Of(float64(r.PromptTokens + r.CompletionTokens))
		}
		if !r.Status.Final() || !v.OK {
			dropped++
			continue
		}
		seed := fmt.Sprint(r.Cell.Seed)
		samples[seed] = append(samples[seed], stats.Sample{Cluster: seed, Value: v.V})
	}
	means = map[string]float64{}
	for seed, list := range samples {
		means[seed] = stats.Summarize(list, 0).Mean.V
	}
	return means, dropped
}

// judge corrects the p-values of all lines for their number and says what each
// comes to.
func (r *Result) judge() {
	var ps []stats.Value
	for _, l := range r.Lines {
		ps = append(ps, l.Test.Permutation.P)
	}
	for i, p := range stats.Holm(ps) {
		r.Lines[i].Adjusted = p
		r.Lines[i].Verdict = verdict(r.Lines[i].Test, p)
	}
}

func verdict(c stats.Comparison, adjusted stats.Value) string {
	switch {
	case c.Pairs == 0:
		return "no common seed"
	case !adjusted.OK && c.Difference.V == 0 && c.Pairs > 1:
		return "equal on every seed"
	case !adjusted.OK:
		return "one seed: no test"
	case adjusted.V <= alpha:
		return "real"
	case c.Permutation.Smallest.OK && c.Permutation.Smallest.V > alpha:
		return fmt.Sprintf("cannot be told: p ≥ %.4g with %d pairs", c.Permutation.Smallest.V, c.Pairs)
	case c.Permutation.P == c.Permutation.Smallest:
		return fmt.Sprintf("not shown: all %d pairs agree, which is too few for so many tests", c.Pairs)
	}
	return "not shown"
}
