package report

import (
	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/execution"
	"skillbench/metrics/money"
	"skillbench/metrics/routing"
)

// A cell is everything the report keeps of one episode. Its size does not grow
// with the episode.
type cell struct {
	metrics.Row
	end *journal.End // nil while not ended

	skills        bool // its task routes to skills, or runs them
	played, right int  // base events that the episode got to, and those answered correctly
	strata        strata
	lacking       lacking
	drifts        drifts
	tested        tested
	spared        spared
	execution     *execution.Tally // nil where no runtime ran skills
	largest       size             // prompt of any call but those for scores, which budgets do not bound

	spent      map[record.Purpose]spent
	failed     map[string]failed // attempts that a provider or the network spoiled, by class
	violations map[string]int    // refused attempts by primary class
	missed     int               // steps at which no attempt was accepted
	served     map[string]bool   // what the endpoint said it is

	firsts  int // first attempts
	parts   map[prompt.Kind]int
	unequal int // calls whose parts do not add up to the prompt
	fixed   limits
	past    past

	bill []money.Usage // under each policy of the till

	routing *routing.Follower // until its group has it; nil where the journal cannot be read
}

// spent is the cost of the calls of one purpose. Prompt and Completion are
// counted here; the provider's counts are sums over the calls that have them.
type spent struct {
	calls, prompt, completion                           int
	toldPrompt, toldCompletion, toldCached, toldThought told
}

// told is a sum of counts that a provider may or may not give.
type told struct{ calls, sum int }

func (t *told) add(n *int) {
	if n != nil {
		t.calls++
		t.sum += *n
	}
}

func (s spent) plus(o spent) spent {
	s.calls += o.calls
	s.prompt += o.prompt
	s.completion += o.completion
	for _, pair := range [][2]*told{
		{&s.toldPrompt, &o.toldPrompt}, {&s.toldCompletion, &o.toldCompletion},
		{&s.toldCached, &o.toldCached}, {&s.toldThought, &o.toldThought},
	} {
		pair[0].calls += pair[1].calls
		pair[0].sum += pair[1].sum
	}
	return s
}

// failed counts spoiled attempts; tokens are those the provider reported.
type failed struct{ attempts, known, tokens int }

// limits are the least and the greatest of what was seen.
type limits struct{ n, low, high int }

func (l *limits) add(v int) {
	if l.n == 0 || v < l.low {
		l.low = v
	}
	if l.n == 0 || v > l.high {
		l.high = v
	}
	l.n++
}

func (l *limits) join(o limits) {
	if o.n > 0 {
		l.add(o.low)
		l.add(o.high)
	}
}

// measure reads one cell's journal. Series may be nil.
func measure(c record.Cell, dir string, s *series, t *till) (*cell, error) {
	out := &cell{
		Row:   metrics.Row{Cell: c, Actionable: c.Horizon, Status: record.Interrupted},
		spent: map[record.Purpose]spent{}, failed: map[string]failed{}, violations: map[string]int{},
		served: map[string]bool{}, parts: map[prompt.Kind]int{},
	}
	cellDir := journal.CellDir(dir, c.ID)
	r, err := journal.Read(cellDir)
	if notBegun(err) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	if out.end, err = journal.EndOf(cellDir); err != nil {
		return nil, err
	}
	out.past.reader = r
	out.routing = routing.Follow(c, r, t.encoding)
	also := []metrics.Also{{Step: out.step, End: out.over}, t.follow(c, r, &out.bill), out.routing.Also(), out.executed(r)}
	if s != nil && journal.StatusOf(out.end).Final() {
		also = append(also, metrics.Also{Step: s.begin()})
	}
	row, err := metrics.Measure(c, r, also...)
	if notBegun(err) {
		return out, nil
	}
	out.Row = row
	out.past.forget()
	return out, err
}

// over takes what belongs to no finished step.
func (c *cell) over(e metrics.Episode) {
	c.spared.results = nil
	for _, s := range e.Loose {
		c.pay(s)
	}
	if e.End != nil {
		c.fail(e.End.Failed)
	}
}

func (c *cell) step(s metrics.Step) error {
	for _, sent := range s.Beside() {
		c.pay(sent)
	}
	for i, a := range s.Attempts {
		c.pay(a.Sent)
		c.fixed.add(a.Call.Chars - a.Parts[prompt.State] - a.Parts[prompt.Observation] - a.Parts[prompt.Feedback])
		if i == 0 {
			c.firsts++
			for kind, n := range a.Parts {
				c.parts[kind] += n
			}
		}
		if !a.Transition.Accepted() {
			c.violations[a.Transition.Violations[0].Class]++
		}
	}
	if n := len(s.Attempts); n > 0 && !s.Attempts[n-1].Transition.Accepted() {
		c.missed++
	}
	c.skills = c.skills || s.Act.Outcome.Routing != nil || s.Act.Outcome.Execution != nil
	c.drifts.step(s.Act)
	c.tested.step(s.Act)
	c.spared.step(s.Act)
	if o := s.Act.Observation; !o.Free && !s.Act.Outcome.Free {
		correct := s.Act.Outcome.Correct && !o.Impossible
		c.strata.add(o, c.played, c.Cell.Horizon, correct)
		c.lacking.add(s, correct)
		c.played++
		if correct {
			c.right++
		}
	}
	return c.past.step(s)
}

func (c *cell) pay(s metrics.Sent) {
	call := s.Call
	p := c.spent[call.Purpose]
	p.calls++
	if call.Purpose != record.ForScores {
		c.largest = size{max(c.largest.chars, call.Chars), max(c.largest.tokens, call.Tokens)}
	}
	p.prompt += call.Tokens
	p.completion += call.Completion
	if u := call.Usage; u != nil {
		p.toldPrompt.add(u.Prompt)
		p.toldCompletion.add(u.Completion)
		p.toldCached.add(u.Cached)
		p.toldThought.add(u.Reasoning)
	}
	c.spent[call.Purpose] = p
	c.fail(call.Failed)
	if call.Served != "" && len(c.served) < 8 {
		c.served[call.Served] = true
	}
	sum := 0
	for _, n := range s.Parts {
		sum += n
	}
	if sum != call.Chars {
		c.unequal++
	}
}

func (c *cell) fail(failures []record.Failure) {
	for _, f := range failures {
		one := c.failed[f.Class]
		one.attempts++
		if u := f.Usage; u != nil && u.Prompt != nil {
			one.known++
			one.tokens += *u.Prompt
			if u.Completion != nil {
				one.tokens += *u.Completion
			}
		}
		c.failed[f.Class] = one
	}
}

// size of a prompt.
type size struct{ chars, tokens int }

// summaryTokens are the tokens of calls that rewrite what is kept of the past.
func (c *cell) summaryTokens() int {
	s := c.spent[record.ForSummary]
	return s.prompt + s.completion
}

// total is all tokens of the episode, counted here.
func (c *cell) total() int { return c.PromptTokens + c.CompletionTokens }
