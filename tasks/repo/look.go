package repo

import (
	"strconv"
	"strings"

	"skillbench/harness/model/sim"
)

// Look looks at a file before a commit to it, and runs the tests and looks at
// two files of the branch before CI or a merge is dealt with. How far it has come
// it reads from the number of free commands that are left.
func (language) Look(sections []sim.Section, e sim.Event, beliefs sim.Beliefs) (string, bool) {
	left := offered(sections)
	if left == 0 {
		return "", false
	}
	looks := looksFor(e, beliefs)
	if done := maxReads - left; done < len(looks) {
		return looks[done], true
	}
	return "", false
}

func looksFor(e sim.Event, beliefs sim.Beliefs) []string {
	switch e.Kind {
	case kindIssue:
		return []string{"Read " + e.Args[argFile], "Search revision"}
	case kindReview:
		return []string{"Read " + e.Args[argFile] + " 1-20", "Read " + e.Args[argFile]}
	case kindFailed, kindPassed, kindApproved, kindQueue:
		branch := beliefs[e.Args[argPR]+fieldBranch]
		if branch == "" {
			return nil
		}
		looks := []string{"RunTests " + branch}
		for _, file := range viewOf(beliefs).repo.branches[branch] {
			if len(looks) < 3 {
				looks = append(looks, "Read "+file)
			}
		}
		return looks
	}
	return nil
}

// offered is the number of free commands that the latest observation offers.
func offered(sections []sim.Section) int {
	left := 0
	for _, s := range sections {
		if s.Part != sim.InObservation {
			continue
		}
		for line := range strings.Lines(s.Text) {
			rest, ok := strings.CutPrefix(line, offerHeading)
			if number, _, found := strings.Cut(rest, " "); ok && found {
				left, _ = strconv.Atoi(number)
			}
		}
	}
	return min(max(left, 0), maxReads)
}
