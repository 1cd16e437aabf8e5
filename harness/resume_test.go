package harness_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
)

var stride = flag.Int("stride", 29, "bytes between the cuts of resumed journals; 1 takes every byte")

// A call names a model call within its episode.
type call struct {
	purpose       record.Purpose
	step, attempt int
}

// resumable are small episodes that make every kind of call. Their texts are
// short, because each is resumed once for every cut of its journal.
func resumable(t *testing.T) map[string]func() *harness.Episode {
	p, c := one(t, kit(), "{base: memory, recent: 1, fold: 1}", 3)
	q, d := one(t, kit(), "skillstate", 2)
	o, b := asking(t, 3, scorer)
	return map[string]func() *harness.Episode{
		"memory": func() *harness.Episode {
			e := episode(t, p, c, shipped(new(listener)))
			e.Skill.Instructions = "Run it.\n"
			return e
		},
		"llmlingua by an endpoint": func() *harness.Episode {
			e := episode(t, o, b, opened(new(listener)))
			e.Skill.Instructions, e.Model, e.Informer = "Run it.\n", both{e.Model, scorer}, nil
			return e
		},
		// The first attempt at step 1 is refused.
		"skillstate with a retry": func() *harness.Episode {
			e := episode(t, q, d, shipped(new(listener)))
			e.Skill.Instructions = "Run it.\n"
			sim := e.Model
			e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
				if r.Step == 1 && r.Attempt == 0 {
					return record.Reply{Text: "No.", Thinking: "Hm <b>.", Finish: record.Stop}, nil
				}
				return sim.Generate(ctx, r)
			})
			return e
		},
	}
}

// both answer: the first what asks for an action, the second what asks for scores.
type both [2]model.Model

func (b both) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	if r.Form == model.Scores {
		return b[1].Generate(ctx, r)
	}
	return b[0].Generate(ctx, r)
}

// recordedCalls lists the calls that stand whole in a journal, texts included.
func recordedCalls(f files) map[call]bool {
	stored := strings.Count(f.texts, "\n")
	calls := map[call]bool{}
	lines := strings.SplitAfter(f.events, "\n")
	for _, line := range lines {
		var e journal.Event
		if !strings.HasSuffix(line, "\n") || json.Unmarshal([]byte(line), &e) != nil {
			break
		}
		if e.Call == nil {
			continue
		}
		if e.Call.Reply > stored || e.Call.Thinking > stored {
			break
		}
		for _, edit := range e.Call.Splice {
			for _, ref := range edit.Add {
				if ref.Text > stored {
					return calls
				}
			}
		}
		calls[call{e.Call.Purpose, e.Call.Step, e.Call.Attempt}] = true
	}
	return calls
}

func TestResumedAtAnyByteGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, fresh := range resumable(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if end := play(t, fresh(), dir); end.Status != record.Done {
				t.Fatalf("the undisturbed episode ended as %+v", end)
			}
			whole := load(t, dir)
			for at := range cuts(whole.events) {
				resume(t, fresh(), dir, whole, files{whole.events[:at], whole.texts}, fmt.Sprintf("events cut at byte %d", at))
			}
			for at := range cuts(whole.texts) {
				resume(t, fresh(), dir, whole, files{whole.events, whole.texts[:at]}, fmt.Sprintf("texts cut at byte %d", at))
			}
		})
	}
}

// cuts yields every length at which a file is cut: all around the ends of lines,
// and every stride bytes within them.
func cuts(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := range len(text) + 1 {
			edge := at < 2 || at+2 > len(text) || strings.Contains(text[at-2:at+2], "\n")
			if (edge || at%*stride == 0) && !yield(at) {
				return
			}
		}
	}
}

func resume(t *testing.T, e *harness.Episode, dir string, whole, left files, how string) {
	t.Helper()
	left.store(t, dir)
	recorded := recordedCalls(left)
	inner := e.Model
	l := &listener{inner: inner}
	e.Model = l
	end, err := tryPlay(context.Background(), e, dir)
	if err != nil || end.Status != record.Done {
		t.Fatalf("%s: %+v, %v", how, end, err)
	}
	if got := load(t, dir); got != whole {
		t.Fatalf("%s: got\n%s\n%s\nwant\n%s\n%s", how, got.events, got.texts, whole.events, whole.texts)
	}
	for _, r := range l.requests {
		if recorded[call{r.Purpose, r.Step, r.Attempt}] {
			t.Errorf("%s: the recorded %s call %d.%d was made again", how, r.Purpose, r.Step, r.Attempt)
		}
	}
	if total := len(recordedCalls(whole)); len(recorded)+len(l.requests) != total {
		t.Errorf("%s: %d calls recorded and %d made, want %d together", how, len(recorded), len(l.requests), total)
	}
}

