package repo

import (
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
)

// language is what simulated models know of the task. Read and the
// observations share one list of sentences; a line that is not wholly one of
// them says nothing, so neither noise nor reasoning is taken up.
//
// Invalidations are never announced, so Read infers them: it keeps what the
// text has said so far and, where a merge succeeds, mentions by the rules of
// the task that the merged pull request is gone and that the CI of every other
// one which is passed and shares a file is stale. In the same way a branch that
// was committed to or fixed leads to its pull request. These mentions stand at
// the place of the sentence. What the text has not told of, such as files pruned
// from a history, cannot be inferred.
type language struct{}

// Read takes one pass over the sections. The action of a past reply counts as
// tried unless the next section is an observation that opens with an error.
func (language) Read(sections []sim.Section) sim.Reading {
	l := listener{view: newView(), promised: map[string]string{}}
	for i, s := range sections {
		l.part, l.at = s.Part, s.At
		switch s.Part {
		case sim.InState:
			l.state(s.Text)
		case sim.InReply:
			l.reply(s.Text, resultOf(sections[i+1:]))
		default:
			l.event = sim.Event{}
			l.lines(s.Text)
		}
		if s.Part == sim.InObservation && l.event.Kind != "" {
			l.reading.Event = l.event
		}
	}
	return l.reading
}

// resultOf is the heading of the result line that the next section opens with,
// "" where it shows none.
func resultOf(next []sim.Section) string {
	if len(next) == 0 || next[0].Part != sim.InHistory && next[0].Part != sim.InObservation {
		return ""
	}
	text := strings.TrimLeft(next[0].Text, "\n")
	for _, heading := range []string{successHeading, errorHeading} {
		if strings.HasPrefix(text, heading) {
			return heading
		}
	}
	return ""
}

// A listener collects what the sections say.
type listener struct {
	part     sim.Part
	at       int // byte offset of the section in the prompt
	reading  sim.Reading
	event    sim.Event
	view     view              // what was said so far
	promised map[string]string // the pull request that a ready branch is to be opened as
}

func (l *listener) mention(stance sim.Stance, f fact, at int) {
	l.reading.Mentions = append(l.reading.Mentions, sim.Mention{Key: f.key, Value: f.value, Part: l.part, Stance: stance, At: l.at + at})
}

// say mentions facts and takes them for what the text has said.
func (l *listener) say(at int, facts ...fact) { l.take(sim.Says, at, facts) }

// announce is say for what an event changed: a result of CI, a review, a pull
// request that is back. Alerts to silent changes only say.
func (l *listener) announce(at int, facts ...fact) { l.take(sim.Announces, at, facts) }

func (l *listener) take(stance sim.Stance, at int, facts []fact) {
	for _, f := range facts {
		l.mention(stance, f, at)
		l.view.take(f)
	}
}

// lines reads sentences up to the noise block.
func (l *listener) lines(text string) { sim.EachLine(text, prompt.LabelBackground, l.line) }

func (l *listener) line(said string, at int) {
	known := plainStatements
	switch {
	case strings.HasPrefix(said, webhookHeading):
		known = webhooks
	case strings.HasPrefix(said, successHeading), strings.HasPrefix(said, errorHeading):
		known = results
	case strings.HasPrefix(said, alertHeading):
		known = alerts
	}
	for _, k := range known {
		if words, ok := k.says.slots(said); ok {
			k.hear(l, words, at)
			return
		}
	}
}

// A statement is a sentence and what follows from it.
type statement struct {
	says sentence
	hear func(l *listener, w []string, at int)
}

var results = []statement{
	{committed, func(l *listener, w []string, at int) { l.say(at, fileFact(w[1], w[0], changed)) }},
	{committedOpen, func(l *listener, w []string, at int) { l.say(at, l.view.after(commit(w[1], w[0]), "")...) }},
	{opened, func(l *listener, w []string, at int) { l.say(at, pullFacts(w[0], w[1], pending, no)...) }},
	{merged, func(l *listener, w []string, at int) { l.say(at, l.view.merged(w[0])...) }},
	{mergedBroken, func(l *listener, w []string, at int) { l.say(at, l.view.merged(w[0])...) }},
	{fixed, func(l *listener, w []string, at int) { l.say(at, l.view.after(fixCI(w[0]), "")...) }},
	{tested, func(l *listener, w []string, at int) {
		l.say(at, fact{w[1] + fieldBranch, w[0]}, fact{w[1] + fieldCI, w[2]})
	}},
	{alreadyOpen, func(l *listener, w []string, at int) { l.say(at, fact{w[1] + fieldBranch, w[0]}) }},
	{notOpen, hearGone},
	{ciRefuses, func(l *listener, w []string, at int) {
		l.mention(sim.Denies, fact{w[0] + fieldCI, passed}, at)
		l.say(at, fact{w[0] + fieldCI, w[1]})
	}},
	{noPull, hearNoPull},
	{noBranch, hearNoPull},
}

