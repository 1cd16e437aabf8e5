package repo

import "strings"

// A sentence is a line of an observation or a summary, or its opening. The
// world writes with it and the reader of the simulated models reads with it,
// so that the two cannot drift apart. A % stands for one word, a * for a list
// of words.
type sentence string

// Result lines.
const (
	committed     sentence = "Success: committed % to %."
	committedOpen sentence = "Success: committed % to %; its CI is pending."
	opened        sentence = "Success: opened % from %; its CI is pending."
	merged        sentence = "Success: merged % into master."
	mergedBroken  sentence = "Success: merged % into master, but its CI was stale: master is broken."
	fixed         sentence = "Success: fixed %; its CI is pending."
	waited        sentence = "Success: waited."
	tested        sentence = "Success: tests of % ran; the CI of % is %."
	testedClosed  sentence = "Success: tests of % ran; no PR is open for it."

	noAction    sentence = "Error: no valid action"
	noCommand   sentence = "Error: not a command"
	noBranch    sentence = "Error: branch % is not open."
	noFile      sentence = "Error: file % does not exist."
	noCommits   sentence = "Error: branch % has no commits."
	alreadyOpen sentence = "Error: branch % already has %."
	noPull      sentence = "Error: branch % has no open PR."
	notOpen     sentence = "Error: % is not open."
	ciRefuses   sentence = "Error: the CI of % is %, so it cannot be merged."
	noReads     sentence = "Error: no free commands are left for this event."
)

const (
	successHeading = "Success: "
	errorHeading   = "Error: "
	webhookHeading = "[webhook] "
	alertHeading   = "ALERT: "
	noiseHeading   = "--- BACKGROUND TELEMETRY ---"
)

// Events, as webhook text.
const (
	issueText    sentence = "[webhook] Issue assigned on %: change %."
	reviewText   sentence = "[webhook] Review comment on %: change %."
	readyText    sentence = "[webhook] Branch ready: %, to be opened as %."
	ciFailedText sentence = "[webhook] CI failed for %."
	ciPassedText sentence = "[webhook] CI passed for %."
	approvedText sentence = "[webhook] Review approved %."
	queueText    sentence = "[webhook] Merge queue reached %: merge it, or fix its CI if that is not passed."
)

// Alerts of drift.
const (
	forcePushAlert sentence = "ALERT: The branch of % was replaced by a force push: % is gone, its files are on %."
	flakyAlert     sentence = "ALERT: The last CI run of % was flaky: its CI is %."
	closedAlert    sentence = "ALERT: % was closed by its author and branch % deleted."
	passedAlert    sentence = "ALERT: The CI of % is passed."
	reopenedAlert  sentence = "ALERT: % was reopened from % with *: its CI is passed, it is not approved."
)

// Statements of a summary.
const (
	filesSummary   sentence = "Branch % changes *."
	noFilesSummary sentence = "Branch % does not change *."
	branchSummary  sentence = "The branch of % is %."
	goneSummary    sentence = "% is not open."
	ciSummary      sentence = "The CI of % is %."
	yesSummary     sentence = "% is approved."
	noSummary      sentence = "% is not approved."
)

// with fills the slots, in order.
func (s sentence) with(words ...string) string {
	var b strings.Builder
	for _, r := range string(s) {
		if (r == '%' || r == '*') && len(words) > 0 {
			b.WriteString(words[0])
			words = words[1:]
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// slots returns the words in the slots of a line that is this sentence.
func (s sentence) slots(line string) ([]string, bool) {
	var words []string
	rest := string(s)
	for {
		i := strings.IndexAny(rest, "%*")
		if i < 0 {
			return words, line == rest
		}
		if !strings.HasPrefix(line, rest[:i]) {
			return nil, false
		}
		line = line[i:]
		list := rest[i] == '*'
		rest = rest[i+1:]
		next := rest
		if j := strings.IndexAny(rest, "%*"); j >= 0 {
			next = rest[:j]
		}
		end := strings.Index(line, next)
		if next == rest { // nothing but text follows: it ends the line
			end = len(line) - len(rest)
		}
		if end <= 0 || !list && strings.Contains(line[:end], " ") {
			return nil, false
		}
		words = append(words, line[:end])
		line = line[end:]
	}
}

// list writes the words of a * slot.
func list(words []string) string { return strings.Join(words, ", ") }

// unlist reads them.
func unlist(text string) []string { return strings.Split(text, ", ") }
