package repo

import (
	"strings"

	"skillbench/harness/model/sim"
)

// Summarize writes two lines at most for each branch, the files it changes and
// those it does not, and one for each field of a pull request, in natural
// order. What is no fact of the task is left out.
func (language) Summarize(beliefs sim.Beliefs) string {
	var b strings.Builder
	last := ""
	for _, key := range sortedKeys(beliefs) {
		text := stated(key, beliefs)
		if text != "" && text != last {
			b.WriteString(text)
		}
		last = text
	}
	return b.String()
}

// stated is the lines that hold a belief. All keys of a branch, and all that
// say that a pull request is not open, give the same lines.
func stated(key string, beliefs sim.Beliefs) string {
	if branch, _, ok := strings.Cut(key, "/"); ok && branchWord.fits(branch) {
		return statedFiles(branch, beliefs)
	}
	pr, field, _ := strings.Cut(key, ".")
	value := beliefs[key]
	switch field = "." + field; {
	case !prWord.fits(pr):
		return ""
	case value == "":
		return goneSummary.with(pr) + "\n"
	case field == fieldBranch && branchWord.fits(value):
		return branchSummary.with(pr, value) + "\n"
	case field == fieldCI && isCI(value):
		return ciSummary.with(pr, value) + "\n"
	case field == fieldApproved && value == yes:
		return yesSummary.with(pr) + "\n"
	case field == fieldApproved && value == no:
		return noSummary.with(pr) + "\n"
	}
	return ""
}

func statedFiles(branch string, beliefs sim.Beliefs) string {
	var has, hasNot []string
	for _, key := range sortedKeys(beliefs) {
		file, ok := strings.CutPrefix(key, branch+"/")
		switch {
		case !ok || !fileWord.fits(file):
		case beliefs[key] == changed:
			has = append(has, file)
		case beliefs[key] == "":
			hasNot = append(hasNot, file)
		}
	}
	text := ""
	if len(has) > 0 {
		text += filesSummary.with(branch, list(has)) + "\n"
	}
	if len(hasNot) > 0 {
		text += noFilesSummary.with(branch, list(hasNot)) + "\n"
	}
	return text
}
