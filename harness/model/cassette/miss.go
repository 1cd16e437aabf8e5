package cassette

import (
	"cmp"
	"fmt"
	"slices"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// Bounds on the search for what is near a request that is not recorded.
const (
	maxCompared = 1 << 30  // bytes of prompts compared
	maxHeld     = 32 << 20 // bytes of texts held
)

// A neighbour is a recorded request near one that is not recorded.
type neighbour struct {
	entry entry
	line  *line
	text  string
	same  int // bytes that its prompt begins alike
	fit   int // how much of its place in the run agrees
}

// miss tells what is recorded nearest to a request, and where they differ.
func (p *Player) miss(req model.Request, settings string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := req.Prompt.Text()
	asked := fmt.Sprintf("%s: nothing recorded for cell %.80s, step %d, %s, attempt %d, repeat %d",
		p.file.Name(), req.Cell, req.Step, req.Purpose, req.Attempt, req.Repeat)
	near, err := p.nearest(req, text)
	switch {
	case err != nil:
		return replayError(fmt.Errorf("%s; looking for the nearest: %w", asked, err))
	case near == nil:
		return replayError(fmt.Errorf("%s: the recording is empty", asked))
	}
	l := near.line
	asked += fmt.Sprintf("; nearest is line %d, cell %.80s, step %d, %s, attempt %d, repeat %d", near.entry.number, l.Cell, l.Step, l.Purpose, l.Attempt, l.Repeat)
	if near.text != text {
		return replayError(fmt.Errorf("%s; prompts differ at %s", asked, difference(near.text, text)))
	}
	recorded, err := p.text(l.Settings)
	if err != nil {
		return replayError(err)
	}
	if recorded != settings {
		return replayError(fmt.Errorf("%s; the prompts are the same, the settings differ at %s", asked, difference(recorded, settings)))
	}
	return replayError(fmt.Errorf("%s; prompts and settings are the same", asked))
}

// nearest is the recorded request at the same step of the same cell, or, where
// none is, any; of several the one whose prompt begins alike the longest.
func (p *Player) nearest(req model.Request, text string) (*neighbour, error) {
	candidates := slices.Clone(p.entries)
	slices.SortStableFunc(candidates, func(a, b entry) int { return cmp.Compare(a.cell, b.cell) })
	cell, known := p.cells[req.Cell]
	atStep := func(e entry) bool { return e.cell == cell && e.step == int32(req.Step) }
	if known && slices.ContainsFunc(candidates, atStep) {
		candidates = slices.DeleteFunc(candidates, func(e entry) bool { return e.cell != cell })
	} else {
		atStep = func(entry) bool { return true }
	}
	var best *neighbour
	var prev prompt.Prompt
	compared := 0
	for _, e := range candidates {
		l, err := p.read(e.at)
		if err != nil {
			return nil, err
		}
		if l.Base {
			prev = nil
		}
		if prev, err = l.Splice.Apply(prev, p.text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", p.file.Name(), e.number, err)
		}
		if !atStep(e) {
			continue
		}
		n := &neighbour{entry: e, line: l, same: alike(text, prev), fit: fit(e, req)}
		if best == nil || n.same > best.same || n.same == best.same && n.fit > best.fit {
			n.text = prev.Text()
			best = n
		}
		if compared += n.same; compared > maxCompared {
			break
		}
	}
	return best, nil
}

// alike is the number of bytes that a prompt begins like text.
func alike(text string, p prompt.Prompt) int {
	rest := text
	for s := range p.Segments() {
		n := commonPrefix(rest, s.Text)
		rest = rest[n:]
		if n < len(s.Text) {
			break
		}
	}
	return len(text) - len(rest)
}

func fit(e entry, req model.Request) int {
	n := 0
	for _, agrees := range []bool{
		e.step == int32(req.Step), e.summary == (req.Purpose == record.ForSummary),
		e.attempt == int32(req.Attempt), e.repeat == int32(req.Repeat),
	} {
		if agrees {
			n++
		}
	}
	return n
}

// text finds a text by its number. The lines it comes from are held for the
// next, up to a bound.
func (p *Player) text(n int) (string, error) {
	if n < 0 || n >= len(p.texts) {
		return "", fmt.Errorf("want a text below %d, got %d", len(p.texts), n)
	}
	at := p.texts[n]
	first := n
	for first > 0 && p.texts[first-1] == at {
		first--
	}
	texts, ok := p.cache[at.offset]
	if !ok {
		l, err := p.read(at)
		if err != nil {
			return "", err
		}
		texts = l.Texts
		p.hold(at, texts)
	}
	if n-first >= len(texts) {
		return "", fmt.Errorf("%s: the file was changed while it was replayed", p.file.Name())
	}
	return texts[n-first], nil
}

func (p *Player) hold(at place, texts []string) {
	if p.cache == nil || p.held > maxHeld {
		p.cache, p.held = map[int64][]string{}, 0
	}
	p.cache[at.offset] = texts
	p.held += int(at.size)
}
