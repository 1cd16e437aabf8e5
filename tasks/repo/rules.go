package repo

// Kinds of events.
const (
	kindIssue    = "issue"
	kindReview   = "review"
	kindReady    = "ready"
	kindFailed   = "ci_failed"
	kindPassed   = "ci_passed"
	kindApproved = "approved"
	kindQueue    = "queue" // open events of drift only
)

// An event is one webhook: what it names depends on its kind.
type event struct {
	kind   string
	branch string // issue, ready; the script's own branch for the other kinds
	pr     string // all but issue
	file   string // issue, review
	first  bool   // the issue that creates the branch
}

// item is what the event is about, the same whatever the agent did.
func (e event) item() string {
	switch e.kind {
	case kindIssue:
		return e.branch + " " + e.file
	case kindReview:
		return e.pr + " " + e.file
	case kindReady:
		return e.branch
	}
	return e.pr
}

func (e event) text() string {
	switch e.kind {
	case kindIssue:
		return issueText.with(e.branch, e.file)
	case kindReview:
		return reviewText.with(e.pr, e.file)
	case kindReady:
		return readyText.with(e.branch, e.pr)
	case kindFailed:
		return ciFailedText.with(e.pr)
	case kindPassed:
		return ciPassedText.with(e.pr)
	case kindApproved:
		return approvedText.with(e.pr)
	}
	return queueText.with(e.pr)
}

// announce makes true what the event itself says.
func (r repository) announce(e event) {
	switch e.kind {
	case kindIssue:
		if _, ok := r.branches[e.branch]; e.first && !ok {
			r.branches[e.branch] = nil
		}
	case kindFailed:
		r.setCI(e.pr, failed)
	case kindPassed:
		r.setCI(e.pr, passed)
	case kindApproved:
		r.approve(e.pr)
	}
}

// oracle returns the one right answer to an event that has been announced, or
// false where this repository leaves none.
func (r repository) oracle(e event) (command, bool) {
	p, open := r.pulls[e.pr]
	switch e.kind {
	case kindIssue:
		_, ok := r.branches[e.branch]
		return commit(e.branch, e.file), ok
	case kindReady:
		return createPR(e.branch), len(r.branches[e.branch]) > 0 && !open
	case kindReview:
		return commit(p.branch, e.file), open
	case kindFailed:
		return fixCI(p.branch), open
	case kindPassed:
		if !p.approved {
			return wait, open
		}
	}
	if p.ci != passed {
		return fixCI(p.branch), open
	}
	return merge(e.pr), open
}

// A ruling is what the world makes of a command.
type ruling struct {
	valid  bool
	result string
	voided []string // pull requests whose CI the command made stale
}

func refuse(s sentence, words ...string) ruling { return ruling{result: s.with(words...)} }
func accept(s sentence, words ...string) ruling {
	return ruling{valid: true, result: s.with(words...)}
}

// limits are the parts of the script that bound what a command may name.
type limits struct {
	files   int               // the repository holds file_0.go to file_<files-1>.go
	numbers map[string]string // the pull request reserved for each branch
}

// do carries out a command of the five, or refuses it and changes nothing.
func (r repository) do(c command, l limits) ruling {
	switch c.verb {
	case verbCommit:
		return r.doCommit(c.args[0], c.args[1], l)
	case verbCreatePR:
		return r.doCreate(c.args[0], l)
	case verbMerge:
		return r.doMerge(c.args[0])
	case verbFixCI:
		pr, ok := r.pullOf(c.args[0])
		if !ok {
			return refuse(noPull, c.args[0])
		}
		r.setCI(pr, pending)
		return accept(fixed, c.args[0])
	}
	return accept(waited)
}

func (r repository) doCommit(branch, file string, l limits) ruling {
	if _, ok := r.branches[branch]; !ok {
		return refuse(noBranch, branch)
	}
	if !exists(file, l.files) {
		return refuse(noFile, file)
	}
	r.add(branch, file)
	if _, ok := r.pullOf(branch); ok {
		return accept(committedOpen, file, branch)
	}
	return accept(committed, file, branch)
}

func (r repository) doCreate(branch string, l limits) ruling {
	files, ok := r.branches[branch]
	if !ok {
		return refuse(noBranch, branch)
	}
	if len(files) == 0 {
		return refuse(noCommits, branch)
	}
	if pr, ok := r.pullOf(branch); ok {
		return refuse(alreadyOpen, branch, pr)
	}
	pr := l.numbers[branch]
	r.pulls[pr] = pull{branch: branch, ci: pending}
	return accept(opened, pr, branch)
}

// doMerge follows a host that shows only the last CI result: it cannot tell a
// stale result from a valid one, so the merge goes through and breaks master.
func (r repository) doMerge(pr string) ruling {
	p, ok := r.pulls[pr]
	if !ok {
		return refuse(notOpen, pr)
	}
	if p.ci != passed && p.ci != stale {
		return refuse(ciRefuses, pr, p.ci)
	}
	text := merged
	if p.ci == stale {
		text = mergedBroken
	}
	done := accept(text, pr)
	done.voided = r.merge(pr)
	return done
}
