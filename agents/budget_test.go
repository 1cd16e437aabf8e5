package agents_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"skillbench/agents"
	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A capped strategy under test, with a budget of its own.
type underBudget struct {
	setup harness.Setup
	agent harness.Agent
	limit int
	judge func(prompt.Prompt) record.Scores // of an informer
}

func (u underBudget) size(text string) int {
	if u.setup.Settings.Budget.Tokens > 0 {
		return u.setup.Encoding.Count(text)
	}
	return utf8.RuneCountInString(text)
}

// drawBudget builds the strategy with a budget that P, contract and observation
// sometimes exceed.
func drawBudget(rt *rapid.T, p *harness.Plan) underBudget {
	c := p.Columns[0]
	s := harness.Setup{Skill: p.Variants[0].Skill, Settings: c.Settings, Templates: p.Templates, Encoding: p.Encoding, Task: p.Variants[0].Task}
	u := underBudget{limit: rapid.IntRange(700, 2600).Draw(rt, "budget")}
	s.Settings.Budget = harness.Budget{Chars: u.limit}
	if rapid.Bool().Draw(rt, "in tokens") {
		u.limit /= 4
		s.Settings.Budget = harness.Budget{Tokens: u.limit}
	}
	if s.Settings.Memory != "" {
		s.Settings.Memory = rapid.SampledFrom([]harness.MemoryMode{harness.Rewrite, harness.Append}).Draw(rt, "memory")
		s.Settings.Recent = rapid.IntRange(0, 3).Draw(rt, "recent")
		s.Settings.Fold = rapid.IntRange(0, 3).Draw(rt, "fold")
	}
	u.setup = s
	var err error
	if u.agent, err = c.Strategy.New(s); err != nil {
		rt.Fatal(err)
	}
	return u
}

// text draws what models and worlds write, and what they should not.
func text(rt *rapid.T, name string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{
		"item_12", " on shelf_7", ". ", "\n", "\n\n", "/", "  ", "船", "é", "Action: Wait", "## History\n", "'s", "'", "x", "1", "{\"a\":",
		"Success: stored item_3 on shelf_4.\n", "Customer ordered item_3.\n", "I think this is right", "\u00a0", "\r\n",
	}), 0, 40).Draw(rt, name)
	return strings.Join(parts, "")
}

// drive shows the agent an episode and hands each prompt to judge.
func (u underBudget) drive(rt *rapid.T, judge func(v harness.View, p prompt.Prompt, summary bool)) {
	var past []record.Turn
	for n := range rapid.IntRange(1, 12).Draw(rt, "steps") {
		v := harness.View{Step: n, Observation: text(rt, "observation") + "\n", Past: past}
		if rapid.IntRange(0, 3).Draw(rt, "refused") == 0 {
			v.Feedback = []state.Violation{{Class: "empty", Hint: text(rt, "hint")}}
		}
		if s, ok := u.agent.(harness.Summarizer); ok {
			if p, due := s.Due(v); due {
				judge(v, p, true)
				s.Summarized(text(rt, "summary"))
			}
		}
		if i, ok := u.agent.(harness.Inquirer); ok {
			for p, due := i.Ask(v); due; p, due = i.Ask(v) {
				i.Told(u.judge(p))
			}
		}
		p, err := u.agent.Prompt(v)
		switch {
		case errors.Is(err, harness.ErrBudget):
			if least := u.size(u.least(rt, v)); least <= u.limit {
				rt.Fatalf("step %d: refused, and the parts that are never cut are %d of %d", n, least, u.limit)
			}
		case err != nil:
			rt.Fatal(err)
		default:
			judge(v, p, false)
		}
		past = append(past, record.Turn{Step: n, Observation: v.Observation, Reply: text(rt, "reply"), Action: "Wait"})
	}
}

// least is the prompt of a fresh agent at the same step without a past.
func (u underBudget) least(rt *rapid.T, v harness.View) string {
	s := u.setup
	s.Settings.Budget = harness.Budget{Chars: 1_000_000}
	a, err := agents.React().New(s)
	if s.Settings.Memory != "" {
		a, err = agents.SummaryCapped().New(s)
	}
	if err != nil {
		rt.Fatal(err)
	}
	v.Past = nil
	p, err := a.Prompt(v)
	if err != nil {
		rt.Fatal(err)
	}
	return p.Text()
}

