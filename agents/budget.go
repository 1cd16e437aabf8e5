package agents

import (
	"fmt"
	"sort"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/prompt"
	"skillbench/harness/tokens"
)

// DefaultBudget bounds the whole prompt of the controls, in code points: what
// the paper's budget-matched tables call about 1,800 (5 and 11).
const DefaultBudget = 1800

// A budget bounds whole prompts. What fits in it is shown; what is cut is cut
// in the order summary, oldest turns. Instructions, contract, feedback and the
// latest observation never are.
type budget struct {
	limit    int
	encoding *tokens.Encoding // nil: the limit is in code points
}

func newBudget(s harness.Setup) (budget, error) {
	switch b := s.Settings.Budget; {
	case b.Chars > 0 && b.Tokens == 0:
		return budget{limit: b.Chars}, nil
	case b.Tokens > 0 && b.Chars == 0:
		return budget{limit: b.Tokens, encoding: s.Encoding}, nil
	default:
		return budget{}, fmt.Errorf("budget: want either chars or tokens, got %d chars and %d tokens", b.Chars, b.Tokens)
	}
}

// size of a text in the unit of the budget.
func (b budget) size(text string) int {
	if b.encoding == nil {
		return utf8.RuneCountInString(text)
	}
	return b.encoding.Count(text)
}

// holds reports whether a prompt is within the budget.
func (b budget) holds(p prompt.Prompt) bool {
	if b.encoding == nil {
		return p.Chars() <= b.limit
	}
	return b.encoding.Count(p.Text()) <= b.limit
}

// most returns an n from 0 to limit that fits while n+1 does not. It is the
// largest there is where all below a fitting one fit too, which tokens that join
// at a seam can break by one or two. Nought is taken to fit.
func most(limit int, fits func(n int) bool) int {
	return sort.Search(limit, func(i int) bool { return !fits(i + 1) })
}

// A fitter makes a prompt that shows the last turns and the first words.
type fitter func(turns, words int) (prompt.Prompt, error)

// fit fills the budget: with turns first, then with words. At most that many
// of each can be shown.
func (b budget) fit(turns, words int, with fitter) (prompt.Prompt, error) {
	p, err := with(0, 0)
	if err != nil {
		return nil, err
	}
	if !b.holds(p) {
		return nil, harness.ErrBudget
	}
	fits := func(turns, words int) bool {
		p, err := with(turns, words)
		return err == nil && b.holds(p)
	}
	turns = most(turns, func(n int) bool { return fits(n, 0) })
	words = most(words, func(n int) bool { return fits(turns, n) })
	return with(turns, words)
}

// newest is how many of the turns from first to end, the last ones, are within
// the budget on their own: a bound, found without looking at older ones.
func (b budget) newest(t *transcript, first, end int) int {
	room := b.limit
	for i := end - 1; i >= first; i-- {
		if room -= b.size(t.text(i)); room < 0 {
			return end - 1 - i
		}
	}
	return end - first
}

// longestToken is the most characters that one token of any encoding holds.
const longestToken = 128

// chars is the most characters that can be within the budget.
func (b budget) chars() int {
	if b.encoding == nil {
		return b.limit
	}
	return longestToken * b.limit
}