// hearGone takes up that a pull request is not open.
func hearGone(l *listener, w []string, at int) { l.say(at, l.view.gone(w[0])...) }

// hearNoPull counts against the pull request that was thought to come from the
// branch.
func hearNoPull(l *listener, w []string, at int) {
	if pr, ok := l.view.repo.pullOf(w[0]); ok {
		l.mention(sim.Denies, fact{pr + fieldBranch, w[0]}, at)
	}
}

var alerts = []statement{
	{forcePushAlert, func(l *listener, w []string, at int) { l.say(at, l.view.moved(w[0], w[1], w[2])...) }},
	{flakyAlert, func(l *listener, w []string, at int) { l.say(at, fact{w[0] + fieldCI, w[1]}) }},
	{closedAlert, hearGone},
	{passedAlert, func(l *listener, w []string, at int) { l.announce(at, fact{w[0] + fieldCI, passed}) }},
	{reopenedAlert, func(l *listener, w []string, at int) {
		l.announce(at, pullFacts(w[0], w[1], passed, no)...)
		for _, file := range unlist(w[2]) {
			l.announce(at, fileFact(w[1], file, changed))
		}
	}},
}

var plainStatements = []statement{
	{filesSummary, func(l *listener, w []string, at int) { l.hearFiles(w[0], w[1], changed, at) }},
	{noFilesSummary, func(l *listener, w []string, at int) { l.hearFiles(w[0], w[1], "", at) }},
	{branchSummary, func(l *listener, w []string, at int) { l.say(at, fact{w[0] + fieldBranch, w[1]}) }},
	{ciSummary, func(l *listener, w []string, at int) { l.say(at, fact{w[0] + fieldCI, w[1]}) }},
	{yesSummary, func(l *listener, w []string, at int) { l.say(at, fact{w[0] + fieldApproved, yes}) }},
	{noSummary, func(l *listener, w []string, at int) { l.say(at, fact{w[0] + fieldApproved, no}) }},
	{goneSummary, func(l *listener, w []string, at int) { l.say(at, pullFacts(w[0], "", "", "")...) }},
}

func (l *listener) hearFiles(branch, files, value string, at int) {
	for _, file := range unlist(files) {
		l.say(at, fileFact(branch, file, value))
	}
}

// The arguments of events.
const (
	argBranch = "branch"
	argPR     = "pr"
	argFile   = "file"
)

var webhooks = []statement{
	{issueText, hearing(kindIssue, argBranch, argFile)},
	{reviewText, hearing(kindReview, argPR, argFile)},
	{readyText, func(l *listener, w []string, at int) {
		hearing(kindReady, argBranch, argPR)(l, w, at)
		l.promised[w[0]] = w[1]
	}},
	{ciFailedText, func(l *listener, w []string, at int) {
		hearing(kindFailed, argPR)(l, w, at)
		l.announce(at, fact{w[0] + fieldCI, failed})
	}},
	{ciPassedText, func(l *listener, w []string, at int) {
		hearing(kindPassed, argPR)(l, w, at)
		l.announce(at, fact{w[0] + fieldCI, passed})
	}},
	{approvedText, func(l *listener, w []string, at int) {
		hearing(kindApproved, argPR)(l, w, at)
		l.announce(at, fact{w[0] + fieldApproved, yes})
	}},
	{queueText, hearing(kindQueue, argPR)},
}

// hearing takes up an event with the given arguments.
func hearing(kind string, args ...string) func(*listener, []string, int) {
	return func(l *listener, w []string, at int) {
		l.event = sim.Event{Kind: kind, Args: map[string]string{}, At: l.at + at}
		for i, arg := range args {
			l.event.Args[arg] = w[i]
		}
	}
}
