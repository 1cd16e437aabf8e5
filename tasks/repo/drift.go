package repo

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"skillbench/harness"
	"skillbench/harness/state"
)

// Drift scenarios. Each strikes an open pull request whose CI is passed and
// which is not approved.
const (
	forcePush = "force_push" // its branch is replaced by one of another name; then its CI fails, and FixCI needs the new name
	flakyCI   = "flaky_ci"   // its CI is in truth failed; then the merge queue asks for it, and the branch must be fixed first
	prClosed  = "pr_closed"  // it and its branch are gone; then the merge queue asks for it: unrecoverable
)

// Drift keys where the spec leaves them 0.
const (
	defaultLag      = 1
	defaultPatience = 15
)

const (
	maxDrifts  = 5      // per episode
	driftEvery = 10     // base events for each drift, at least
	driftSalt  = 0xd21f // keeps the choice of targets apart from the script's source
	newBranch  = 900000 // number of the first branch that a force push makes
)

// A drift is the plan of an episode's silent changes.
type drift struct {
	scenario string
	source   *rand.Rand
	lag      int                  // base events between a drift and its alert
	patience int                  // announcements of an open event
	due      []int                // base events before which one strikes, or later where no pull request fits
	struck   int                  // so far
	now      *incident            // the present one, until what ends it has been announced
	renamed  map[string]*incident // recovered force pushes, by the new branch
}

// An incident is one silent change and the open event that depends on it.
type incident struct {
	name      string // force_push#2
	scenario  string
	pr        string
	was       pull     // before the change
	files     []string // of its branch
	branch    string   // after the change
	alertAt   int      // base event before which the alert comes
	announced int
	ended     bool
	recovered bool
}

func driftSource(seed uint64, horizon int) *rand.Rand {
	return rand.New(rand.NewPCG(seed^driftSalt, uint64(horizon)))
}

// plan sets the times of the drifts: five where the horizon has fifty base
// events, one less for every ten that are missing.
func plan(spec harness.Spec, s script) (drift, error) {
	d := drift{scenario: spec.Drift, renamed: map[string]*incident{}, source: driftSource(spec.Seed, spec.Horizon)}
	switch spec.Drift {
	case "":
		return d, nil
	case forcePush, flakyCI, prClosed:
	default:
		return d, fmt.Errorf("drift: want %s, %s or %s, got %q", forcePush, flakyCI, prClosed, spec.Drift)
	}
	if spec.Lag < 0 || spec.Patience < 0 {
		return d, fmt.Errorf("lag, patience: want positive integers, got %d and %d", spec.Lag, spec.Patience)
	}
	d.lag, d.patience = cmp.Or(spec.Lag, defaultLag), cmp.Or(spec.Patience, defaultPatience)
	n := min(maxDrifts, spec.Horizon/driftEvery)
	if n == 0 {
		return d, fmt.Errorf("drift: want a horizon of at least %d, got %d", driftEvery, spec.Horizon)
	}
	d.due = s.places(n, d.lag, d.source)
	return d, nil
}

