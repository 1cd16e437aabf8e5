package check

import (
	"strings"
	"unicode/utf8"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// PromptGrowth judges bounded_prompt_growth: what is left of a prompt without Σ,
// O and feedback has the same size at every call, to the character, and Σ stays
// within the bound that the strategy declares. Only a rendering of the true Σ_t
// and, where the facts tell it, the true O_t are taken off, so that no text can
// hide behind a kind. Feedback is taken off where an attempt was refused before.
func PromptGrowth(r *journal.Reader, f Facts) (Result, error) {
	g := growth{verdict: begin(BoundedPromptGrowth), facts: f, fixed: map[string]first{}}
	_, err := trace(r, g.step)
	if g.observation.n < 2 {
		g.fail("nothing was judged: %d steps with a prompt; want two or more", g.observation.n)
	}
	g.measured["fixed_chars"] = float64(g.fixed[journal.Lane(record.ForStep)].chars)
	g.state.measure(g.measured, "state_chars")
	g.observation.measure(g.measured, "observation_chars")
	if f.MaxChars > 0 {
		g.measured["state_chars_declared"] = float64(f.MaxChars)
	}
	return g.result(), err
}

type growth struct {
	*verdict
	facts              Facts
	fixed              map[string]first // by lane
	state, observation series
}

// first is what the first call of a lane has beside Σ, O and feedback.
type first struct {
	step, chars int
	seen        bool
}

func (g *growth) step(s step) {
	for _, c := range s.calls {
		g.judge(c)
	}
	if len(s.attempts()) == 0 {
		return
	}
	g.observation.add(g.latest(s.attempts()[0]))
	if !s.stateful {
		return
	}
	size := chars(s.after.Compact())
	g.state.add(size)
	if g.facts.MaxChars > 0 && size > g.facts.MaxChars {
		g.fail("step %d: Σ has %d characters, declared are at most %d", s.calls[0].Step, size, g.facts.MaxChars)
	}
}

func (g *growth) judge(c sent) {
	rest := c.prompt.Chars() - chars(rendering(c.prompt.Only(prompt.State), c.state)) - g.latest(c)
	if c.Attempt > 0 {
		rest -= chars(c.prompt.Only(prompt.Feedback))
	}
	was := g.fixed[c.Lane()]
	if !was.seen {
		g.fixed[c.Lane()] = first{c.Step, rest, true}
		return
	}
	if rest != was.chars {
		g.fail("step %d attempt %d: the %s prompt has %d characters beside Σ, O and feedback, at step %d it had %d: %s",
			c.Step, c.Attempt, c.Lane(), rest, was.step, was.chars, biggest(c.prompt))
	}
}

// latest is the size of O_t in a prompt: of the true one where it is known and
// shown, of what passes for it where it is not known.
func (g *growth) latest(c sent) int {
	o, known := g.facts.Observations[c.Step]
	shown := c.prompt.Only(prompt.Observation)
	switch {
	case !known:
		return chars(shown)
	case strings.Contains(shown, o):
		return chars(o)
	}
	return 0
}

// biggest names the largest part of a prompt that should have a constant size.
func biggest(p prompt.Prompt) string {
	kind, most := prompt.Contract, 0
	for _, k := range prompt.Kinds() {
		if k == prompt.State || k == prompt.Feedback || k == prompt.Contract || k == prompt.Instructions {
			continue
		}
		if n := chars(p.Only(k)); n > most {
			kind, most = k, n
		}
	}
	return "its " + string(kind) + " begins " + around(p.Only(kind), 0)
}

func chars(text string) int { return utf8.RuneCountInString(text) }

// A series is the sizes of something, step by step.
type series struct{ n, sum, max int }

func (s *series) add(size int) {
	s.n, s.sum, s.max = s.n+1, s.sum+size, max(s.max, size)
}

func (s series) measure(into map[string]float64, name string) {
	if s.n > 0 {
		into[name+"_max"], into[name+"_mean"] = float64(s.max), float64(s.sum)/float64(s.n)
	}
}
