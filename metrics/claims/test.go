package claims

import (
	"fmt"
	"math"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/stats"
)

// A Verdict says what a run says of a claim.
type Verdict string

const (
	Reproduced    Verdict = "reproduced"
	NotReproduced Verdict = "not reproduced"
	NotTestable   Verdict = "not testable with a simulated model"
	NotRun        Verdict = "not run"
)

// Evidence is what claims are tested on: the rows of one model, and of the
// floors.
type Evidence struct {
	Kind   string            // of the model
	Paper  []string          // tables that the experiment names
	Tasks  map[string]string // name of the task behind a label
	Agents map[string]string // name of the strategy behind a label
	Rows   []metrics.Row
	// Share is the share of a bucket among the patch errors of cells; nil where
	// nobody has looked.
	Share func(cells []record.Cell, bucket string) stats.Value
}

// A Result is a claim and what came of it. Number is the quantity in the cell
// that is furthest from what is claimed, At says which; for a claim that the
// evidence does not decide they are shown all the same.
type Result struct {
	Claim         Claim
	Verdict       Verdict
	Number        stats.Value
	At            string
	Wanted        string
	Cells, Tested int // named by the claim, and of these with a value
}

// Test tests a claim.
func (c Claim) Test(e Evidence) Result {
	r := Result{Claim: c, Verdict: NotRun, Wanted: c.wanted()}
	worst, held := math.Inf(-1), true
	see := func(at string, v, figure float64) {
		r.Tested++
		miss, ok := c.miss(v, figure)
		held = held && ok
		if miss > worst {
			worst, r.Number, r.At = miss, stats.Of(v), at
		}
	}
	if c.Audit != "" {
		for _, f := range c.findings() {
			at := f.Table
			if f.Runtime != "" {
				at = fmt.Sprintf("%s, %s, T=%d", f.Table, f.Runtime, f.Horizon)
			}
			see(at, f.Value, 0)
		}
		r.Cells = r.Tested
	} else {
		points := c.Of.points()
		r.Cells = len(points)
		for _, p := range points {
			if !slices.Contains(e.Paper, c.Where) {
				break
			}
			if v := c.quantity(e, p); v.OK {
				c.see(p, v.V, see)
			}
		}
	}
	switch {
	case r.Tested == 0:
	case c.Audit == "" && c.Decides == record.Real && e.Kind != record.Real:
		r.Verdict = NotTestable
	case !held:
		r.Verdict = NotReproduced
	case r.Tested == r.Cells:
		r.Verdict = Reproduced
	}
	return r
}

// see shows a value, beside the published figure where that is what it is
// held to.
func (c Claim) see(p point, v float64, see func(at string, v, figure float64)) {
	if c.Near == nil || !c.Near.Published {
		see(p.String(), v, 0)
		return
	}
	figure, _ := c.figure(p)
	see(fmt.Sprintf("%s, published %g", p, figure), v, figure)
}

// miss says how far a value is from what is claimed, above 0 beyond it, and
// whether the claim holds.
func (c Claim) miss(v, figure float64) (float64, bool) {
	const rounding = 1e-9
	miss := math.Inf(-1)
	if c.AtLeast != nil {
		miss = max(miss, *c.AtLeast-v)
	}
	if c.AtMost != nil {
		miss = max(miss, v-*c.AtMost)
	}
	if n := c.Near; n != nil {
		if n.Value != nil {
			figure = *n.Value
		}
		miss = (math.Abs(v-figure) - n.Within) / max(1, math.Abs(figure))
		if n.By > 0 {
			miss = math.Abs(v-figure)/math.Abs(figure) - n.By
		}
	}
	return miss, miss <= rounding
}

// wanted is the bound in words.
func (c Claim) wanted() string {
	switch {
	case c.Near != nil && c.Near.Published && c.Near.By > 0:
		return fmt.Sprintf("as published ± %g %%", 100*c.Near.By)
	case c.Near != nil && c.Near.Published:
		return fmt.Sprintf("as published ± %g", c.Near.Within)
	case c.Near != nil && c.Near.By > 0:
		return fmt.Sprintf("%g ± %g %%", *c.Near.Value, 100*c.Near.By)
	case c.Near != nil:
		return fmt.Sprintf("%g ± %g", *c.Near.Value, c.Near.Within)
	case c.AtLeast != nil && c.AtMost != nil:
		return fmt.Sprintf("%g to %g", *c.AtLeast, *c.AtMost)
	case c.AtLeast != nil:
		return fmt.Sprintf("≥ %g", *c.AtLeast)
	}
	return fmt.Sprintf("≤ %g", *c.AtMost)
}