func TestDamageIsNamedAndNothingIsDropped(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "skillstate", 3)
	dir := t.TempDir()
	play(t, episode(t, p, c, shipped(new(listener))), dir)
	whole := load(t, dir)
	whole.events += `{"torn`
	whole.texts += `"torn`
	for _, name := range []string{"events.jsonl", "segments.jsonl"} {
		text := map[string]string{"events.jsonl": whole.events, "segments.jsonl": whole.texts}[name]
		lines := strings.SplitAfter(text, "\n")
		for i := range len(lines) - 1 {
			for what, bad := range map[string]string{"cut": lines[i][:len(lines[i])/2] + "\n", "zeros": strings.Repeat("\x00", 9) + "\n", "of another kind": "[1]\n", "blank": "\n"} {
				damaged := strings.Join(lines[:i], "") + bad + strings.Join(lines[i+1:], "")
				f := whole
				if name == "events.jsonl" {
					f.events = damaged
				} else {
					f.texts = damaged
				}
				f.store(t, dir)
				want := fmt.Sprintf("%s:%d: damaged", filepath.Join(dir, name), i+1)
				_, err := tryPlay(context.Background(), episode(t, p, c, shipped(new(listener))), dir)
				if err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s line %d %s: got %v, want %s…", name, i+1, what, err, want)
				}
				if load(t, dir) != f {
					t.Errorf("%s line %d %s: the files have changed", name, i+1, what)
				}
				if err := readAll(dir); err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s line %d %s: read with %v, want %s…", name, i+1, what, err, want)
				}
			}
		}
	}
}

// readAll reads a journal as reports do.
func readAll(dir string) error {
	r, err := journal.Read(dir)
	if err != nil {
		return err
	}
	return r.Each(func(e journal.Event) error {
		if e.Call == nil {
			return nil
		}
		_, err := r.Prompt(*e.Call)
		return err
	})
}

func TestEveryCallFindsTheEarlierOnesOnDisk(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "{base: memory, recent: 1, fold: 1}", 6)
	dir := t.TempDir()
	made := 0
	l := &listener{}
	l.hear = func(model.Request) {
		if err := readAll(dir); err != nil {
			t.Errorf("before call %d: %v", made, err)
		}
		f := load(t, dir)
		if got := len(recordedCalls(f)); got != made {
			t.Errorf("before call %d: %d calls are on disk", made, got)
		}
		made++
	}
	play(t, episode(t, p, c, shipped(l)), dir)
}

const spoiltAttempt = `,"failed":[{"class":"timeout"}]`

func TestAnEndWithoutAResultIsContinued(t *testing.T) {
	t.Parallel()
	for _, class := range []string{"limit:calls", model.Transient} {
		p, c := one(t, kit(), "{base: memory, recent: 1, fold: 1}", 4)
		whole := t.TempDir()
		play(t, episode(t, p, c, shipped(new(listener))), whole)
		dir := t.TempDir()
		// Each run ends at its second call, so every call is at some time the one
		// at which a run that has replayed ends again.
		var status record.Status
		runs, spoilt := 0, 0
		for status != record.Done {
			if runs++; runs > 20 {
				t.Fatal("the episode does not come to its end")
			}
			e := episode(t, p, c, shipped(new(listener)))
			sim, calls := e.Model, 0
			e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
				if calls++; calls > 1 {
					spoilt++
					return record.Reply{}, &model.Error{Class: class, Message: "enough", Measured: "2", Failed: []record.Failure{{Class: model.Timeout}}}
				}
				return sim.Generate(ctx, r)
			})
			end := play(t, e, dir)
			status = end.Status
			last, err := journal.EndOf(dir)
			if err != nil || last == nil || last.Status != status {
				t.Fatalf("run %d ended as %s, on disk %+v, %v", runs, status, last, err)
			}
			stop := make(chan struct{})
			close(stop)
			stopped := episode(t, p, c, shipped(new(listener)))
			stopped.Stop = stop
			before := load(t, dir)
			if play(t, stopped, dir); load(t, dir) != before {
				t.Fatalf("run %d: an episode that was stopped at once has changed its journal", runs)
			}
			if status != record.Done && (status.Final() || end.Why == "" || end.Measured != "2" || len(last.Failed) != 1) {
				t.Fatalf("%s: %+v", class, end)
			}
		}
		// Attempts that were given up stay on record, with the call that came of them.
		f := load(t, dir)
		if n := strings.Count(f.events, spoiltAttempt); n != spoilt {
			t.Errorf("%s: %d of %d spoilt attempts are on record", class, n, spoilt)
		}
		if f.events = strings.ReplaceAll(f.events, spoiltAttempt, ""); f != load(t, whole) {
			t.Errorf("%s: the files differ from those of an undisturbed episode", class)
		}
		if runs < 4 {
			t.Errorf("%s: done in %d runs, want one for each call", class, runs)
		}
	}
}

