package trial

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"skillbench/harness/check"
	"skillbench/harness/model"
)

// interruptions is how often an episode is killed at a call, and how often its
// journal is torn at a byte.
const interruptions = 8

const (
	eventsFile   = "events.jsonl"
	segmentsFile = "segments.jsonl"
)

// resume kills episodes and takes them up again, and judges what comes of it
// against the undisturbed one.
func (t *Trial) resume(ctx context.Context, dir string, whole Played) (check.Result, error) {
	events, err := os.ReadFile(filepath.Join(whole.Dir, eventsFile))
	if err != nil {
		return check.Result{}, err
	}
	segments, err := os.ReadFile(filepath.Join(whole.Dir, segmentsFile))
	if err != nil {
		return check.Result{}, err
	}
	var resumed []check.Resumption
	add := func(how, cell string) error {
		r, err := t.takeUp(ctx, how, cell)
		resumed = append(resumed, r)
		return err
	}
	for n := range interruptions {
		call := 1 + n*len(whole.Calls)/interruptions
		cell := filepath.Join(dir, fmt.Sprintf("killed-%d", call))
		if err := errors.Join(t.killAt(ctx, call, n%2 == 0, cell), add(fmt.Sprintf("killed at call %d", call), cell)); err != nil {
			return check.Result{}, err
		}
	}
	draw := rand.New(rand.NewPCG(seed, uint64(len(events))))
	for n := range interruptions {
		cut := draw.IntN(len(events))
		cell := filepath.Join(dir, fmt.Sprintf("torn-%d", n))
		texts := segments
		if n%2 == 0 {
			texts = append(segments[:len(segments):len(segments)], `"torn te`...)
		}
		if err := errors.Join(write(cell, events[:cut], texts), add(fmt.Sprintf("events torn at byte %d", cut), cell)); err != nil {
			return check.Result{}, err
		}
	}
	return check.RoundTrip(events, segments, resumed), nil
}

// killAt plays until a call, at which the episode's context ends or its model
// fails for good.
func (t *Trial) killAt(ctx context.Context, call int, cancel bool, cell string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := t.stage(0)
	s.kill = func(n int) error {
		switch {
		case n < call:
			return nil
		case cancel:
			stop()
			return ctx.Err()
		}
		return &model.Error{Class: model.Transient, Message: "killed"}
	}
	_, err := t.run(ctx, cell, s)
	return err
}

// takeUp goes on with a journal. What keeps it from that is part of what is
// judged, and no error.
func (t *Trial) takeUp(ctx context.Context, how, cell string) (r check.Resumption, err error) {
	r.How = how
	if r.Recorded, err = check.Recorded(cell); err != nil {
		return r, err
	}
	s := t.stage(0)
	if _, r.Err = t.run(ctx, cell, s); r.Err != nil {
		return r, nil
	}
	r.Made = s.calls
	if r.Events, err = os.ReadFile(filepath.Join(cell, eventsFile)); err != nil {
		return r, err
	}
	r.Segments, err = os.ReadFile(filepath.Join(cell, segmentsFile))
	return r, err
}

func write(cell string, events, segments []byte) error {
	if err := os.MkdirAll(cell, 0o755); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(cell, eventsFile), events, 0o644),
		os.WriteFile(filepath.Join(cell, segmentsFile), segments, 0o644))
}
