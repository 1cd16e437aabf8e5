package repo

import (
	"maps"
	"slices"

	"skillbench/harness/state"
)

// Values of a pull request's CI.
const (
	pending = "pending" // a run is on its way
	passed  = "passed"  // passed, and valid for master as it is
	failed  = "failed"
	stale   = "stale" // passed, then voided by a merge that shares a file
)

// A pull is an open pull request.
type pull struct {
	branch   string
	ci       string
	approved bool
}

// A repository is what stands on top of master: the branches in work with the
// files they change, and the open pull requests. A branch without commits has
// an entry without files.
type repository struct {
	branches map[string][]string // file lists are never changed in place
	pulls    map[string]pull
}

func newRepository() repository {
	return repository{branches: map[string][]string{}, pulls: map[string]pull{}}
}

func (r repository) clone() repository {
	return repository{branches: maps.Clone(r.branches), pulls: maps.Clone(r.pulls)}
}

// pullOf returns the open pull request of a branch.
func (r repository) pullOf(branch string) (string, bool) {
	for pr, p := range r.pulls {
		if p.branch == branch {
			return pr, true
		}
	}
	return "", false
}

// add puts a file on a branch and restarts the CI of its pull request.
func (r repository) add(branch, file string) {
	if files := r.branches[branch]; !slices.Contains(files, file) {
		r.branches[branch] = append(slices.Clip(files), file)
	}
	r.restart(branch)
}

// restart sets the CI of the branch's pull request to pending.
func (r repository) restart(branch string) {
	if pr, ok := r.pullOf(branch); ok {
		r.setCI(pr, pending)
	}
}

// setCI changes the CI of a pull request if it is open.
func (r repository) setCI(pr, ci string) {
	if p, ok := r.pulls[pr]; ok {
		p.ci = ci
		r.pulls[pr] = p
	}
}

// approve marks a pull request as approved if it is open.
func (r repository) approve(pr string) {
	if p, ok := r.pulls[pr]; ok {
		p.approved = true
		r.pulls[pr] = p
	}
}

// merge puts a pull request's files on master: it and its branch are gone, and
// a passed CI of every other pull request that shares a file is stale. It
// returns those pull requests in natural order.
func (r repository) merge(pr string) []string {
	branch := r.pulls[pr].branch
	files := r.branches[branch]
	delete(r.pulls, pr)
	delete(r.branches, branch)
	var voided []string
	for other, p := range r.pulls {
		if p.ci == passed && share(files, r.branches[p.branch]) {
			voided = append(voided, other)
		}
	}
	slices.SortFunc(voided, state.Compare)
	for _, other := range voided {
		r.setCI(other, stale)
	}
	return voided
}

// calm lists the pull requests with passed CI that are not approved, in natural
// order.
func (r repository) calm() []string {
	var calm []string
	for pr, p := range r.pulls {
		if p.ci == passed && !p.approved {
			calm = append(calm, pr)
		}
	}
	slices.SortFunc(calm, state.Compare)
	return calm
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(file string) bool { return slices.Contains(b, file) })
}

// object shows the repository in the terms of the state schema: branches with
// a commit, and open pull requests.
func (r repository) object() state.Object {
	branches, prs := map[string]any{}, map[string]any{}
	for name, files := range r.branches {
		if len(files) == 0 {
			continue
		}
		changed := map[string]any{}
		for _, file := range files {
			changed[file] = true
		}
		branches[name] = changed
	}
	for name, p := range r.pulls {
		fields := map[string]any{"branch": p.branch, "ci": p.ci}
		if p.approved {
			fields["approved"] = true
		}
		prs[name] = fields
	}
	return state.From(map[string]any{"branches": branches, "prs": prs})
}
