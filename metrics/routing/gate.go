package routing

import (
	"errors"
	"fmt"
	"slices"

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

// gateAlpha is the level of all tests; the intervals are of 95 %, too.
const gateAlpha = 1 - stats.DefaultConfidence

// A Finding is what a gate says of a run, one line each.
type Finding struct {
	Failures []string
	Chance   []string // what got worse by no more than chance explains
	Remarks  []string // what changed and does not forbid the comparison
	Groups   int      // that were compared
}

// Hold compares each group of the baseline with the same one of a run, dialogue by
// dialogue where both have their cases:
//
//   - accuracy, called_when_wanted, first_contact, wrong_tool and false_triggers
//     fail where more dialogues got worse than better by the exact McNemar test
//     (p < 0.05). A dialogue got worse where it has fewer messages that were
//     rightly decided, or rightly called; is not settled any more; has more wrong
//     calls, or more messages at which a skill was called and none is right.
//   - a skill fails where more of the messages that want its call lost it than won
//     it, by the same test with Holm's correction over the skills of the group.
//     Skills of which so few messages changed that no outcome could be found do not
//     count (Tarone 1990).
//   - param_faults fails, and so do the others where no case is in both or the
//     baseline does not have messages, where Newcombe's 95 % interval of the
//     difference of the two shares, made from their intervals over sessions, lies
//     wholly on the bad side of 0. It does for all where the run lost dialogues.
//
// A case that was played several times counts by its mean. There is no correction
// for the number of measures: of runs that differ by chance alone, about one
// measure in forty fails. What got worse by less is told, with the loss that would
// have been found. A measure that one of the two does not have cannot fail.
//
// A group that the run lacks, has fewer dialogues of, or has cells of without a
// result, is a failure: who stops a run early could pick what it is judged by.
// Other skills, templates, options and settings of models are a remark. What cannot
// be compared is an error that says what differs: a simulated model and a real one,
// other dialogues or splits, cases of one name that want something else.
func (g *Gate) Hold(run *Result) (Finding, error) {
	var f Finding
	if run == nil {
		return f, fmt.Errorf("%s: the run has nothing on routing to hold to it", g.path)
	}
	changed := changes{old: g.baseline, now: run}
	for _, old := range g.baseline.Groups {
		now, ok := find(run, old.Key)
		if !ok {
			f.Failures = append(f.Failures, old.Key.String()+": the run does not have this group")
			continue
		}
		if err := g.alike(run, old, now); err != nil {
			return f, fmt.Errorf("%s: %s: %w", g.path, old.Key.String(), err)
		}
		changed.note(old)
		f.unlike(old, now)
		f.Groups++
		f.measures(old, now)
		f.skills(old, now)
	}
	f.Remarks = append(changed.words(), f.Remarks...)
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

// errOthers is what a changed suite comes to.
var errOthers = errors.New("other dialogues: the suite changed since the baseline; make a baseline anew")

// alike refuses what is never set side by side.
func (g *Gate) alike(run *Result, old, now Group) error {
	if old.Kind != now.Kind {
		return fmt.Errorf("kind of model: %s in the baseline, %s in the run; they are never compared", old.Kind, now.Kind)
	}
	a, b := g.baseline.Tasks[old.Task], run.Tasks[now.Task]
	x, y := optionsOf(a), optionsOf(b)
	before, after := a.digests(), b.digests()
	if before.dialogues != "" && after.dialogues != "" {
		if before.dialogues != after.dialogues {
			return errOthers
		}
		x.Suite = y.Suite // the same dialogues, wherever they are
	}
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

// unlike says where a run is not all of it.
func (f *Finding) unlike(old, now Group) {
	say := func(to *[]string, format string, args ...any) {
		*to = append(*to, old.Key.String()+": "+fmt.Sprintf(format, args...))
	}
	if n := now.Cells.Missing; n > 0 {
		say(&f.Failures, "%d of %d cells of the run have no result: play them first", n, n+now.Cells.Results)
	}
	if len(old.Cases) > 0 && old.Cases[0].Messages == nil {
		say(&f.Remarks, "the baseline does not say what became of each message: write it anew, with report of its run, and the tests find more")
	}
	switch {
	case now.Dialogues < old.Dialogues:
		say(&f.Failures, "%d of the baseline's %d dialogues: play the others, too, or make a baseline of these", now.Dialogues, old.Dialogues)
	case now.Dialogues > old.Dialogues:
		say(&f.Remarks, "%d dialogues in the baseline, %d in the run", old.Dialogues, now.Dialogues)
	}
}
