package metrics

import (
	"fmt"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/metrics/stats"
)

// A Row is one cell's line of cells.csv. Counts of tokens are local: taken with
// the run's tokenizer from the texts themselves. An unknown value is absent.
type Row struct {
	Cell       record.Cell
	Status     record.Status
	Steps      int         // all steps, free ones included
	Actionable int         // base events: the denominator of the score
	Correct    stats.Value // counts; absent where the episode has no result
	Valid      stats.Value
	Belief     stats.Value // mean share of Σ's facts that hold, over steps at which it has any
	Calls      int
	Retries    int

	PromptTokens     int // over all calls
	CompletionTokens int

	// Over the first attempts at each step.
	PromptTokensMean, PromptTokensMax stats.Value
	PromptCharsMean, PromptCharsMax   stats.Value
	StateCharsMax                     stats.Value

	Recovery Recovery
}

// Recovery counts what became of drifts.
type Recovery struct {
	Drifts    int
	Recovered stats.Value // absent for scenarios that nothing can recover
	Steps     stats.Value // mean steps to recovery over the recovered
}

// Score is correct ÷ base events, absent where the episode has no result.
func (r Row) Score() stats.Value { return share(r.Correct, r.Actionable) }

// ValidShare is accepted actions at base events ÷ base events.
func (r Row) ValidShare() stats.Value { return share(r.Valid, r.Actionable) }

func share(part stats.Value, whole int) stats.Value {
	if !part.OK || whole == 0 {
		return stats.Value{}
	}
	return stats.Of(part.V / float64(whole))
}

// Also is told what Measure reads, so that one reading serves all that is
// derived from a journal.
type Also struct {
	Step func(Step) error // every finished step, in order
	End  func(Episode)    // may be nil
}

// Measure makes the row of one cell from its journal.
func Measure(c record.Cell, r *journal.Reader, also ...Also) (Row, error) {
	m := measurer{row: Row{Cell: c, Actionable: c.Horizon}}
	e, err := Walk(r, func(s Step) error {
		for _, a := range also {
			if err := a.Step(s); err != nil {
				return err
			}
		}
		return m.step(s)
	})
	switch {
	case err != nil:
		return m.row, err
	case e.Start.Version != 0 && e.Start.Cell != c:
		return m.row, fmt.Errorf("cells/%s: damaged: the journal is of cell %.80q", c.ID, e.Start.Cell.ID)
	case m.base > c.Horizon:
		return m.row, fmt.Errorf("cells/%s: damaged: %d base events of %d", c.ID, m.base, c.Horizon)
	}
	m.finish(e)
	for _, a := range also {
		if a.End != nil {
			a.End(e)
		}
	}
	return m.row, nil
}

// measurer adds up steps.
type measurer struct {
	row            Row
	base           int // base events finished
	correct, valid int
	belief         sum
	tokens, chars  sum
	stateChars     sum
	recovery       recovery
}

// sum is a running mean and maximum.
type sum struct {
	n          int
	total, max float64
}

func (s *sum) add(v float64) {
	if s.n++; s.n == 1 || v > s.max {
		s.max = v
	}
	s.total += v
}

func (s *sum) mean() stats.Value {
	if s.n == 0 {
		return stats.Value{}
	}
	return stats.Of(s.total / float64(s.n))
}

func (s *sum) maximum() stats.Value {
	if s.n == 0 {
		return stats.Value{}
	}
	return stats.Of(s.max)
}

func (m *measurer) step(s Step) error {
	m.row.Steps++
	if o := s.Act.Observation; !o.Free && !s.Act.Outcome.Free {
		m.base++
		if s.Act.Outcome.Correct && !o.Impossible {
			m.correct++
		}
		if s.Act.Outcome.Valid {
			m.valid++
		}
	}
	for _, sent := range s.Beside() {
		m.pay(sent)
	}
	for _, a := range s.Attempts {
		m.pay(a.Sent)
	}
	if s.Act.State != "" {
		if held, facts := Belief(s.After, s.World.After); facts > 0 {
			m.belief.add(float64(held) / float64(facts))
		}
	}
	m.recovery.add(s.Act)
	return nil
}

// pay counts a call. Sizes of prompts are those of first attempts. An endpoint
// that says it is simulated makes the cell so, unless it only judged texts, as
// the built-in trigrams do.
func (m *measurer) pay(s Sent) {
	if strings.Contains(s.Call.Served, sim.Served) && s.Call.Purpose != record.ForScores {
		m.row.Cell.ModelKind = record.Simulated
	}
	m.row.Calls++
	m.row.PromptTokens += s.Call.Tokens
	m.row.CompletionTokens += s.Call.Completion
	switch s.Call.Purpose {
	case record.ForRetry:
		m.row.Retries++
	case record.ForStep:
		m.tokens.add(float64(s.Call.Tokens))
		m.chars.add(float64(s.Call.Chars))
		if n, ok := s.Parts[prompt.State]; ok {
			m.stateChars.add(float64(n))
		}
	}
}

func (m *measurer) finish(e Episode) {
	for _, s := range e.Loose {
		m.pay(s)
	}
	r := &m.row
	r.Status = journal.StatusOf(e.End)
	if r.Status.Final() {
		r.Correct, r.Valid = stats.Of(float64(m.correct)), stats.Of(float64(m.valid))
	}
	r.Belief = m.belief.mean()
	r.PromptTokensMean, r.PromptTokensMax = m.tokens.mean(), m.tokens.maximum()
	r.PromptCharsMean, r.PromptCharsMax = m.chars.mean(), m.chars.maximum()
	r.StateCharsMax = m.stateChars.maximum()
	r.Recovery = m.recovery.result()
}

// Belief counts the facts of Σ and how many of them hold. Members that the
// task's truth does not have, such as notes, are no facts.
func Belief(sigma, truth state.Object) (held, facts int) {
	root := truth.Root()
	known := map[string]any{}
	for name, v := range sigma.Root() {
		if _, ok := root[name]; ok {
			known[name] = v
		}
	}
	holds := map[string]string{}
	for at, v := range truth.Leaves() {
		holds[at] = v
	}
	for at, v := range state.From(known).Leaves() {
		facts++
		if holds[at] == v {
			held++
		}
	}
	return held, facts
}

// Unreadable is the status of a cell whose journal is damaged.
const Unreadable record.Status = "failed:journal"

// Unread is the row of such a cell.
func Unread(c record.Cell) Row {
	return Row{Cell: c, Actionable: c.Horizon, Status: Unreadable}
}