// places spreads n drifts over the part of the script in which there are pull
// requests to strike: each in the first half of its share of that
// part, or else anywhere. Where the script has too little room there are fewer.
func (s script) places(n, lag int, source *rand.Rand) []int {
	var fit []int
	for at := 0; at+lag < len(s.events); at++ {
		if len(s.steady(at, lag)) > 0 {
			fit = append(fit, at)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	var due []int
	take := func(at int) {
		due = append(due, at)
		fit = slices.DeleteFunc(fit, func(other int) bool { return max(at-other, other-at) < lag+2 })
	}
	first := fit[0]
	width := (len(s.events) - first) / n
	for i := range n {
		from, _ := slices.BinarySearch(fit, first+i*width)
		to, _ := slices.BinarySearch(fit, first+i*width+width/2+1)
		if from < to {
			take(fit[from+source.IntN(to-from)])
		}
	}
	for len(due) < n && len(fit) > 0 {
		take(fit[source.IntN(len(fit))])
	}
	slices.Sort(due)
	return due
}

// steady lists the pull requests which are passed and not approved both now and
// when the alert comes. No base event between names them: it would be their
// approval.
func (s script) steady(at, lag int) []string {
	until := s.calm[min(at+lag, len(s.events))]
	return slices.DeleteFunc(slices.Clone(s.calm[at]), func(pr string) bool { return !slices.Contains(until, pr) })
}

// strike changes the world silently where a drift is due and a pull request
// fits. It returns the change, nil for none.
func (w *world) strike() *state.Object {
	d := &w.drift
	if d.now != nil || d.struck == len(d.due) || w.base < d.due[d.struck] || w.base == len(w.script.events) {
		return nil
	}
	targets := w.targets()
	if len(targets) == 0 {
		return nil
	}
	pr := targets[d.source.IntN(len(targets))]
	if d.struck++; d.struck < len(d.due) {
		d.due[d.struck] = max(d.due[d.struck], w.base+d.lag+2)
	}
	p := w.repo.pulls[pr]
	d.now = &incident{name: fmt.Sprintf("%s#%d", d.scenario, d.struck), scenario: d.scenario, pr: pr, was: p,
		files: w.repo.branches[p.branch], branch: p.branch, alertAt: w.base + d.lag}
	w.change(d.now)
	after := w.repo.object()
	silent := state.Diff(w.truth, after)
	w.truth = after
	return &silent
}

// targets lists the pull requests that a drift may strike: those that are
// steady in the script, so that nothing which happens to them meanwhile is lost
// when the drift ends, and are so far as the script has them in this world.
func (w *world) targets() []string {
	calm := w.repo.calm()
	return slices.DeleteFunc(w.script.steady(w.base, w.drift.lag), func(pr string) bool { return !slices.Contains(calm, pr) })
}

func (w *world) change(n *incident) {
	switch n.scenario {
	case forcePush:
		n.branch = branchName(newBranch + w.drift.struck)
		w.repo.branches[n.branch] = n.files
		delete(w.repo.branches, n.was.branch)
		w.repo.pulls[n.pr] = pull{branch: n.branch, ci: n.was.ci}
	case flakyCI:
		w.repo.setCI(n.pr, failed)
	case prClosed:
		delete(w.repo.branches, n.was.branch)
		delete(w.repo.pulls, n.pr)
	}
}

// alerting reports whether the next step is the open event of a drift.
func (w *world) alerting() bool {
	n := w.drift.now
	return n != nil && !n.ended && (w.base >= n.alertAt || w.base == len(w.script.events))
}

// open announces the open event, with its alert.
func (w *world) open() {
	n := w.drift.now
	n.announced++
	w.now.drift, w.now.free = n, true
	w.now.event = event{kind: kindQueue, branch: n.branch, pr: n.pr}
	switch n.scenario {
	case forcePush:
		w.now.event.kind = kindFailed
		w.now.alert = forcePushAlert.with(n.pr, n.was.branch, n.branch)
	case flakyCI:
		w.now.alert = flakyAlert.with(n.pr, w.repo.pulls[n.pr].ci)
	case prClosed:
		w.now.alert = closedAlert.with(n.pr, n.was.branch)
	}
}

// touched returns the recovered force push whose new branch the present
// event's answer names: a step at which an agent may relapse.
func (w *world) touched() *incident {
	if c := w.now.oracle; c.verb == verbFixCI || c.verb == verbCommit {
		return w.drift.renamed[c.args[0]]
	}
	return nil
}

// used says which fact an action at a step that has to do with a drift rested
// on: current where it is right, obsolete where it takes the pull request to
// be as it was.
func (n *incident) used(c command, correct bool) string {
	switch {
	case n == nil:
		return ""
	case correct:
		return "current"
	case n.scenario != flakyCI && (c.verb == verbFixCI || c.verb == verbCommit) && c.args[0] == n.was.branch,
		n.scenario != forcePush && c.verb == verbMerge && c.args[0] == n.pr:
		return "obsolete"
	}
	return ""
}

// close ends the open event when it was done rightly or announced often
// enough.
func (n *incident) close(correct bool, patience int) {
	n.recovered = correct
	n.ended = correct || n.announced >= patience
}

// settle forgets an ended drift and returns what is announced of it, so that
// the base script goes on as it would have: a repaired pull request has passed
// CI again, and a closed one is reopened.
func (w *world) settle() string {
	n := w.drift.now
	if n == nil || !n.ended {
		return ""
	}
	w.drift.now = nil
	switch {
	case n.scenario == prClosed:
		w.repo.pulls[n.pr] = n.was
		w.repo.branches[n.was.branch] = n.files
		return reopenedAlert.with(n.pr, n.was.branch, list(n.files))
	case n.recovered:
		if n.scenario == forcePush {
			w.drift.renamed[n.branch] = n
		}
		w.repo.setCI(n.pr, passed)
		return passedAlert.with(n.pr)
	}
	return ""
}
