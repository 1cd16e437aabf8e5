package repo

import (
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/state"
)

// The keys of beliefs: "pr_3.branch", "pr_3.ci", "pr_3.approved" (yes or no),
// and "feature_4/file_7.go" (changed). A value of "" means that the pull
// request is not open, or that the branch does not change the file.
const (
	fieldBranch   = ".branch"
	fieldCI       = ".ci"
	fieldApproved = ".approved"

	yes     = "yes"
	no      = "no"
	changed = "changed"
)

// A fact is a belief's key and value.
type fact struct{ key, value string }

func fileFact(branch, file, value string) fact { return fact{branch + "/" + file, value} }

func pullFacts(pr, branch, ci, approved string) []fact {
	return []fact{{pr + fieldBranch, branch}, {pr + fieldCI, ci}, {pr + fieldApproved, approved}}
}

// A view is the repository as far as a text has told of it: what the rules
// need to say which facts follow from an action. Pull requests whose branch is
// not known are in it with the branch "".
type view struct{ repo repository }

func newView() view { return view{newRepository()} }

// viewOf takes beliefs as a view.
func viewOf(beliefs sim.Beliefs) view {
	v := newView()
	for _, key := range sortedKeys(beliefs) {
		v.take(fact{key, beliefs[key]})
	}
	return v
}

// take makes a fact part of the view. A key that is none of the task's is
// left alone.
func (v view) take(f fact) {
	if branch, file, ok := strings.Cut(f.key, "/"); ok {
		v.takeFile(branch, file, f.value == changed)
		return
	}
	pr, field, ok := strings.Cut(f.key, ".")
	if !ok {
		return
	}
	p := v.repo.pulls[pr]
	switch "." + field {
	case fieldBranch:
		if p.branch = f.value; f.value == "" {
			delete(v.repo.pulls, pr)
			return
		}
	case fieldCI:
		p.ci = f.value
	case fieldApproved:
		p.approved = f.value == yes
	}
	if f.value != "" {
		v.repo.pulls[pr] = p
	}
}

func (v view) takeFile(branch, file string, has bool) {
	files := v.repo.branches[branch]
	i := slices.Index(files, file)
	switch {
	case has && i < 0:
		v.repo.branches[branch] = append(slices.Clip(files), file)
	case !has && i >= 0 && len(files) == 1:
		delete(v.repo.branches, branch)
	case !has && i >= 0:
		v.repo.branches[branch] = slices.Delete(slices.Clone(files), i, i+1)
	}
}

// after lists the facts that follow when a command succeeds, by the rules of
// the task: here a merge becomes the stale CI of others, which no text says.
// Opened is the pull request that CreatePR gives, "" where it is not known.
func (v view) after(c command, opened string) []fact {
	switch c.verb {
	case verbCommit:
		return append([]fact{fileFact(c.args[0], c.args[1], changed)}, v.restarted(c.args[0])...)
	case verbFixCI:
		return v.restarted(c.args[0])
	case verbCreatePR:
		if opened != "" {
			return pullFacts(opened, c.args[0], pending, no)
		}
	case verbMerge:
		return v.merged(c.args[0])
	}
	return nil
}

func (v view) restarted(branch string) []fact {
	if pr, ok := v.repo.pullOf(branch); ok {
		return []fact{{pr + fieldCI, pending}}
	}
	return nil
}

func (v view) merged(pr string) []fact {
	gone := v.gone(pr)
	next := v.repo.clone()
	for _, other := range next.merge(pr) {
		gone = append(gone, fact{other + fieldCI, stale})
	}
	return gone
}

// gone lists the facts of a pull request and its branch that no longer are.
func (v view) gone(pr string) []fact {
	branch := v.repo.pulls[pr].branch
	facts := pullFacts(pr, "", "", "")
	for _, file := range v.repo.branches[branch] {
		facts = append(facts, fileFact(branch, file, ""))
	}
	return facts
}

// moved lists the facts after a force push that renamed a branch.
func (v view) moved(pr, from, to string) []fact {
	facts := []fact{{pr + fieldBranch, to}}
	for _, file := range v.repo.branches[from] {
		facts = append(facts, fileFact(from, file, ""), fileFact(to, file, changed))
	}
	return facts
}

func sortedKeys(beliefs sim.Beliefs) []string {
	keys := make([]string, 0, len(beliefs))
	for key := range beliefs {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, state.Compare)
	return keys
}
