package report

import (
	"fmt"
	"unicode/utf8"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics"
)

// past follows what prompts show of the past: which part of a history is old
// observations, which is old replies, and how many tokens those replies took
// when they were made. It follows the splices, so its work grows with what is
// new.
type past struct {
	reader  *journal.Reader
	lanes   map[string]*lane
	density map[int]float64 // tokens per character of the accepted reply, by step

	// Over first attempts, in characters.
	observations, replies, rest int

	// Over all calls: tokens of replies that the prompt showed again.
	shown float64
}

// forget frees what is only needed while reading.
func (p *past) forget() { p.reader, p.lanes, p.density = nil, nil, nil }

// lane is the history in the prompts of one lane.
type lane struct {
	sections [][]piece
	total    piece
}

// piece is a segment of a history, or the sum of some.
type piece struct {
	observation, reply, rest int // characters
	tokens                   float64
}

func (p *piece) plus(o piece, sign int) {
	p.observation += sign * o.observation
	p.reply += sign * o.reply
	p.rest += sign * o.rest
	p.tokens += float64(sign) * o.tokens
}

func (p *past) step(s metrics.Step) error {
	if p.lanes == nil {
		p.lanes, p.density = map[string]*lane{}, map[int]float64{}
	}
	if s.Summary != nil {
		if _, err := p.call(s.Summary.Call); err != nil {
			return err
		}
	}
	for i, a := range s.Attempts {
		total, err := p.call(a.Call)
		if err != nil {
			return err
		}
		if i == 0 {
			p.observations += total.observation
			p.replies += total.reply
			p.rest += total.rest
		}
		if a.Transition.Accepted() {
			if p.density[a.Call.Step], err = p.tokensPerChar(a.Call); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *past) tokensPerChar(c journal.Call) (float64, error) {
	chars := 0
	for _, n := range []int{c.Reply, c.Thinking} {
		if n == 0 {
			continue
		}
		text, err := p.reader.Text(n)
		if err != nil {
			return 0, err
		}
		chars += utf8.RuneCountInString(text)
	}
	for _, t := range c.Calls {
		chars += utf8.RuneCountInString(t.Name) + utf8.RuneCountInString(t.Arguments)
	}
	if chars == 0 {
		return 0, nil
	}
	return float64(c.Completion) / float64(chars), nil
}

// call takes the next prompt of its lane and returns what it shows of the past.
func (p *past) call(c journal.Call) (piece, error) {
	l := p.lanes[c.Lane()]
	if l == nil {
		l = &lane{}
		p.lanes[c.Lane()] = l
	}
	for len(l.sections) > len(c.Splice) {
		l.drop(l.sections[len(l.sections)-1])
		l.sections = l.sections[:len(l.sections)-1]
	}
	for i, e := range c.Splice {
		if i == len(l.sections) {
			l.sections = append(l.sections, nil)
		}
		old := l.sections[i]
		if !e.Fits(len(old)) {
			return l.total, fmt.Errorf("prompt of step %d: a splice that does not fit", c.Step)
		}
		l.drop(old[:e.Skip])
		l.drop(old[e.Skip+e.Keep:])
		section, err := p.grow(l, old[e.Skip:e.Skip+e.Keep], e.Add)
		if err != nil {
			return l.total, err
		}
		l.sections[i] = section
	}
	p.shown += l.total.tokens
	return l.total, nil
}

func (l *lane) drop(section []piece) {
	for _, s := range section {
		l.total.plus(s, -1)
	}
}

// grow appends segments. The label before a text of a turn says what it is.
func (p *past) grow(l *lane, section []piece, added []prompt.Ref) ([]piece, error) {
	label := ""
	for _, ref := range added {
		text, err := p.reader.Text(ref.Text)
		if err != nil {
			return nil, err
		}
		one := piece{}
		if ref.Kind == prompt.History {
			one = p.piece(ref, label, utf8.RuneCountInString(text))
			label = text
		}
		l.total.plus(one, 1)
		section = append(section, one)
	}
	return section, nil
}

// piece tells the kinds of history text apart. What a missed step shows in
// place of a reply no model wrote, and it counts with the labels.
func (p *past) piece(ref prompt.Ref, label string, chars int) piece {
	density, replied := p.density[ref.From]
	switch {
	case ref.From != prompt.Fixed && label == prompt.LabelObservation:
		return piece{observation: chars}
	case ref.From != prompt.Fixed && label == prompt.LabelReply && replied:
		return piece{reply: chars, tokens: density * float64(chars)}
	}
	return piece{rest: chars}
}

// repriced is what an episode would cost if every reply to a step were f times
// as long: each is paid once when it is made, and once more in every later
// prompt that shows it. Summaries keep their length.
func (c *cell) repriced(f float64) float64 {
	steps := c.spent[record.ForStep].completion + c.spent[record.ForRetry].completion
	return float64(c.total()) + (f-1)*(float64(steps)+c.past.shown)
}
