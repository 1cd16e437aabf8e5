package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// Forms of progress.
const (
	barProgress   = "bar"
	plainProgress = "plain"
	jsonProgress  = "json"
)

// every is the time between two lines of progress.
var every = map[string]time.Duration{plainProgress: 10 * time.Second, jsonProgress: time.Second}

// progress shows how far a run is: a bar on a terminal, lines elsewhere.
type progress struct {
	mu      sync.Mutex
	s       system
	form    string
	paid    func(record.Cell, journal.Call) (amount float64, currency string) // currency "": not known
	began   time.Time
	said    time.Time
	steps   map[string]int // live steps of each running cell
	total   int            // base events of all cells
	done    int            // base events finished, this run's and earlier ones'
	earlier int            // of those: not played now
	now     status
	bars    *mpb.Progress
	bar     *mpb.Bar
}

// A status is how far a run is. Tokens are those counted here, and tokens and
// money those of all sessions, as far as cells were played or replayed now.
type status struct {
	Cells    int      `json:"cells"`
	Done     int      `json:"done"` // with a result, those of earlier sessions included
	Running  int      `json:"running"`
	Failed   int      `json:"failed"`
	Tokens   int      `json:"tokens"`
	Money    *float64 `json:"money,omitempty"` // absent where a price is not known
	Currency string   `json:"currency,omitempty"`
	ETA      *float64 `json:"eta_seconds,omitempty"` // absent until enough has been played to tell
}

// A progressLine is one line of --progress json: a status, or a notice, such as
// a wait and its reason.
type progressLine struct {
	Progress *status `json:"progress,omitempty"`
	Notice   string  `json:"notice,omitempty"`
}

// newProgress begins to show progress in a form; "" takes the one that fits
// where it goes. Paid says what a call cost.
func newProgress(s system, form string, cells []record.Cell, paid func(record.Cell, journal.Call) (float64, string)) *progress {
	if form == "" && s.terminal {
		form = barProgress
	}
	p := &progress{s: s, form: form, paid: paid, began: s.now(), said: s.now(), steps: map[string]int{}, now: status{Cells: len(cells), Money: new(float64)}}
	for _, c := range cells {
		p.total += c.Horizon
	}
	switch form {
	case barProgress:
		p.bars = mpb.New(mpb.WithOutput(s.stderr), mpb.WithWidth(40), mpb.WithAutoRefresh())
		p.bar = p.bars.AddBar(int64(p.total),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.line() })),
			mpb.BarRemoveOnComplete())
	case jsonProgress:
		p.write(progressLine{Progress: p.status()})
	default:
		p.form = plainProgress
	}
	return p
}

// checkProgress refuses other forms.
func checkProgress(form string) error {
	switch form {
	case "", barProgress, plainProgress, jsonProgress:
		return nil
	}
	return fmt.Errorf("--progress: want %s, %s or %s, got %q", barProgress, plainProgress, jsonProgress, form)
}

// event takes one piece of progress.
func (p *progress) event(e harness.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count(e)
	if p.bar != nil {
		p.bar.SetCurrent(int64(min(p.done, p.total)))
		return
	}
	now := p.s.now()
	if now.Sub(p.said).Abs() < every[p.form] {
		return
	}
	p.said = now
	if p.form == jsonProgress {
		p.write(progressLine{Progress: p.status()})
	} else {
		fmt.Fprintln(p.s.stderr, p.text())
	}
}

func (p *progress) count(e harness.Event) {
	switch {
	case e.Begun:
		p.now.Running++
		p.steps[e.Cell.ID] = 0
	case e.Call != nil:
		p.now.Tokens += e.Call.Tokens + e.Call.Completion
		p.pay(e.Cell, *e.Call)
		if e.Call.Purpose == record.ForStep {
			p.advance(e.Cell, e.Live)
		}
	case e.End != nil:
		if e.End.Status.Final() {
			p.now.Done++
			p.finish(e.Cell)
		} else if e.End.Status != record.Interrupted {
			p.now.Failed++
		}
		p.leave(e.Cell)
	case e.Failed != nil:
		p.now.Failed++
		p.leave(e.Cell)
	}
}

// leave takes a cell that was begun out of those that run.
func (p *progress) leave(c record.Cell) {
	if _, ok := p.steps[c.ID]; ok {
		p.now.Running--
		delete(p.steps, c.ID)
	}
}

// pay adds up money until something has an unknown price.
func (p *progress) pay(c record.Cell, call journal.Call) {
	if p.now.Money == nil {
		return
	}
	amount, currency := p.paid(c, call)
	if currency == "" || p.now.Currency != "" && p.now.Currency != currency {
		p.now.Money, p.now.Currency = nil, ""
		return
	}
	*p.now.Money += amount
	p.now.Currency = currency
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
}

func (p *progress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text()
}

// text is the state of the run in one line.
func (p *progress) text() string {
	s := p.status()
	text := fmt.Sprintf("%d/%d cells, %d running, %d failed, %s tokens", s.Done, s.Cells, s.Running, s.Failed, thousands(s.Tokens))
	if s.Money != nil {
		text += fmt.Sprintf(", %.2f %s", *s.Money, s.Currency)
	}
	if s.ETA != nil {
		left := time.Duration(*s.ETA * float64(time.Second))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}

// status is a copy of the counts. Nothing paid in no currency is not known.
func (p *progress) status() *status {
	s := p.now
	s.Money = nil
	if s.Currency != "" {
		money := *p.now.Money
		s.Money = &money
	}
	if eta, ok := p.eta(); ok {
		seconds := eta.Round(time.Second / 10).Seconds()
		s.ETA = &seconds
	}
	return &s
}

// eta goes by the steps played now. A clock that was set back knows none.
func (p *progress) eta() (time.Duration, bool) {
	played := p.done - p.earlier
	passed := p.s.now().Sub(p.began)
	if played < 20 || passed < 0 {
		return 0, false
	}
	perStep := passed / time.Duration(played)
	return perStep * time.Duration(max(0, p.total-p.done)), true
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

// say prints a notice, above the bar where there is one.
func (p *progress) say(text string) {
	if p.form == jsonProgress {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.write(progressLine{Notice: text})
		return
	}
	var out io.Writer = p.s.stderr
	if p.bars != nil {
		out = p.bars
	}
	fmt.Fprintln(out, "skillbench: "+plain(text))
}

// write writes one line of JSON. Standard error that is gone ends no run.
func (p *progress) write(line progressLine) {
	_ = json.NewEncoder(p.s.stderr).Encode(line)
}

func (p *progress) close() {
	switch p.form {
	case barProgress:
		p.bar.Abort(true)
		p.bars.Wait()
	case jsonProgress:
		p.mu.Lock()
		defer p.mu.Unlock()
		p.write(progressLine{Progress: p.status()})
	}
}