func (u underBudget) within(rt *rapid.T, v harness.View, p prompt.Prompt) {
	if n := u.size(p.Text()); n > u.limit {
		rt.Fatalf("step %d: the prompt has %d of %d", v.Step, n, u.limit)
	}
	if !strings.Contains(p.Text(), u.setup.Skill.Instructions) {
		rt.Fatalf("step %d: instructions were cut", v.Step)
	}
}

// inserted is a prompt with a text behind a label.
func inserted(p prompt.Prompt, label, text string) string {
	whole, done := "", false
	for s := range p.Segments() {
		whole += s.Text
		if s.Text == label && !done {
			whole, done = whole+text, true
		}
	}
	return whole
}

func turnText(t record.Turn) string {
	return prompt.LabelObservation + t.Observation + prompt.LabelReply + cmp.Or(t.Reply, "Action: "+t.Action) + "\n"
}

func TestTruncatedFillsItsBudget(t *testing.T) {
	t.Parallel()
	p := mustResolve(t, "truncated")
	rapid.Check(t, func(rt *rapid.T) {
		u := drawBudget(rt, p)
		u.drive(rt, func(v harness.View, p prompt.Prompt, _ bool) {
			u.within(rt, v, p)
			u.newestTurns(rt, v, p, prompt.LabelHistory)
		})
	})
}

// newestTurns holds the history to be the last turns of the past, and the one
// before them not to fit. It returns the first that is shown.
func (u underBudget) newestTurns(rt *rapid.T, v harness.View, p prompt.Prompt, label string) int {
	shown := strings.TrimPrefix(p.Only(prompt.History), label)
	first := len(v.Past)
	for rest := ""; rest != shown; {
		if first--; first < 0 || len(rest) > len(shown) {
			rt.Fatalf("step %d: the history is not the newest turns: %q", v.Step, shown)
		}
		rest = turnText(v.Past[first]) + rest
	}
	if first > 0 && label == prompt.LabelHistory {
		if n := u.size(inserted(p, label, turnText(v.Past[first-1]))); n <= u.limit {
			rt.Fatalf("step %d: with turn %d it would be %d of %d", v.Step, first-1, n, u.limit)
		}
	}
	return first
}

func TestSummaryCappedFillsItsBudget(t *testing.T) {
	t.Parallel()
	p := mustResolve(t, "summary_capped")
	rapid.Check(t, func(rt *rapid.T) {
		u := drawBudget(rt, p)
		u.drive(rt, func(v harness.View, p prompt.Prompt, summary bool) {
			u.within(rt, v, p)
			if !summary {
				u.newestTurns(rt, v, p, prompt.LabelRecent)
			}
		})
	})
}

// TestSummaryIsCutAtAWord also holds that it is cut before any turn is.
func TestSummaryIsCutAtAWord(t *testing.T) {
	t.Parallel()
	p := mustResolve(t, "summary_capped")
	rapid.Check(t, func(rt *rapid.T) {
		u := drawBudget(rt, p)
		u.setup.Settings.Memory, u.setup.Settings.Recent, u.setup.Settings.Fold = harness.Rewrite, 1, 1
		a, err := agents.SummaryCapped().New(u.setup)
		if err != nil {
			rt.Fatal(err)
		}
		past := []record.Turn{
			{Step: 0, Observation: "One.\n", Reply: "Action: Wait", Action: "Wait"},
			{Step: 1, Observation: text(rt, "last") + "\n", Reply: "Action: Wait", Action: "Wait"},
		}
		v := harness.View{Step: 2, Observation: "Now.\n", Past: past}
		if _, due := a.(harness.Summarizer).Due(v); !due {
			return // no room for the call
		}
		said := slices.Repeat([]string{"item_5"}, rapid.IntRange(1, 300).Draw(rt, "words"))
		a.(harness.Summarizer).Summarized(strings.Join(said, " "))
		q, err := a.Prompt(v)
		if err != nil {
			return // no room at all
		}
		shown := strings.Fields(strings.TrimPrefix(q.Only(prompt.Summary), prompt.LabelSummary))
		if !strings.HasPrefix(strings.Join(said, " ")+"\n", strings.Join(shown, " ")) {
			rt.Fatalf("the summary shows %q of %q", shown, said)
		}
		bare := without(q, strings.Join(shown, " ")+"\n")
		if len(shown) < len(said) {
			if n := u.size(inserted(bare, prompt.LabelSummary, strings.Join(said[:len(shown)+1], " ")+"\n")); n <= u.limit {
				rt.Fatalf("with one more word it would be %d of %d", n, u.limit)
			}
		}
		if !strings.Contains(q.Text(), turnText(past[1])) {
			if n := u.size(inserted(bare, prompt.LabelRecent, turnText(past[1]))); n <= u.limit {
				rt.Fatalf("a turn was cut for the summary: with it instead it would be %d of %d", n, u.limit)
			}
		}
	})
}

