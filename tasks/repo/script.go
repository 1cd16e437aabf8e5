package repo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"skillbench/harness"
)

// A script is the base events of an episode, drawn against ground truth: a
// repository in which every event is answered by the oracle. It depends on
// (seed, T, options) and nothing else, so noise, drift and the agent cannot
// change it.
type script struct {
	events  []event
	numbers map[string]string // the pull request that each branch gets
	calm    [][]string        // before each event and after the last: pull requests with passed CI, not approved
	shares  Shares
}

// Shares describes what a script asks for, under oracle play.
type Shares struct {
	Events    int // base events, T
	Waits     int // of these, Wait is right
	Approvals int // of these, approvals, that is merge decisions
	Voided    int // of the approvals, those after a silent invalidation: the last announced CI result was passed, and Merge is wrong
	Merges    int // merges, that is features landed
}

// Share describes the base events of a spec.
func Share(spec harness.Spec) (Shares, error) {
	opts, err := decode(spec.Options)
	if err != nil {
		return Shares{}, err
	}
	return write(spec.Seed, spec.Horizon, opts).shares, nil
}

const (
	maxDrafts  = 200 // scripts drawn before the last is taken as it is
	shareFrom  = 50  // the horizon from which Voided is held between a third and two thirds
	maxFails   = 2   // CI failures of one pull request
	maxReviews = 3   // review comments on one pull request
)

// write draws scripts from the seed until one asks for enough memory: fewer
// than a fifth of the events are answered by Wait and, from 50 base events on, a
// third to two thirds of the approvals depend on a silent invalidation and
// there is room for five drifts. Options that cannot have that (one open branch,
// no overlap) get the last script drawn; Share tells.
func write(seed uint64, horizon int, opts Options) script {
	var s script
	for attempt := range maxDrafts {
		d := draft{opts: opts, horizon: horizon, repo: newRepository(),
			source: rand.New(rand.NewPCG(seed, uint64(horizon)<<16|uint64(attempt)))}
		d.numbers, d.calm = map[string]string{}, [][]string{nil}
		for range horizon {
			d.step()
		}
		if s = d.script; s.shares.fit() && (horizon < shareFrom || len(s.places(maxDrifts, defaultLag, driftSource(seed, horizon))) == maxDrifts) {
			break
		}
	}
	return s
}

func (s Shares) fit() bool {
	if s.Events >= shareFrom && (3*s.Voided < s.Approvals || 3*s.Voided > 2*s.Approvals || s.Approvals == 0) {
		return false
	}
	return 5*s.Waits < s.Events
}

// A draft is a script being drawn. Each step draws one number for the choice
// among the possible events, then what that event leaves open: the number of
// commits and of the pull request for a new branch, a file for a change.
type draft struct {
	script
	opts     Options
	horizon  int
	source   *rand.Rand
	repo     repository
	features []feature // in work, by age
	born     int
	lastPR   int
}

// A feature is a branch in work and what the draft has planned for it.
type feature struct {
	branch, pr    string
	want          int // commits before it is ready
	fails, review int // so far
}

// A choice is a possible next event of a feature and its weight.
type choice struct {
	feature int // index; that of a new one is len(features)
	kind    string
	weight  float64
}

func (d *draft) step() {
	choices := d.choices()
	var total float64
	for _, c := range choices {
		total += c.weight
	}
	at := d.source.Float64() * total
	picked := choices[len(choices)-1]
	for _, c := range choices {
		if at -= c.weight; at < 0 {
			picked = c
			break
		}
	}
	d.play(d.event(picked))
}