// quantity is what the claim bounds at a point; absent where a cell is not
// there.
func (c Claim) quantity(e Evidence, p point) stats.Value {
	if c.Over == nil {
		return e.measure(p)
	}
	q := c.Over.against(p)
	if c.As == P {
		return e.permutation(p, q)
	}
	a, b := e.measure(p), e.measure(q)
	if !a.OK || !b.OK {
		return stats.Value{}
	}
	switch c.As {
	case Difference:
		return stats.Of(a.V - b.V)
	case Exponent:
		return stats.Of(math.Log(a.V/b.V) / math.Log(float64(p.horizon)/float64(q.horizon)))
	}
	return stats.Of(a.V / b.V)
}

// permutation tests the scores at two points over their common seeds. Scores
// that are equal on every seed have no evidence against chance: 1.
func (e Evidence) permutation(p, q point) stats.Value {
	a, b := bySeed(e.rows(p)), bySeed(e.rows(q))
	t := stats.Paired(a, b)
	if t.Pairs > 1 && !t.Permutation.P.OK && t.Difference.V == 0 {
		return stats.Of(1)
	}
	return t.Permutation.P
}

func bySeed(rows []metrics.Row) map[string]float64 {
	samples := map[string][]stats.Sample{}
	for _, r := range rows {
		if v := r.Score(); v.OK {
			seed := fmt.Sprint(r.Cell.Seed)
			samples[seed] = append(samples[seed], stats.Sample{Cluster: seed, Value: v.V})
		}
	}
	means := map[string]float64{}
	for seed, list := range samples {
		means[seed] = stats.Summarize(list, 0).Mean.V
	}
	return means
}

// rows are the finished cells of a point in the world that follows the agent.
// Of several labels of a strategy, the strategy's own name goes first, then the
// first that comes: variants are no evidence on the paper.
func (e Evidence) rows(p point) []metrics.Row {
	label := ""
	for _, r := range e.Rows {
		if e.Agents[r.Cell.Agent] == p.agent && (label == "" || r.Cell.Agent == p.agent) {
			label = r.Cell.Agent
		}
	}
	var out []metrics.Row
	for _, r := range e.Rows {
		c := r.Cell
		if c.Agent == label && e.Tasks[c.Task] == p.task && c.Horizon == p.horizon && c.Noise == p.noise && c.Drift == p.drift && c.World == record.Closed && r.Status.Final() {
			out = append(out, r)
		}
	}
	return out
}

// measure is the mean of a quantity over the seeds of a point.
func (e Evidence) measure(p point) stats.Value {
	rows := e.rows(p)
	if bucket, ok := bucketOf(p.measure); ok {
		if e.Share == nil || len(rows) == 0 {
			return stats.Value{}
		}
		var cells []record.Cell
		for _, r := range rows {
			cells = append(cells, r.Cell)
		}
		return e.Share(cells, bucket)
	}
	var samples []stats.Sample
	for _, r := range rows {
		if v := valueOf(r, p.measure); v.OK {
			samples = append(samples, stats.Sample{Cluster: fmt.Sprint(r.Cell.Seed), Value: v.V})
		}
	}
	return stats.Summarize(samples, 0).Mean
}

func bucketOf(measure string) (string, bool) {
	const prefix = "patch_share_"
	if len(measure) > len(prefix) && measure[:len(prefix)] == prefix {
		return measure[len(prefix):], true
	}
	return "", false
}

func valueOf(r metrics.Row, measure string) stats.Value {
	switch measure {
	case "score":
		return r.Score()
	case "valid":
		return r.ValidShare()
	case "prompt_chars":
		return r.PromptCharsMean
	case "prompt_tokens":
		return r.PromptTokensMean
	case "tokens":
		return stats.Of(float64(r.PromptTokens + r.CompletionTokens))
	case "calls":
		return stats.Of(float64(r.Calls))
	case "recovered":
		if r.Recovery.Drifts > 0 && !r.Recovery.Recovered.OK {
			return stats.Of(0) // nothing could recover
		}
		return stats.Of(r.Recovery.Recovered.V / float64(r.Recovery.Drifts))
	case "recovery_steps":
		return r.Recovery.Steps
	}
	return stats.Value{}
}
