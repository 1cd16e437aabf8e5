// Package repo is the software repository of the paper (§4.1): branches with
// files that overlap, commits, pull requests, and CI over master. A merge
// silently voids the CI of every other open pull request that shares a file;
// nothing announces it.
package repo

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Task is the repository task. With the option `reads`, the commands
// `Read <file> [from-to]`, `Search <text>` and `RunTests <branch>` are free:
// the next observation answers them and announces the same event again, and
// they cost no base event (record.Outcome.Free). An event allows five of them;
// the sixth is refused and answers the event, wrongly, so every episode ends.
func Task() harness.Task {
	return harness.Task{
		Name:     "repo",
		Doc:      "a software repository: merges silently void the CI of pull requests that share a file",
		Skill:    "repo",
		Options:  func() harness.Options { o := defaults(); return &o },
		Drifts:   []string{forcePush, flakyCI, prClosed},
		New:      begin,
		Grammar:  Grammar,
		Effects:  Effects,
		Language: language{},
		Random:   Random,
	}
}

// Random draws a legal command: one on a branch or pull request that the truth
// holds, a commit to it or to the next new branch, or Wait.
func Random(r *rand.Rand, truth state.Object) string {
	prs, _ := truth.Get("prs")
	branches, _ := truth.Get("branches")
	options := []command{wait}
	next := 1
	for _, name := range names(branches) {
		options = append(options, commit(name, fileName(r.IntN(4))), createPR(name), fixCI(name))
		n, _ := strconv.Atoi(strings.TrimPrefix(name, "feature_"))
		next = max(next, n+1)
	}
	for _, name := range names(prs) {
		options = append(options, merge(name))
	}
	options = append(options, commit(branchName(next), fileName(r.IntN(4))))
	return options[r.IntN(len(options))].String()
}

func names(v any) []string {
	node, _ := v.(map[string]any)
	all := make([]string, 0, len(node))
	for name := range node {
		all = append(all, name)
	}
	slices.SortFunc(all, state.Compare)
	return all
}

// Landed counts the merges among outcomes: clean ones, and those that broke
// master because the CI was stale. The share of features merged without
// breaking master is clean ÷ Shares.Merges.
func Landed(outcomes []record.Outcome) (clean, broken int) {
	for _, o := range outcomes {
		if !o.Valid {
			continue
		}
		if _, ok := merged.slots(o.Result); ok {
			clean++
		} else if _, ok := mergedBroken.slots(o.Result); ok {
			broken++
		}
	}
	return clean, broken
}
