package repo

import (
	"slices"
	"strings"
)

// A sentence is a line of an observation or a summary, or its opening. The
// world writes with it and the reader of the simulated models reads with it,
// so that the two cannot drift apart. %b stands for a branch, %f for a file, %p
// for a pull request, %c for a state of CI, %l for a list of files.
type sentence string

// Result lines.
const (
	committed     sentence = "Success: committed %f to %b."
	committedOpen sentence = "Success: committed %f to %b; its CI is pending."
	opened        sentence = "Success: opened %p from %b; its CI is pending."
	merged        sentence = "Success: merged %p into master."
	mergedBroken  sentence = "Success: merged %p into master, but its CI was stale: master is broken."
	fixed         sentence = "Success: fixed %b; its CI is pending."
	waited        sentence = "Success: waited."
	tested        sentence = "Success: tests of %b ran; the CI of %p is %c."
	testedClosed  sentence = "Success: tests of %b ran; no PR is open for it."

	noAction    sentence = "Error: no valid action"
	noCommand   sentence = "Error: not a command"
	noBranch    sentence = "Error: branch %b is not open."
	noFile      sentence = "Error: file %f does not exist."
	noCommits   sentence = "Error: branch %b has no commits."
	alreadyOpen sentence = "Error: branch %b already has %p."
	noPull      sentence = "Error: branch %b has no open PR."
	notOpen     sentence = "Error: %p is not open."
	ciRefuses   sentence = "Error: the CI of %p is %c, so it cannot be merged."
	noReads     sentence = "Error: no free commands are left for this event."
)

const (
	successHeading = "Success: "
	errorHeading   = "Error: "
	webhookHeading = "[webhook] "
	alertHeading   = "ALERT: "
)

// Events, as webhook text.
const (
	issueText    sentence = "[webhook] Issue assigned on %b: change %f."
	reviewText   sentence = "[webhook] Review comment on %p: change %f."
	readyText    sentence = "[webhook] Branch ready: %b, to be opened as %p."
	ciFailedText sentence = "[webhook] CI failed for %p."
	ciPassedText sentence = "[webhook] CI passed for %p."
	approvedText sentence = "[webhook] Review approved %p."
	queueText    sentence = "[webhook] Merge queue reached %p: merge it, or fix its CI if that is not passed."
)

// Alerts of drift.
const (
	forcePushAlert sentence = "ALERT: The branch of %p was replaced by a force push: %b is gone, its files are on %b."
	flakyAlert     sentence = "ALERT: The last CI run of %p was flaky: its CI is %c."
	closedAlert    sentence = "ALERT: %p was closed by its author and branch %b deleted."
	passedAlert    sentence = "ALERT: The CI of %p is passed."
	reopenedAlert  sentence = "ALERT: %p was reopened from %b with %l: its CI is passed, it is not approved."
)

// Statements of a summary.
const (
	filesSummary   sentence = "Branch %b changes %l."
	noFilesSummary sentence = "Branch %b does not change %l."
	branchSummary  sentence = "The branch of %p is %b."
	goneSummary    sentence = "%p is not open."
	ciSummary      sentence = "The CI of %p is %c."
	yesSummary     sentence = "%p is approved."
	noSummary      sentence = "%p is not approved."
)

// with fills the slots, in order.
func (s sentence) with(words ...string) string {
	var b strings.Builder
	rest := string(s)
	for _, word := range words {
		before, after, ok := strings.Cut(rest, "%")
		if !ok {
			break
		}
		b.WriteString(before + word)
		rest = after[1:]
	}
	b.WriteString(rest)
	return b.String()
}

// slots returns the words in the slots of a line that is this sentence and
// nothing else.
func (s sentence) slots(line string) ([]string, bool) {
	var words []string
	text, rest, ok := strings.Cut(string(s), "%")
	for ok {
		var found bool
		if line, found = strings.CutPrefix(line, text); !found {
			return nil, false
		}
		slot := rest[0]
		text, rest, ok = strings.Cut(rest[1:], "%")
		end := strings.Index(line, text)
		if !ok { // the last slot: what follows it ends the line
			end = len(line) - len(text)
		}
		if end < 0 || !fits(slot, line[:end]) {
			return nil, false
		}
		words = append(words, line[:end])
		line = line[end:]
	}
	return words, line == text
}

func fits(slot byte, word string) bool {
	switch slot {
	case 'b':
		return branchWord.fits(word)
	case 'f':
		return fileWord.fits(word)
	case 'p':
		return prWord.fits(word)
	case 'c':
		return isCI(word)
	}
	return !slices.ContainsFunc(unlist(word), func(file string) bool { return !fileWord.fits(file) })
}

func isCI(word string) bool {
	return word == pending || word == passed || word == failed || word == stale
}

// list writes a list of files.
func list(files []string) string { return strings.Join(files, ", ") }

// unlist reads it.
func unlist(text string) []string { return strings.Split(text, ", ") }
