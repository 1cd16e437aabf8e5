package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/metrics"
)

// traceFlags are the flags of `skillbench trace`.
type traceFlags struct {
	step        int // -1: all
	full, wrong bool
}

// shows reports whether a step is to be shown.
func (f traceFlags) shows(a record.Act) bool {
	return (f.step < 0 || a.Observation.Step == f.step) && (!f.wrong || missed(a))
}

func traceCommand(s system) *cobra.Command {
	f := traceFlags{step: -1}
	c := &cobra.Command{
		Use:   "trace DIR [CELL]",
		Short: "Read an episode step by step",
		Long: `Trace shows what each prompt was made of, the reply, the patch, what was wrong
with it, how Σ changed, the action, what the oracle would have done and what
became of it. CELL is a cell's name in cells.csv, or a part only one name has;
a number at its end is a whole one: s1 is not s10. Of strategies that ask no
model, it shows what they saw, where this program has their task as it was.

With --wrong, only steps that were not right: of routed dialogues those whose
first decision at a message did not settle it. Without CELL, one line for each
of them in all cells.`,
		Example: `  skillbench trace out/table1 skillstate-T50-s1 --step 7
  skillbench trace out/routing --wrong`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 2 || len(args) == 1 && f.wrong {
				return nil
			}
			return fmt.Errorf("want DIR and CELL, or DIR and --wrong, got %s", numbered(len(args), "argument"))
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("step") && f.step < 0 {
				return fmt.Errorf("--step: want a step from 0, got %d", f.step)
			}
			m, err := journal.ReadManifest(args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return listWrong(s.stdout, args[0], m)
			}
			cell, err := findCell(m, args[1])
			if err != nil {
				return err
			}
			return trace(s.stdout, journal.CellDir(args[0], cell.ID), f, stage(m, cell))
		},
	}
	c.Flags().IntVar(&f.step, "step", -1, "only this step")
	c.Flags().BoolVar(&f.full, "full", false, "show prompts whole")
	c.Flags().BoolVar(&f.wrong, "wrong", false, "only steps that were not right; without CELL, a line for each in the run")
	return c
}

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// trace writes the steps of one episode that are asked for.
func trace(w io.Writer, cellDir string, f traceFlags, world *staged) error {
	r, err := journal.Read(cellDir)
	if err != nil {
		return err
	}
	t := tracer{w: w, reader: r, full: f.full, world: world}
	found := false
	e, err := metrics.Walk(r, func(s metrics.Step) error {
		if f.step >= 0 && s.Act.Observation.Step > f.step {
			return errEnough
		}
		found = found || f.step < 0 || s.Act.Observation.Step == f.step
		return t.step(s, f.shows(s.Act))
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if !found {
		return fmt.Errorf("%s has no finished step%s", cellDir, of(f.step))
	}
	if f.wrong {
		t.line("%s not right", numbered(t.shown, "step"))
	}
	if e.End != nil && f.step < 0 {
		t.line("end: %s %s %s", e.End.Status, e.End.Why, e.End.Measured)
	}
	return t.err
}

// of is the number of a step behind the word; "" for all of them.
func of(step int) string {
	if step < 0 {
		return ""
	}
	return fmt.Sprintf(" %d", step)
}

// listWrong writes a line for each step of a run that was not right: cell, step,
// event, what was right and what was done.
func listWrong(w io.Writer, dir string, m journal.Manifest) error {
	t := tracer{w: w}
	steps := 0
	for _, c := range m.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if errors.Is(err, fs.ErrNotExist) {
			continue // not begun
		}
		if err != nil {
			return err
		}
		_, err = metrics.Walk(r, func(s metrics.Step) error {
			if a := s.Act; missed(a) {
				steps++
				t.line("%s step %d  %s %s  wanted %s  did %s", c.ID, a.Observation.Step, a.Observation.Kind, a.Observation.Item, a.Observation.Oracle, a.Action)
			}
			return t.err
		})
		if err != nil {
			return err
		}
	}
	t.line("%s not right", numbered(steps, "step"))
	return t.err
}

// tracer writes steps. Prompts are rebuilt even where they are not shown,
// because each is stored as its difference from the one before.
type tracer struct {
	w      io.Writer
	reader *journal.Reader
	world  *staged // of players
	full   bool
	shown  int
	err    error
}

func (t *tracer) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.w, strings.TrimRight(plain(fmt.Sprintf(format, args...)), " "))
	}
}

// block writes a text under a heading, each line set off by a bar.
func (t *tracer) block(heading, text string) {
	t.line("  %s", heading)
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		t.line("    | %s", l)
	}
}

func (t *tracer) step(s metrics.Step, show bool) error {
	o := s.Act.Observation
	seen := t.world.show(s.Act)
	if show {
		t.shown++
		t.line("step %d  %s %s%s", o.Step, o.Kind, o.Item, marks(o))
		if seen != "" {
			t.block("observation", seen)
		}
	}
	for _, sent := range s.Beside() {
		if err := t.call(string(sent.Call.Purpose)+" call", sent, show); err != nil {
			return err
		}
	}
	for i, a := range s.Attempts {
		if err := t.call(fmt.Sprintf("attempt %d", i), a.Sent, show); err != nil {
			return err
		}
		if show {
			t.judged(a.Transition)
		}
	}
	if show {
		t.outcome(s)
	}
	return t.err
}

