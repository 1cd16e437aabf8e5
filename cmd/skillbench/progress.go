package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"skillbench/harness"
	"skillbench/harness/record"
)

// every is the time between two plain lines of progress.
const every = 10 * time.Second

// progress shows how far a run is: a bar on a terminal, plain lines elsewhere.
type progress struct {
	mu      sync.Mutex
	s       system
	began   time.Time
	said    time.Time
	steps   map[string]int // live steps of each running cell
	total   int            // base events of all cells
	done    int            // base events finished, this run's and earlier ones'
	earlier int            // of those: not played now
	cells   int
	ended   int
	failed  int
	tokens  int
	bars    *mpb.Progress
	bar     *mpb.Bar
}

func newProgress(s system, cells []record.Cell) *progress {
	p := &progress{s: s, began: s.now(), said: s.now(), steps: map[string]int{}, cells: len(cells)}
	for _, c := range cells {
		p.total += c.Horizon
	}
	if s.terminal {
		p.bars = mpb.New(mpb.WithOutput(s.stderr), mpb.WithWidth(40))
		p.bar = p.bars.AddBar(int64(p.total),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.line() })),
			mpb.BarRemoveOnComplete())
	}
	return p
}

// event takes one piece of progress.
func (p *progress) event(e harness.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case e.Call != nil:
		p.tokens += e.Call.Tokens + e.Call.Completion
		if e.Call.Purpose == record.ForStep {
			p.advance(e.Cell, e.Live)
		}
	case e.End != nil:
		if e.End.Status.Final() {
			p.ended++
			p.finish(e.Cell)
		} else if e.End.Status != record.Interrupted {
			p.failed++
		}
	case e.Failed != nil:
		p.failed++
	}
	if p.bar != nil {
		p.bar.SetCurrent(int64(min(p.done, p.total)))
	} else if now := p.s.now(); now.Sub(p.said).Abs() >= every {
		p.said = now
		fmt.Fprintln(p.s.stderr, p.text())
	}
}

func (p *progress) advance(c record.Cell, live bool) {
	if p.steps[c.ID] < c.Horizon {
		p.steps[c.ID]++
		p.done++
		if !live {
			p.earlier++
		}
	}
}

// finish counts what is left of a cell: all of it where it had a result before.
func (p *progress) finish(c record.Cell) {
	left := c.Horizon - p.steps[c.ID]
	if p.steps[c.ID] == 0 {
		p.earlier += left
	}
	p.done += left
	delete(p.steps, c.ID)
}

func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text()
}

// text is the state of the run in one line.
func (p *progress) text() string {
	text := fmt.Sprintf("%d/%d cells, %d running, %d failed, %s tokens", p.ended, p.cells, len(p.steps), p.failed, thousands(p.tokens))
	if eta, ok := p.eta(); ok {
		text += ", " + eta.Round(time.Second).String() + " left"
	}
	return text
}

// eta goes by the steps played now. A clock that was set back knows none.
func (p *progress) eta() (time.Duration, bool) {
	played := p.done - p.earlier
	passed := p.s.now().Sub(p.began)
	if played < 20 || passed < 0 {
		return 0, false
	}
	perStep := passed / time.Duration(played)
	return perStep * time.Duration(p.total-p.done), true
}

func thousands(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	}
	if n >= 10_000 {
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}

// say prints a line above the bar.
func (p *progress) say(text string) {
	var out io.Writer = p.s.stderr
	if p.bars != nil {
		out = p.bars
	}
	fmt.Fprintln(out, "skillbench: "+plain(text))
}

func (p *progress) close() {
	if p.bars != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
