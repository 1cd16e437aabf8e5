package repo

import (
	"fmt"
	"hash/fnv"
	"strings"
)

const (
	maxReads  = 5  // free commands for one event; further ones are refused and answer it wrongly
	fileLines = 40 // lines of a file
	maxHits   = 10 // lines that a Search shows
)

// answer carries out a free command, which changes nothing. Within the limit it
// is free whether it finds what it names or not.
func (w *world) answer(c command) (answer ruling, free bool) {
	if w.reads >= maxReads {
		return refuse(noReads), false
	}
	switch c.verb {
	case verbRead:
		return w.read(c), true
	case verbSearch:
		return w.search(c.args[0]), true
	}
	return w.runTests(c.args[0]), true
}

func (w *world) runTests(branch string) ruling {
	if _, ok := w.repo.branches[branch]; !ok {
		return refuse(noBranch, branch)
	}
	if pr, ok := w.repo.pullOf(branch); ok {
		return accept(tested, branch, pr, w.repo.pulls[pr].ci)
	}
	return accept(testedClosed, branch)
}

// read shows lines of a file on master.
func (w *world) read(c command) ruling {
	file, from, to := c.args[0], 1, fileLines
	if !exists(file, w.opts.Files) {
		return refuse(noFile, file)
	}
	if len(c.args) == 2 {
		from, to, _ = lines(c.args[1])
	}
	if from > fileLines {
		return ruling{valid: true, result: fmt.Sprintf("Success: read %s, lines %d-%d of %d: none.", file, from, to, fileLines)}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Success: read %s, lines %d-%d of %d.", file, from, min(to, fileLines), fileLines)
	for n := from; n <= min(to, fileLines); n++ {
		fmt.Fprintf(&b, "\n%d: %s", n, w.line(file, n))
	}
	return ruling{valid: true, result: b.String()}
}

// search shows the lines on master that hold a text.
func (w *world) search(text string) ruling {
	var b strings.Builder
	hits := 0
	for i := range w.opts.Files {
		file := fileName(i)
		for n := 1; n <= fileLines; n++ {
			line := w.line(file, n)
			if !strings.Contains(line, text) {
				continue
			}
			if hits++; hits <= maxHits {
				fmt.Fprintf(&b, "\n%s:%d: %s", file, n, line)
			}
		}
	}
	return ruling{valid: true, result: fmt.Sprintf("Success: searched master, %d lines found, %d shown.", hits, min(hits, maxHits)) + b.String()}
}

var (
	nouns = []string{"Order", "Index", "Cache", "Queue", "Token", "Batch", "Route", "Shard"}
	verbs = []string{"load", "store", "check", "merge", "split", "drop", "scan", "pack"}
)

// line is one line of a file on master; a merge into the file changes some.
func (w *world) line(file string, n int) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", w.spec.Seed, file, n)
	x := h.Sum64()
	noun, verb := nouns[x%8], verbs[x>>8%8]
	if n%8 == 1 {
		return fmt.Sprintf("// %s%s, revision %d", verb, noun, w.revs[file])
	}
	return fmt.Sprintf("func %s%s%d(n int) int { return n + %d }", verb, noun, n, x>>16%100)
}
