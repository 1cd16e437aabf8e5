package routing

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/metrics/stats"
)

// A Gate is what a run is held to: the routing.json of an earlier one.
type Gate struct {
	path     string
	baseline *Result
}

// OpenGate reads a baseline.
func OpenGate(path string) (*Gate, error) {
	r, err := Read(path)
	return &Gate{path, r}, err
}

// gated are the measures that must not get worse.
var gated = []string{Accuracy, WrongTool, ParamFaults, FirstContact, FalseTriggers}

// paired are those of the gated measures that are an outcome of a case.
var paired = map[string]Outcome{Accuracy: Right, FirstContact: Resolved}

// gateAlpha is the level of McNemar's test; the intervals are of 95 %, too.
const gateAlpha = 1 - stats.DefaultConfidence

// A Finding is what a gate says of a run.
type Finding struct {
	Failures []string // one line each
	Remarks  []string // what is not alike and does not forbid the comparison
	Groups   int      // that were compared
}

// Hold compares each group of the baseline with the same one of a run. A measure
// fails where it is worse than chance explains:
//
//   - accuracy and first_contact, where both have cases in common: the exact
//     McNemar test on these (first decisions all right; resolved) has p < 0.05, and
//     more cases were lost than won;
//   - otherwise, where the run lost dialogues, and for the other measures: Newcombe's 95 % interval of the
//     difference of the two shares, made from their intervals over sessions, lies
//     wholly on the bad side of 0.
//
// There is no correction for the number of measures: of runs that differ by
// chance alone, about one measure in forty fails. A measure that one of the two
// does not have cannot fail. A group that the run lacks, or has cells of without a
// result, is a failure: who stops a run early could pick what it is judged by.
// Groups of unlike size are a remark. What cannot
// be compared is an error that says what differs: a simulated model and a real
// one, other suites or splits, cases of one name that want something else.
func (g *Gate) Hold(run *Result) (Finding, error) {
	var f Finding
	if run == nil {
		return f, fmt.Errorf("%s: the run has nothing on routing to hold to it", g.path)
	}
	for _, old := range g.baseline.Groups {
		now, ok := find(run, old.Key)
		if !ok {
			f.Failures = append(f.Failures, old.Key.String()+": the run does not have this group")
			continue
		}
		if err := g.alike(run, old, now); err != nil {
			return f, fmt.Errorf("%s: %s: %w", g.path, old.Key.String(), err)
		}
		f.remark(g.baseline, run, old)
		f.unlike(old, now)
		f.Groups++
		for _, name := range gated {
			if why := worse(name, old, now); why != "" {
				f.Failures = append(f.Failures, fmt.Sprintf("%s: %s %s", old.Key.String(), name, why))
			}
		}
	}
	if n := len(run.Groups) - f.Groups; n > 0 {
		f.Remarks = append(f.Remarks, fmt.Sprintf("groups of the run that the baseline does not have: %d", n))
	}
	return f, nil
}

// find returns the group of a run that answers to a key, whatever the kind of
// its model.
func find(r *Result, k Key) (Group, bool) {
	i := slices.IndexFunc(r.Groups, func(g Group) bool {
		own := g.Key
		own.Kind = k.Kind
		return own == k
	})
	if i < 0 {
		return Group{}, false
	}
	return r.Groups[i], true
}

// alike refuses what is never set side by side.
func (g *Gate) alike(run *Result, old, now Group) error {
	if old.Kind != now.Kind {
		return fmt.Errorf("kind of model: %s in the baseline, %s in the run; they are never compared", old.Kind, now.Kind)
	}
	a, b := g.baseline.Tasks[old.Task], run.Tasks[now.Task]
	x, y := optionsOf(a), optionsOf(b)
	for _, d := range []struct{ what, old, now string }{{"task", a.Base, b.Base}, {"suite", x.Suite, y.Suite}, {"split", x.Split, y.Split}} {
		if d.old != d.now {
			return fmt.Errorf("%s: %.80q in the baseline, %.80q in the run; make a baseline anew", d.what, d.old, d.now)
		}
	}
	wanted := map[string]string{}
	for _, c := range old.Cases {
		wanted[c.Case] = c.Wanted
	}
	for _, c := range now.Cases {
		if w, ok := wanted[c.Case]; ok && w != c.Wanted {
			return fmt.Errorf("suite: case %.80q does not want the same in the baseline and in the run; make a baseline anew", c.Case)
		}
	}
	return nil
}

// remark says what else is not alike, once.
func (f *Finding) remark(old, now *Result, g Group) {
	say := func(what, a, b string) {
		line := fmt.Sprintf("%s: %.300s in the baseline, %.300s in the run", what, a, b)
		if a != b && !slices.Contains(f.Remarks, line) {
			f.Remarks = append(f.Remarks, line)
		}
	}
	say("templates", old.Templates, now.Templates)
	say("task "+g.Task, text(old.Tasks[g.Task]), text(now.Tasks[g.Task]))
	say("model "+g.Model, text(old.Models[g.Model]), text(now.Models[g.Model]))
}

func text(d Definition) string {
	return strings.TrimSpace(d.Hash + " " + without(Definition{Options: d.Options}))
}

// unlike says where two groups are not of one size.
func (f *Finding) unlike(old, now Group) {
	if n := now.Cells.Missing; n > 0 {
		f.Failures = append(f.Failures, fmt.Sprintf("%s: %d of %d cells of the run have no result: play them first", old.Key.String(), n, n+now.Cells.Results))
	}
	if old.Dialogues != now.Dialogues {
		f.Remarks = append(f.Remarks, fmt.Sprintf("%s: %d dialogues in the baseline, %d in the run", old.Key.String(), old.Dialogues, now.Dialogues))
	}
}

// worse says how a measure is worse, "" where it is not.
func worse(name string, old, now Group) string {
	a, b := now.Rates[name], old.Rates[name]
	if o, ok := paired[name]; ok {
		if p := mcnemar(old, now, o); p.Both+p.OnlyA+p.OnlyB+p.Neither > 0 {
			if p.P.OK && p.P.V < gateAlpha && p.OnlyA > p.OnlyB {
				return fmt.Sprintf("was %s, is %s: of the same dialogues %d were lost and %d won, McNemar p = %.4g", of(b), of(a), p.OnlyA, p.OnlyB, p.P.V)
			}
			if now.Lost == 0 {
				return ""
			}
		}
	}
	d, i := stats.Newcombe(a, b)
	if i.OK() && (better(name) == Higher && i.High.V < 0 || better(name) == Lower && i.Low.V > 0) {
		return fmt.Sprintf("was %s, is %s: difference %+.3f, 95 %% from %+.3f to %+.3f", of(b), of(a), d.V, i.Low.V, i.High.V)
	}
	return ""
}

func of(p stats.Proportion) string { return fmt.Sprintf("%d of %d", p.K, p.N) }

func better(name string) Direction {
	i := slices.IndexFunc(rates, func(m Measure) bool { return m.Name == name })
	return rates[i].Better
}
