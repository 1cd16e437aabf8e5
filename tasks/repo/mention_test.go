package repo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/state"
)

// said lists mentions as "stance key=value".
func said(mentions []sim.Mention) []string {
	var all []string
	for _, m := range mentions {
		all = append(all, string(m.Stance)+" "+m.Key+"="+m.Value)
	}
	return all
}

const knownState = `{"branches":{"feature_1":{"file_1.go":true},"feature_2":{"file_1.go":true}},"prs":{"pr_1":{"branch":"feature_1","ci":"passed"},"pr_2":{"approved":true,"branch":"feature_2","ci":"passed"}}}`

func TestMentions(t *testing.T) {
	t.Parallel()
	inState := []string{
		"says feature_1/file_1.go=changed", "says feature_2/file_1.go=changed",
		"says pr_1.branch=feature_1", "says pr_1.ci=passed", "says pr_1.approved=no",
		"says pr_2.approved=yes", "says pr_2.branch=feature_2", "says pr_2.ci=passed",
	}
	gone := func(stance string) []string {
		return []string{stance + " pr_1.branch=", stance + " pr_1.ci=", stance + " pr_1.approved=", stance + " feature_1/file_1.go=", stance + " pr_2.ci=stale"}
	}
	for _, test := range []struct {
		name     string
		sections []sim.Section // after the state
		want     []string      // after what the state says
	}{
		{"a merge voids", []sim.Section{{Part: sim.InObservation, Text: "Success: merged pr_1 into master.\n"}}, gone("says")},
		{"a merge tried", []sim.Section{{Part: sim.InReply, Text: "Why not.\nAction: Merge pr_1\n"}, {Part: sim.InHistory, Text: "(observation no longer shown)\n"}}, gone("tries")},
		{"a merge tried in an envelope", []sim.Section{{Part: sim.InReply, Text: "```json\n{\"state_patch\": {}, \"action\": \"Merge pr_1\"}\n```"}}, gone("tries")},
		{"a merge refused", []sim.Section{{Part: sim.InReply, Text: "Action: Merge pr_2"}, {Part: sim.InObservation, Text: "Error: the CI of pr_2 is failed, so it cannot be merged.\n"}},
			[]string{"denies pr_2.ci=passed", "says pr_2.ci=failed"}},
		{"a fix refused", []sim.Section{{Part: sim.InObservation, Text: "Error: branch feature_2 has no open PR.\n"}}, []string{"denies pr_2.branch=feature_2"}},
		{"a fix", []sim.Section{{Part: sim.InObservation, Text: "Success: fixed feature_2; its CI is pending.\n"}}, []string{"says pr_2.ci=pending"}},
		{"a commit", []sim.Section{{Part: sim.InObservation, Text: "Success: committed file_3.go to feature_1; its CI is pending.\n"}},
			[]string{"says feature_1/file_3.go=changed", "says pr_1.ci=pending"}},
		{"a new pull request", []sim.Section{
			{Part: sim.InHistory, Text: "[webhook] Branch ready: feature_3, to be opened as pr_9.\n"},
			{Part: sim.InReply, Text: "Action: CreatePR feature_3"}},
			[]string{"tries pr_9.branch=feature_3", "tries pr_9.ci=pending", "tries pr_9.approved=no"}},
		{"a force push", []sim.Section{{Part: sim.InObservation, Text: forcePushAlert.with("pr_1", "feature_1", "feature_9") + "\n"}},
			[]string{"says pr_1.branch=feature_9", "says feature_1/file_1.go=", "says feature_9/file_1.go=changed"}},
		{"a closed one", []sim.Section{{Part: sim.InObservation, Text: closedAlert.with("pr_1", "feature_1") + "\n"}}, gone("says")[:4]},
		{"a reopened one", []sim.Section{{Part: sim.InObservation, Text: reopenedAlert.with("pr_5", "feature_5", "file_1.go, file_2.go") + "\n"}},
			[]string{"announces pr_5.branch=feature_5", "announces pr_5.ci=passed", "announces pr_5.approved=no", "announces feature_5/file_1.go=changed", "announces feature_5/file_2.go=changed"}},
		{"a result of CI", []sim.Section{{Part: sim.InObservation, Text: "[webhook] CI passed for pr_2.\n"}}, []string{"announces pr_2.ci=passed"}},
		{"an alert to one", []sim.Section{{Part: sim.InObservation, Text: flakyAlert.with("pr_2", failed) + "\n"}}, []string{"says pr_2.ci=failed"}},
		{"noise", []sim.Section{{Part: sim.InObservation, Text: strings.TrimSuffix(prompt.LabelBackground, "\n") + "\nSuccess: merged pr_1 into master.\n"}}, nil},
		{"quoted text", []sim.Section{{Part: sim.InReply, Text: "Success: merged pr_1 into master.\nAction: Wait"}, {Part: sim.InHistory, Text: "They wrote: Success: merged pr_1 into master.\n"}}, nil},
	} {
		sections := append([]sim.Section{{Part: sim.InState, Text: "```json\n" + knownState + "\n```\n"}}, test.sections...)
		got := said(language{}.Read(sections).Mentions)
		if diff := cmp.Diff(append(inState[:len(inState):len(inState)], test.want...), got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestMentionsStandWhereTheTextIs(t *testing.T) {
	t.Parallel()
	text := "Success: opened pr_1 from feature_1; its CI is pending.\n[webhook] CI passed for pr_2.\n"
	r := language{}.Read([]sim.Section{{Part: sim.InObservation, Text: text, At: 100}})
	want := sim.Event{Kind: kindPassed, Args: map[string]string{argPR: "pr_2"}, At: 100 + strings.Index(text, "[webhook]")}
	if diff := cmp.Diff(want, r.Event); diff != "" {
		t.Error(diff)
	}
	if first, last := r.Mentions[0], r.Mentions[len(r.Mentions)-1]; first.At != 100 || last.At != want.At {
		t.Errorf("mentions at %d and %d, want 100 and %d", first.At, last.At, want.At)
	}
	r = language{}.Read([]sim.Section{{Part: sim.InState, Text: knownState, At: 50}})
	for _, m := range r.Mentions {
		if m.At < 50 || m.At >= 50+len(knownState) {
			t.Errorf("%s at %d", m.Key, m.At)
		}
	}
}

func TestStateIsReadAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	for cut := range len(knownState) {
		language{}.Read([]sim.Section{{Part: sim.InState, Text: knownState[:cut]}})
	}
	half := knownState[:strings.Index(knownState, `"prs"`)]
	if got := len(language{}.Read([]sim.Section{{Part: sim.InState, Text: half}}).Mentions); got != 2 {
		t.Errorf("half a state gives %d mentions, want 2", got)
	}
}

func TestRenderShowsWhatTheStateHolds(t *testing.T) {
	t.Parallel()
	beliefs := believe(language{}.Read([]sim.Section{{Part: sim.InState, Text: knownState}}).Mentions)
	if got := state.From(language{}.Render(beliefs)).Compact(); got != knownState {
		t.Errorf("rendered %s, want %s", got, knownState)
	}
}

func TestAnswersWhereFactsLack(t *testing.T) {
	t.Parallel()
	ask := func(kind string) sim.Event {
		return sim.Event{Kind: kind, Args: map[string]string{argPR: "pr_1", argBranch: "feature_1", argFile: "file_1.go"}}
	}
	loose := sim.Beliefs{"feature_2/file_1.go": changed, "feature_3/file_1.go": changed, "pr_2.branch": "feature_2"}
	for _, test := range []struct {
		event   sim.Event
		beliefs sim.Beliefs
		guess   sim.Guess
		action  string
		lacks   string
	}{
		{ask(kindIssue), nil, sim.Abstain, "Commit feature_1 file_1.go", ""},
		{ask(kindReady), nil, sim.Abstain, "CreatePR feature_1", ""},
		{ask(kindReview), loose, sim.Abstain, "Wait", "pr_1.branch"},
		{ask(kindReview), loose, sim.BestGuess, "Commit feature_3 file_1.go", "pr_1.branch"},
		{ask(kindFailed), nil, sim.BestGuess, "Wait", "pr_1.branch"},
		{ask(kindFailed), sim.Beliefs{"pr_1.branch": "feature_5"}, sim.Abstain, "FixCI feature_5", ""},
		{ask(kindPassed), nil, sim.BestGuess, "Wait", "pr_1.approved"},
		{ask(kindPassed), sim.Beliefs{"pr_1.approved": yes}, sim.Abstain, "Merge pr_1", ""},
		{ask(kindApproved), nil, sim.Abstain, "Wait", "pr_1.ci"},
		{ask(kindApproved), nil, sim.BestGuess, "Merge pr_1", "pr_1.ci"},
		{ask(kindApproved), sim.Beliefs{"pr_1.ci": stale, "pr_1.branch": "feature_5"}, sim.Abstain, "FixCI feature_5", ""},
		{ask(kindApproved), sim.Beliefs{"pr_1.branch": "", "pr_1.ci": ""}, sim.BestGuess, "Wait", ""},
		{sim.Event{}, loose, sim.BestGuess, "Wait", ""},
	} {
		got := language{}.Answer(test.event, test.beliefs, test.guess)
		if got.Action != test.action || got.Lacks != test.lacks {
			t.Errorf("%s with %v, %s: %q lacking %q, want %q lacking %q", test.event.Kind, test.beliefs, test.guess, got.Action, got.Lacks, test.action, test.lacks)
		}
	}
}

// Whatever a text holds, nothing panics, and what is rendered is a state.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	rules := schema(t)
	words := rapid.SampledFrom([]string{"feature_1", "feature_2", "pr_1", "pr_2", "file_1.go", "file_2.go, file_1.go", "passed", "stale", "", " ", "/", ".", "%", "*", "\n", "\xff", "{", "\"", "pr_1.ci", "feature_1/x"})
	parts := rapid.SampledFrom([]sim.Part{sim.InState, sim.InSummary, sim.InHistory, sim.InReply, sim.InObservation})
	heads := rapid.SampledFrom(append(sentences(), "Action: Merge %p", "Action: CreatePR %b", "\"action\": \"Commit %b %f\"", knownState, `{"prs":{"%p":{"ci":"%c"}},"branches":{"%b":{"%f":true}}}`, "%p"))
	rapid.Check(t, func(rt *rapid.T) {
		sections := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) sim.Section {
			var b strings.Builder
			for range rapid.IntRange(0, 4).Draw(rt, "lines") {
				b.WriteString(heads.Draw(rt, "sentence").with(rapid.SliceOfN(words, 4, 4).Draw(rt, "words")...) + "\n")
			}
			return sim.Section{Part: parts.Draw(rt, "part"), Text: b.String()}
		}), 0, 8).Draw(rt, "sections")
		r := language{}.Read(sections)
		beliefs := believe(r.Mentions)
		for _, guess := range []sim.Guess{sim.BestGuess, sim.Abstain} {
			a := language{}.Answer(r.Event, beliefs, guess)
			for key, value := range a.Then {
				beliefs[key] = value
			}
		}
		if v := rules.Check(state.From(language{}.Render(beliefs))); len(v) > 0 {
			rt.Fatalf("rendered a state that breaks the schema: %v", v)
		}
		language{}.Summarize(beliefs)
	})
}