func TestLLMLinguaPrunesTheLeastInformativeAndNoMore(t *testing.T) {
	t.Parallel()
	p := mustResolve(t, "llmlingua")
	rapid.Check(t, func(rt *rapid.T) {
		u := drawBudget(rt, p)
		u.drive(rt, func(v harness.View, p prompt.Prompt, _ bool) {
			u.within(rt, v, p)
			model := ngrams.New()
			model.Inform(ngrams.Tokens(p.Only(prompt.Instructions) + p.Only(prompt.Contract)))
			var tokens []string
			var bits []float64
			for _, turn := range v.Past {
				more := ngrams.Tokens(turnText(turn))
				tokens, bits = append(tokens, more...), append(bits, model.Inform(more)...)
			}
			u.mostInformative(rt, v, p, tokens, bits)
		})
	})
}

// TestAnInformersScoresPrune does the same with an informer that says of each
// token what chance says, of no two the same.
func TestAnInformersScoresPrune(t *testing.T) {
	t.Parallel()
	p := mustResolve(t, "llmlingua")
	p.Columns[0].Settings.Informer = "an endpoint"
	rapid.Check(t, func(rt *rapid.T) {
		u := drawBudget(rt, p)
		var tokens []string
		var bits []float64
		used := map[int]bool{}
		u.judge = func(p prompt.Prompt) record.Scores {
			_, text := model.Judged(p)
			var scores record.Scores
			for _, token := range ngrams.Tokens(text) {
				n := rapid.IntRange(0, 500_000).Draw(rt, "tells")
				for used[n] {
					n++
				}
				used[n] = true
				tokens, bits = append(tokens, token), append(bits, float64(n))
				scores = append(scores, record.NewScore(len(token), -float64(n)/1e4))
			}
			return scores
		}
		u.drive(rt, func(v harness.View, p prompt.Prompt, _ bool) {
			u.within(rt, v, p)
			whole := ""
			for _, turn := range v.Past {
				whole += turnText(turn)
			}
			if got := strings.Join(tokens, ""); got != whole {
				rt.Fatalf("step %d: judged %q of %q", v.Step, got, whole)
			}
			u.mostInformative(rt, v, p, tokens, bits)
		})
	})
}

// mostInformative prunes the whole history anew, given what its tokens tell.
func (u underBudget) mostInformative(rt *rapid.T, v harness.View, p prompt.Prompt, tokens []string, bits []float64) {
	order := make([]int, len(tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(bits[b], bits[a]), cmp.Compare(b, a)) })
	history := func(kept int) string {
		if kept == 0 {
			return ""
		}
		left := slices.Sorted(slices.Values(order[:kept]))
		text := ""
		for _, i := range left {
			text += tokens[i]
		}
		return strings.TrimRight(text, "\n") + "\n"
	}
	shown := strings.TrimPrefix(p.Only(prompt.History), prompt.LabelHistory)
	bare := inserted(without(p, shown), prompt.LabelHistory, "")
	for kept := range len(order) + 1 {
		if history(kept) != shown {
			continue
		}
		if kept == len(order) {
			return
		}
		if next := strings.Replace(bare, prompt.LabelHistory, prompt.LabelHistory+history(kept+1), 1); u.size(next) > u.limit {
			return
		}
	}
	rt.Fatalf("step %d: the history is not what is left when no more is pruned than must be: %q", v.Step, shown)
}

// without is a prompt without the segments of this text.
func without(p prompt.Prompt, text string) prompt.Prompt {
	var out prompt.Prompt
	for s := range p.Segments() {
		if s.Text != text {
			out = append(out, []prompt.Segment{s})
		}
	}
	return out
}

func mustResolve(t *testing.T, agent string) *harness.Plan {
	t.Helper()
	p, err := resolve("warehouse", agent)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
