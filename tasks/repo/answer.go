package repo

import (
	"slices"

	"skillbench/harness/model/sim"
	"skillbench/harness/state"
)

// Answer follows the rules of the skill on what is believed. Where a needed
// fact is unknown, BestGuess takes the likeliest value: that the CI last
// announced for an approved pull request is passed, that a pull request is not
// approved, and that it comes from the first branch with commits that no other
// is believed to come from. What is known not to be open is not guessed at:
// the answer is Wait.
func (language) Answer(e sim.Event, beliefs sim.Beliefs, guess sim.Guess) sim.Answer {
	s := speaker{event: e, beliefs: beliefs, view: viewOf(beliefs), guess: guess}
	announced := s.announced()
	for _, f := range announced {
		s.view.take(f)
	}
	c, because, lacks := s.decide()
	then := sim.Beliefs{}
	for _, f := range append(announced, s.view.after(c, e.Args[argPR])...) {
		then[f.key] = f.value
	}
	return sim.Answer{Because: because, Action: c.String(), Then: then, Lacks: lacks}
}

// A speaker answers one event.
type speaker struct {
	event   sim.Event
	beliefs sim.Beliefs
	view    view
	guess   sim.Guess
}

// announced lists what the event itself makes true. It is true of an open pull
// request only.
func (s *speaker) announced() []fact {
	pr := s.event.Args[argPR]
	if s.closed(pr) {
		return nil
	}
	switch s.event.Kind {
	case kindFailed:
		return []fact{{pr + fieldCI, failed}}
	case kindPassed:
		return []fact{{pr + fieldCI, passed}}
	case kindApproved:
		return []fact{{pr + fieldApproved, yes}}
	}
	return nil
}

// closed reports whether a pull request is known not to be open.
func (s *speaker) closed(pr string) bool {
	branch, known := s.beliefs[pr+fieldBranch]
	return known && branch == ""
}

// decide returns the command, a remark, and the key of a fact that was needed
// and unknown.
func (s *speaker) decide() (c command, because, lacks string) {
	args := s.event.Args
	switch s.event.Kind {
	case kindIssue:
		return commit(args[argBranch], args[argFile]), "An assigned issue is worked on where it says.", ""
	case kindReady:
		return createPR(args[argBranch]), "A ready branch gets its pull request.", ""
	case "":
		return wait, "The observation holds no event.", ""
	}
	if s.closed(args[argPR]) {
		return wait, "What the event is about has left.", ""
	}
	switch s.event.Kind {
	case kindReview:
		return s.onBranch(func(branch string) command { return commit(branch, args[argFile]) }, "A reviewer's wish goes to the branch.")
	case kindFailed:
		return s.onBranch(fixCI, "A failed run is repaired on the branch.")
	case kindPassed:
		return s.afterPass()
	}
	return s.mergeOrFix()
}

// afterPass merges where the approval came first.
func (s *speaker) afterPass() (command, string, string) {
	key := s.event.Args[argPR] + fieldApproved
	switch s.beliefs[key] {
	case yes:
		return merge(s.event.Args[argPR]), "The approval came before this result.", ""
	case no:
		return wait, "There is no approval so far.", ""
	}
	return wait, "Whether there is an approval is not known.", key
}

// mergeOrFix merges where CI holds.
func (s *speaker) mergeOrFix() (command, string, string) {
	pr := s.event.Args[argPR]
	ci, known := s.beliefs[pr+fieldCI]
	switch {
	case ci == passed:
		return merge(pr), "The last result still holds.", ""
	case known && ci != "":
		return s.onBranch(fixCI, "There is no result that holds.")
	case s.guess == sim.BestGuess:
		return merge(pr), "No result is known, so the likeliest is taken.", pr + fieldCI
	}
	return wait, "No result is known.", pr + fieldCI
}

// onBranch gives a command on the branch of the event's pull request.
func (s *speaker) onBranch(on func(string) command, because string) (command, string, string) {
	key := s.event.Args[argPR] + fieldBranch
	if branch := s.beliefs[key]; branch != "" {
		return on(branch), because, ""
	}
	if branch := s.loose(); s.guess == sim.BestGuess && branch != "" {
		return on(branch), "The branch is not known, so the likeliest is tried.", key
	}
	return wait, "The branch is not known.", key
}

// loose is the first branch with commits that no pull request is believed to
// come from, "" where there is none.
func (s *speaker) loose() string {
	branches := make([]string, 0, len(s.view.repo.branches))
	for branch := range s.view.repo.branches {
		if _, taken := s.view.repo.pullOf(branch); !taken {
			branches = append(branches, branch)
		}
	}
	if len(branches) == 0 {
		return ""
	}
	return slices.MinFunc(branches, state.Compare)
}

// Render lists branches with files and pull requests whose branch and CI are
// believed; one without the other has no place in the state.
func (language) Render(beliefs sim.Beliefs) map[string]any {
	v := viewOf(beliefs)
	for pr, p := range v.repo.pulls {
		if p.branch == "" || p.ci == "" {
			delete(v.repo.pulls, pr)
		}
	}
	return v.repo.object().Root()
}
