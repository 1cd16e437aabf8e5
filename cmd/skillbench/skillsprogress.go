package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// embedProgress shows how many texts have their vectors, in the forms of a run's
// progress.
type embedProgress struct {
	mu    sync.Mutex
	s     system
	form  string
	began time.Time
	said  time.Time
	made  int // texts of this session
	now   embedStatus
	bars  *mpb.Progress
	bar   *mpb.Bar
}

// An embedStatus is how far the making is.
type embedStatus struct {
	Texts  int      `json:"texts"`
	Done   int      `json:"done"`                  // with a vector, those of earlier sessions included
	Tokens int      `json:"tokens"`                // of this session, as counted here
	ETA    *float64 `json:"eta_seconds,omitempty"` // absent until enough has been made to tell
}

// newEmbedProgress begins to show progress; "" takes the form that fits where it
// goes.
func newEmbedProgress(s system, form string, texts, done int) *embedProgress {
	if form == "" && s.terminal {
		form = barProgress
	}
	p := &embedProgress{s: s, form: form, began: s.now(), said: s.now(), now: embedStatus{Texts: texts, Done: done}}
	switch form {
	case barProgress:
		p.bars = mpb.New(mpb.WithOutput(s.stderr), mpb.WithWidth(40), mpb.WithAutoRefresh())
		p.bar = p.bars.AddBar(int64(texts),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.line() })),
			mpb.BarRemoveOnComplete())
		p.bar.SetCurrent(int64(done))
	case jsonProgress:
		p.write(map[string]any{"progress": p.status()})
	default:
		p.form = plainProgress
	}
	return p
}

// add counts texts that have their vectors now.
func (p *embedProgress) add(texts, tokens int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made += texts
	p.now.Done += texts
	p.now.Tokens += tokens
	if p.bar != nil {
		p.bar.SetCurrent(int64(p.now.Done))
		return
	}
	now := p.s.now()
	if now.Sub(p.said).Abs() < every[p.form] {
		return
	}
	p.said = now
	if p.form == jsonProgress {
		p.write(map[string]any{"progress": p.status()})
	} else {
		fmt.Fprintln(p.s.stderr, p.text())
	}
}

func (p *embedProgress) line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text()
}

func (p *embedProgress) text() string {
	s := p.status()
	text := fmt.Sprintf("%d/%d texts, %s tokens", s.Done, s.Texts, thousands(s.Tokens))
	if s.ETA != nil {
		left := time.Duration(*s.ETA * float64(time.Second))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	return text
}

// status goes by the texts of this session. A clock that was set back knows no end.
func (p *embedProgress) status() embedStatus {
	s := p.now
	if passed := p.s.now().Sub(p.began); p.made > 0 && passed >= 0 {
		left := passed / time.Duration(p.made) * time.Duration(s.Texts-s.Done)
		s.ETA = new(left.Round(time.Second / 10).Seconds())
	}
	return s
}

// say prints a notice, above the bar where there is one.
func (p *embedProgress) say(text string) {
	if p.form == jsonProgress {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.write(map[string]any{"notice": text})
		return
	}
	var out io.Writer = p.s.stderr
	if p.bars != nil {
		out = p.bars
	}
	fmt.Fprintln(out, "skillbench: "+plain(text))
}

// write writes one line of JSON. Standard error that is gone ends no call.
func (p *embedProgress) write(line map[string]any) { _ = json.NewEncoder(p.s.stderr).Encode(line) }

func (p *embedProgress) close() {
	switch p.form {
	case barProgress:
		p.bar.Abort(true)
		p.bars.Wait()
	case jsonProgress:
		p.mu.Lock()
		defer p.mu.Unlock()
		p.write(map[string]any{"progress": p.status()})
	}
}