// choices lists what may come next. Approvals of a pull request that a merge
// has voided wait for a while and then come surely; others come sooner the
// more pull requests their merge voids.
func (d *draft) choices() []choice {
	var all []choice
	if room := min(d.opts.Open, 2+len(d.events)/6); len(d.features) < room {
		weight := 0.7
		if len(d.features) < 2 {
			weight = 2
		}
		all = append(all, choice{len(d.features), kindIssue, weight})
	}
	for i, f := range d.features {
		add := func(kind string, weight float64) { all = append(all, choice{i, kind, weight}) }
		p, open := d.repo.pulls[f.pr]
		switch {
		case !open && len(d.repo.branches[f.branch]) < f.want:
			add(kindIssue, 1)
		case !open:
			add(kindReady, 1.5)
		case p.ci == pending:
			add(kindPassed, 0.8)
			if f.fails < maxFails {
				add(kindFailed, 0.6)
			}
			if f.review < maxReviews {
				add(kindReview, 0.6)
			}
		case p.ci == stale:
			add(kindApproved, 0.5)
		default:
			add(kindApproved, 0.3+0.5*float64(d.voids(f.pr)))
		}
	}
	return all
}

// voids counts the pull requests whose CI a merge would void.
func (d *draft) voids(pr string) int {
	files, n := d.repo.branches[d.repo.pulls[pr].branch], 0
	for other, p := range d.repo.pulls {
		if other != pr && p.ci == passed && share(files, d.repo.branches[p.branch]) {
			n++
		}
	}
	return n
}

// event makes the chosen event and takes note of it.
func (d *draft) event(c choice) event {
	if c.feature == len(d.features) {
		d.features = append(d.features, d.birth())
		f := d.features[c.feature]
		return event{kind: kindIssue, branch: f.branch, file: d.file(f), first: true}
	}
	f := &d.features[c.feature]
	e := event{kind: c.kind, branch: f.branch, pr: f.pr}
	switch c.kind {
	case kindIssue:
		e.pr, e.file = "", d.file(*f)
	case kindReview:
		f.review++
		e.file = d.file(*f)
	case kindFailed:
		f.fails++
	}
	return e
}

// birth begins a feature. Pull requests are numbered with gaps, as on hosts
// where issues share the numbers, so that they cannot be guessed from branches.
func (d *draft) birth() feature {
	d.born++
	d.lastPR += 1 + d.source.IntN(4)
	f := feature{branch: branchName(d.born), pr: "pr_" + strconv.Itoa(d.lastPR), want: 1 + d.source.IntN(2)}
	d.numbers[f.branch] = f.pr
	return f
}

// file draws a file that the branch does not change yet: with the chance
// Overlap one that another branch in work changes.
func (d *draft) file(f feature) string {
	own := d.repo.branches[f.branch]
	var others []string
	if d.source.Float64() < d.opts.Overlap {
		for _, other := range d.features {
			for _, file := range d.repo.branches[other.branch] {
				if !slices.Contains(own, file) && !slices.Contains(others, file) {
					others = append(others, file)
				}
			}
		}
	}
	if len(others) > 0 {
		return others[d.source.IntN(len(others))]
	}
	at := d.source.IntN(d.opts.Files)
	for range d.opts.Files {
		if file := fileName(at); !slices.Contains(own, file) {
			return file
		}
		at = (at + 1) % d.opts.Files
	}
	return fileName(at)
}

func branchName(n int) string { return fmt.Sprintf("feature_%d", n) }
func fileName(n int) string   { return fmt.Sprintf("file_%d.go", n) }

// exists reports whether file is one of file_0.go to file_<n-1>.go. It must
// fit the grammar.
func exists(file string, n int) bool {
	number, err := strconv.Atoi(file[len("file_") : len(file)-len(".go")])
	return err == nil && number < n
}

// play answers the event as the oracle does and counts what it asked for.
func (d *draft) play(e event) {
	before := d.repo.pulls[e.pr].ci
	d.repo.announce(e)
	c, _ := d.repo.oracle(e)
	d.repo.do(c, limits{files: d.opts.Files, numbers: d.numbers})
	d.events = append(d.events, e)
	d.calm = append(d.calm, d.repo.calm())
	d.shares.Events++
	switch {
	case e.kind == kindApproved:
		d.shares.Approvals++
		if before == stale {
			d.shares.Voided++
		}
	case c.verb == verbWait:
		d.shares.Waits++
	}
	if c.verb == verbMerge {
		d.shares.Merges++
		d.features = slices.DeleteFunc(d.features, func(f feature) bool { return f.branch == e.branch })
	}
}