func marks(o record.Observation) string {
	var b strings.Builder
	if o.Age != nil {
		fmt.Fprintf(&b, ", needs a fact of %s ago", numbered(*o.Age, "step"))
	}
	if o.Free {
		b.WriteString(", free step")
	}
	if o.Impossible {
		b.WriteString(", impossible after an earlier miss")
	}
	if o.Drift != "" {
		fmt.Fprintf(&b, ", drift %s", o.Drift)
	}
	return b.String()
}

func (t *tracer) call(name string, s metrics.Sent, show bool) error {
	p, err := t.reader.Prompt(s.Call)
	if err != nil || !show {
		return err
	}
	c := s.Call
	var parts []string
	for _, k := range prompt.Kinds() {
		if n := s.Parts[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", k, n))
		}
	}
	t.line("  %s: prompt of %s, %s: %s", name, numbered(c.Chars, "character"), numbered(c.Tokens, "token"), strings.Join(parts, " + "))
	if t.full {
		t.block("prompt", p.Text())
	} else if text := p.Only(prompt.Observation); text != "" {
		t.block("observation", strings.TrimPrefix(text, prompt.LabelLatest))
	}
	reply, err := t.reader.Reply(c)
	if err != nil {
		return err
	}
	if reply.Thinking != "" {
		t.block("thinking", reply.Thinking)
	}
	if c.Purpose == record.ForScores {
		if err := t.scores(p, reply); err != nil {
			return err
		}
	} else {
		t.block(fmt.Sprintf("reply, %s, %s", numbered(c.Completion, "token"), c.Finish), reply.Text)
	}
	for _, call := range reply.Calls {
		t.block("tool call "+call.Name, call.Arguments)
	}
	for _, f := range c.Failed {
		t.line("  before it failed: %s %d", f.Class, f.Status)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Notes)) {
		t.line("  the simulated model notes: %s %s", name, c.Notes[name])
	}
	return nil
}

// scores shows what each token of a text tells, in bits behind it.
func (t *tracer) scores(p prompt.Prompt, r record.Reply) error {
	list, err := model.ScoresOf(p, r)
	if err != nil {
		return err
	}
	_, text := model.Judged(p)
	var shown strings.Builder
	sum := 0.0
	for _, s := range list {
		bits := -s.LogProb / math.Ln2
		token := strings.TrimRight(text[:s.Bytes], "\n")
		fmt.Fprintf(&shown, "%s{%.1f}%s", token, bits, text[len(token):s.Bytes])
		sum, text = sum+bits, text[s.Bytes:]
	}
	t.block(fmt.Sprintf("what its last section tells: %s, %.1f bits", numbered(len(list), "token"), sum), shown.String())
	return nil
}

func (t *tracer) judged(tr record.Transition) {
	if tr.Move.Patch != nil {
		t.line("  patch: %s", tr.Move.Patch.Compact())
	}
	if len(tr.Move.Flags) > 0 {
		t.line("  flags: %s", strings.Join(tr.Move.Flags, ", "))
	}
	for _, v := range tr.Violations {
		t.line("  refused: %s", v)
	}
}

func (t *tracer) outcome(s metrics.Step) {
	if s.Act.State != "" {
		for _, d := range difference(s.Before, s.After) {
			t.line("  Σ %s", d)
		}
	}
	verdict := "wrong"
	if s.Act.Outcome.Free {
		verdict = "free"
	} else if s.Act.Outcome.Correct {
		verdict = "right"
	} else if s.Act.Outcome.Valid {
		verdict = "wrong, though the world accepted it"
	}
	t.line("  action: %s (%s; oracle: %s)", s.Act.Action, verdict, s.Act.Observation.Oracle)
	if v := s.Act.Verdict; v != nil {
		t.verdict(*v)
	}
	t.line("  result: %s", s.Act.Outcome.Result)
	if r := s.Act.Outcome.Routing; r != nil {
		t.routed(*r)
	}
	if x := s.Act.Outcome.Execution; x != nil {
		t.executed(*x)
	}
	if s.Act.Oracle != nil {
		t.line("  teacher world goes on with: %s", s.Act.Oracle.Result)
	}
	t.line("")
}

// verdict says what the strategy's runtime made of the action.
func (t *tracer) verdict(v record.Verdict) {
	switch v.Ruling {
	case record.Reuse:
		t.line("  runtime: not run, step %d has the answer", v.Step)
		if v.Skipped != nil {
			t.block("it would have brought", v.Skipped.Result)
		}
	case record.Nudge:
		t.line("  runtime: run with a remark: %s", v.Text)
	case record.Recall:
		t.line("  runtime: answered from the record")
	}
}

// difference lists the leaves that two states do not share: - before, + after.
func difference(before, after state.Object) []string {
	old := map[string]string{}
	for at, v := range before.Leaves() {
		old[at] = v
	}
	var lines []string
	for at, v := range after.Leaves() {
		if was, ok := old[at]; !ok {
			lines = append(lines, "+ "+at+" "+v)
		} else if was != v {
			lines = append(lines, "- "+at+" "+was, "+ "+at+" "+v)
		}
		delete(old, at)
	}
	for at, v := range before.Leaves() {
		if _, gone := old[at]; gone {
			lines = append(lines, "- "+at+" "+v)
		}
	}
	return lines
}