func TestAnotherConfigurationIsRefused(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "react", 3)
	dir := t.TempDir()
	play(t, episode(t, p, c, shipped(new(listener))), dir)
	f := load(t, dir)
	lines := strings.SplitAfter(f.events, "\n")
	f.events = strings.Join(lines[:len(lines)-3], "")
	f.store(t, dir)

	e := episode(t, p, c, shipped(new(listener)))
	e.Skill.Instructions = "You run a bakery.\n"
	_, err := tryPlay(context.Background(), e, dir)
	if err == nil || !strings.Contains(err.Error(), "events.jsonl:2: the journal was made by other code, prompts or settings") || strings.Contains(err.Error(), "\n") {
		t.Errorf("other instructions: %v", err)
	}
	if got := load(t, dir); got.events != f.events {
		t.Error("the events have changed")
	}

	e = episode(t, p, c, shipped(new(listener)))
	e.Cell.Seed++
	if _, err = tryPlay(context.Background(), e, dir); err == nil || !strings.Contains(err.Error(), "events.jsonl:1: replaying gives another event") {
		t.Errorf("another cell: %v", err)
	}
}

func TestAFinishedEpisodeMakesNoCallAndChangesNothing(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "stateful", 4)
	dir := t.TempDir()
	play(t, episode(t, p, c, shipped(new(listener))), dir)
	whole := load(t, dir)
	l := new(listener)
	if end := play(t, episode(t, p, c, shipped(l)), dir); end.Status != record.Done || len(l.requests) != 0 || load(t, dir) != whole {
		t.Errorf("ended as %s with %d calls", end.Status, len(l.requests))
	}
}

func TestFoldersThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "react", 2)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tryPlay(context.Background(), episode(t, p, c, shipped(new(listener))), filepath.Join(file, "cell")); err == nil {
		t.Error("a folder inside a file: no error")
	}
	for _, name := range []string{"events.jsonl", "segments.jsonl"} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := tryPlay(context.Background(), episode(t, p, c, shipped(new(listener))), dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is a folder: %v", name, err)
		}
	}
	if os.Getuid() == 0 {
		return // root may write everywhere
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if _, err := tryPlay(context.Background(), episode(t, p, c, shipped(new(listener))), dir); err == nil {
		t.Error("a read-only folder: no error")
	}
}

func TestLongTextsTravelWhole(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "react", 2)
	long := bytes.Repeat([]byte("<a & \"b\">\u2028é\\ "), 4000) // 64 KB and more once written as JSON
	reply := string(long[:60_000]) + "\nAction: Wait"
	dir := t.TempDir()
	e := episode(t, p, c, instead(always(strings.ToValidUTF8(reply, ""))))
	if end := play(t, e, dir); end.Status != record.Done {
		t.Fatal(end)
	}
	whole := load(t, dir)
	if err := readAll(dir); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(whole.events, "\n")
	files{strings.Join(lines[:len(lines)-2], ""), whole.texts}.store(t, dir)
	play(t, episode(t, p, c, instead(always(strings.ToValidUTF8(reply, "")))), dir)
	if load(t, dir) != whole {
		t.Error("a resumed episode with long replies has other files")
	}
}
