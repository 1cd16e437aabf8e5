package patcherr

import (
	"fmt"
	"strings"

	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// A Report sets groups side by side.
type Report struct {
	Groups      []*Group
	Comparisons []Comparison
	Costs       []Cost
	Matrix      Matrix
}

// NewReport derives everything from episodes.
func NewReport(episodes []Episode) *Report {
	groups := Groups(episodes)
	return &Report{Groups: groups, Comparisons: Compare(groups), Costs: Costs(groups), Matrix: Confusion(episodes)}
}

// A Table is one table of a report. Its cells are one line of printable text.
type Table struct {
	Title string
	Note  string
	Head  []string
	Rows  [][]string
}

// Tables returns all tables that have something to show.
func (r *Report) Tables() []Table {
	all := []Table{r.buckets(), r.classes(), r.totals(), r.costs(), r.comparisons(), r.confusion()}
	var shown []Table
	for _, t := range all {
		if len(t.Rows) > 0 {
			shown = append(shown, t)
		}
	}
	return shown
}

// published are the paper's names for the buckets.
var published = map[Bucket]string{
	Overwrote: "premature_overwrite_or_deletion", Schema: "schema_or_type_coercion", Syntax: "json_syntax",
}

// Published is the paper's share of a bucket; absent for Other.
func Published(b Bucket) stats.Value {
	v, ok := paper.ErrorTaxonomy().Shares[published[b]]
	if !ok {
		return stats.Value{}
	}
	return stats.Of(v)
}

func (r *Report) buckets() Table {
	p := paper.ErrorTaxonomy()
	t := Table{
		Title: "Patch errors in the paper's kinds",
		Note: fmt.Sprintf("Share of the three kinds among attempts that fall into them; 95 %% Wilson intervals, clustered by seed. Reversed: the last class by precedence is primary instead of the first. "+
			"Paper: %s, %s, T=%d, kinds not defined there; which class counts as which kind is our reading. Rates are per step.", p.Model, p.Task, p.Horizon),
		Head: []string{"kind", "model", "share", "95 %", "k/n", "reversed", "paper", "per step", "95 %", "k/n"},
	}
	for _, b := range Buckets() {
		for _, g := range r.Groups {
			if b != Other && !g.stateful() {
				continue
			}
			rate := g.Rate(First, OfBucket(b)).Steps
			line := []string{string(b), clean(g.Label), "", "", "", "", percent(Published(b), 0), percent(rate.Share, 2), interval(rate, 2), of(rate)}
			if b != Other {
				share := g.Share(First, b)
				line[2], line[3], line[4], line[5] = percent(share.Share, 1), interval(share, 1), of(share), percent(g.Share(Reversed, b).Share, 1)
			}
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

func (r *Report) classes() Table {
	t := Table{
		Title: "Errors by class",
		Note: "Primary class of each attempt. Rates of steps and attempts have 95 % Wilson intervals clustered by seed; a step counts once however many of its attempts have the class. " +
			"Onsets: all findings, primary or not; an error that stands is counted where it began.",
		Head: []string{"class", "kind", "model", "per step", "95 %", "k/n", "per attempt", "k/n", "per episode", "95 %", "k/n", "onsets"},
	}
	for _, class := range Classes() {
		var rows [][]string
		seen := false
		for _, g := range r.Groups {
			if ofPatch(class) && !g.stateful() {
				continue
			}
			rate := g.Rate(First, OfClass(class))
			seen = seen || rate.Onsets > 0
			rows = append(rows, append([]string{class, string(BucketOf(class)), clean(g.Label)}, rateCells(rate)...))
		}
		if seen {
			t.Rows = append(t.Rows, rows...)
		}
	}
	for _, g := range r.Groups {
		t.Rows = append(t.Rows, append([]string{"any", "", clean(g.Label)}, rateCells(g.Rate(First, Any))...))
	}
	return t
}

func rateCells(r Rate) []string {
	return []string{percent(r.Steps.Share, 2), interval(r.Steps, 2), of(r.Steps), percent(r.Attempts.Share, 2), of(r.Attempts),
		percent(r.Episodes.Share, 1), interval(r.Episodes, 1), of(r.Episodes), fmt.Sprint(r.Onsets)}
}

func (r *Report) totals() Table {
	t := Table{
		Title: "What errors lead to",
		Note: "T: horizons pooled in all tables. Missed: steps at which no attempt was accepted. Retry tokens: prompts and replies of attempts after the first, and their share of all tokens. Resends: attempts whose patch repeats what Σ holds. " +
			"Lost: right patches not taken because their action was rejected. Σ wrong: steps that ended so; first: mean step at which that began, over episodes in which it did; right then: right actions at such steps; at the end: mean facts wrong after the last step.",
		Head: []string{"model", "T", "episodes", "steps", "missed", "retries", "retry tokens", "of all", "resends", "lost", "Σ wrong", "first", "right then", "at the end", "score"},
	}
	for _, g := range r.Groups {
		a := g.Totals()
		t.Rows = append(t.Rows, []string{clean(g.Label), pooled(g.horizons()), fmt.Sprint(a.Episodes), fmt.Sprint(a.Steps), fmt.Sprint(a.Missed), fmt.Sprint(a.Retries), fmt.Sprint(a.RetryTokens),
			percent(ratioOf(a.RetryTokens, a.Tokens), 1), fmt.Sprint(a.Resends), fmt.Sprint(a.Lost), fmt.Sprint(a.Diverged), dash(a.FirstDiverged.Format(1)), fmt.Sprint(a.Lucky), dash(a.WrongAtEnd.Format(1)), dash(a.Score.Format(3))})
	}
	return t
}

func (r *Report) costs() Table {
	t := Table{
		Title: "What an error costs in score",
		Note:  "The same cells in a teacher world, where every step begins from a true Σ, and in a closed one, where errors stay. Lost per error: right actions lost in the closed world for each attempt there in which an error was found.",
		Head:  []string{"model", "teacher", "closed", "difference", "95 %", "p", "pairs", "lost per error"},
	}
	for _, c := range r.Costs {
		t.Rows = append(t.Rows, []string{clean(c.Closed.Label), dash(c.Teacher.Totals().Score.Format(3)), dash(c.Closed.Totals().Score.Format(3)), dash(c.Score.Difference.Format(3)),
			bounds(c.Score.Interval, 3), chance(c.Score.Permutation.P), fmt.Sprint(c.Score.Pairs), dash(c.PerError.Format(2))})
	}
	return t
}

func (r *Report) comparisons() Table {
	t := Table{
		Title: "Differences in errors per step",
		Note:  "Rates of each seed, paired; p of the sign-flip permutation test, and p adjusted by Holm for all tests in this table. Groups differ in their model or in their strategy alone. Left out: kinds of error that neither has, or that both have alike at every seed. No p-value for fewer than two seeds.",
		Head:  []string{"a", "b", "errors", "a - b", "95 %", "p", "p (Holm)", "seeds"},
	}
	for _, c := range r.Comparisons {
		p := c.Paired
		if p.Difference.V == 0 && !p.Permutation.P.OK {
			continue
		}
		t.Rows = append(t.Rows, []string{clean(c.A.Label), clean(c.B.Label), c.What, percent(p.Difference, 2), percents(p.Interval, 2), chance(p.Permutation.P), chance(c.Adjusted), fmt.Sprint(p.Pairs)})
	}
	return t
}

func (r *Report) confusion() Table {
	t := Table{
		Title: "Classifier against labels",
		Note:  "Attempts of a simulated model that labels what it did wrong; in a closed world those before the first wrong Σ or action, for later ones show faults of the past. Labels come from the model, never from the classifier.",
		Head:  []string{"injected", "cases", "recall", "95 %", "precision", "95 %", "found as"},
	}
	if !r.Matrix.Labelled() {
		return t
	}
	for _, class := range append(Classes(), None) {
		if r.Matrix.Cases(class) == 0 && r.Matrix.Found(class) == 0 {
			continue
		}
		recall, precision := r.Matrix.Recall(class), r.Matrix.Precision(class)
		t.Rows = append(t.Rows, []string{class, fmt.Sprint(r.Matrix.Cases(class)), dash(recall.Share.Format(4)), bounds(recall.Interval, 3), dash(precision.Share.Format(4)), bounds(precision.Interval, 3), r.Matrix.row(class)})
	}
	return t
}

// Names lists what a highest rate can be set for: classes, buckets and any.
func Names() []string {
	names := Classes()
	for _, b := range Buckets() {
		names = append(names, string(b))
	}
	return append(names, "any")
}

// Named wants what one of Names stands for.
func Named(name string) func(string) bool {
	if name == "any" {
		return Any
	}
	for _, b := range Buckets() {
		if string(b) == name {
			return OfBucket(b)
		}
	}
	return OfClass(name)
}

func pooled(horizons []int) string {
	words := make([]string, len(horizons))
	for i, t := range horizons {
		words[i] = fmt.Sprint(t)
	}
	return strings.Join(words, " ")
}

func ratioOf(part, whole int) stats.Value {
	if whole == 0 {
		return stats.Value{}
	}
	return stats.Of(float64(part) / float64(whole))
}
