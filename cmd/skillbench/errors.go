package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"skillbench/harness/journal"
	"skillbench/metrics/charts"
	"skillbench/metrics/patcherr"
)

// errorsFlags are the flags of `skillbench errors`.
type errorsFlags struct {
	out      string
	rows     []string
	maxRates []string
}

func errorsCommand(s system) *cobra.Command {
	var f errorsFlags
	c := &cobra.Command{
		Use:   "errors [DIR...]",
		Short: "How often models write bad patches and corrupt the state, by class, side by side",
		Long: `Errors classifies every reply in the journals of one or more runs: what the
reply itself shows (syntax, envelope, schema, action), and what an accepted one
did to the state, against the agent's own world at that step. It calls no model.

It prints the tables and writes errors.csv, errors.md, findings.csv (each error
with its evidence) and two plots into --out, which is DIR/errors of the first
DIR unless given. Published shares stand beside. Where the same cells are in a
teacher and in a closed world, it says what an error costs in score.

--rows reads transcripts recorded elsewhere, one JSON object a line:
  state         object, needed: the state as the prompt showed it
  reply         string, needed: the text of the reply
  schema        object: JSON Schema of the state; needed in the first row,
                later the one before if absent
  truth         object: the world after the step, in the schema's terms;
                without it only what the reply shows is judged
  truth_before  object: the world before it (default: the state was right)
  form          envelope (default; one object with state_patch and action),
                update or action (lines "Action:" and "StateUpdate:")
  wire          fenced (default), json_schema or tool
  merge         deep (default), shallow or replace
  repair        strict (default) or lenient
  action        object: pattern, an RE2 expression that actions must match;
                refused, true if the world refused the action
  calls         array of {name, arguments}: tool calls, for wire tool
  finish        stop (default), length, tool_calls, content_filter or refusal
  thinking      string: reasoning that came in a field of its own
  model, agent  strings: what to set side by side
  episode       string: rows of one episode depend on each other
  step, attempt whole numbers from 0; default: each row is a step
  tokens        whole number: of prompt and reply
With --rows alone, files are written only if --out is given.

Rates of --max-rate are shares of steps from 0 to 1, for a class, a kind
(overwrite_deletion, schema, syntax, other) or any.

Exit code: 0 done, 1 a --max-rate is exceeded, 2 the call or a file was wrong.`,
		Example: `  skillbench errors out/table7
  skillbench errors out/table7 out/table8 --out out/errors
  skillbench errors out/table7 --max-rate json_syntax=0.01 --max-rate any=0.1
  skillbench errors --rows transcript.jsonl --out out/mine`,
		RunE: func(_ *cobra.Command, dirs []string) error {
			if len(dirs) == 0 && len(f.rows) == 0 {
				return errors.New("want DIR, the folder of a run, or --rows FILE, got neither")
			}
			return classify(s, dirs, f)
		},
	}
	c.Flags().StringVarP(&f.out, "out", "o", "", "folder to write to (default: errors in the first DIR)")
	c.Flags().StringArrayVar(&f.rows, "rows", nil, "rows recorded elsewhere, as JSON Lines; may be repeated")
	c.Flags().StringArrayVar(&f.maxRates, "max-rate", nil, "class=x: exit with 1 if a model has the class at more than the share x of steps; may be repeated")
	return c
}

func classify(s system, dirs []string, f errorsFlags) error {
	limits, err := parseRates(f.maxRates)
	if err != nil {
		return err
	}
	var found evidence
	for _, dir := range dirs {
		if err := found.run(dir); err != nil {
			return err
		}
	}
	for _, file := range f.rows {
		if err := found.rows(file); err != nil {
			return err
		}
	}
	r := patcherr.NewReport(found.episodes)
	if len(r.Groups) == 0 {
		return errors.New("no episode in which a model was asked")
	}
	var text strings.Builder
	if err := r.Text(&text); err != nil {
		return err
	}
	fmt.Fprint(s.stdout, plain(text.String()))
	if found.unended > 0 {
		fmt.Fprintf(s.stdout, "\n%s not begun or not ended; what is there is counted.\n", numbered(found.unended, "cell"))
	}
	out := f.out
	if out == "" && len(dirs) > 0 {
		out = filepath.Join(dirs[0], "errors")
	}
	if out != "" {
		if err := writeErrors(s.stdout, out, r); err != nil {
			return err
		}
	}
	return exceeded(s.stdout, r, limits)
}

// evidence is what was read so far.
type evidence struct {
	episodes []patcherr.Episode
	unended  int
	cells    map[string]bool
	names    map[string]named
}

// named is what a name stood for, and where.
type named struct{ dir, meaning string }

// run reads the cells of a run. Cells read before are the same episodes and are
// passed over.
func (v *evidence) run(dir string) error {
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return err
	}
	for noun, list := range map[string][]journal.Definition{"task": m.Tasks, "agent": m.Agents, "model": m.Models} {
		if err := v.name(dir, noun, list); err != nil {
			return err
		}
	}
	if v.cells == nil {
		v.cells = map[string]bool{}
	}
	for _, c := range m.Cells {
		if v.cells[c.ID] {
			continue
		}
		v.cells[c.ID] = true
		if err := v.cell(journal.CellDir(dir, c.ID)); err != nil {
			return err
		}
	}
	return nil
}

// cell reads one episode, as far as it goes.
func (v *evidence) cell(dir string) error {
	var e patcherr.Episode
	r, err := journal.Read(dir)
	if err == nil {
		e, err = patcherr.Read(r)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !e.Status.Final() {
		v.unended++
	}
	if e.Cell.ID != "" {
		v.episodes = append(v.episodes, e)
	}
	return nil
}

// name refuses a name that stands for two things: they would share a line.
func (v *evidence) name(dir, noun string, list []journal.Definition) error {
	if v.names == nil {
		v.names = map[string]named{}
	}
	for _, d := range list {
		key, meaning := noun+" "+d.Name, fmt.Sprintf("%s %s %s", d.Base, d.Hash, d.Keys)
		if old, ok := v.names[key]; ok && old.meaning != meaning {
			return fmt.Errorf("%s is not the same in %s and in %s; give it another name in one of the experiments", key, old.dir, dir)
		}
		v.names[key] = named{dir, meaning}
	}
	return nil
}

func (v *evidence) rows(file string) error {
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%s: cannot read the rows: %w", file, pathless(err))
	}
	defer in.Close() // only read from
	episodes, err := patcherr.ReadRows(file, in)
	v.episodes = append(v.episodes, episodes...)
	return err
}

func writeErrors(stdout io.Writer, dir string, r *patcherr.Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{{"errors.csv", r.CSV}, {"errors.md", r.Markdown}, {"findings.csv", r.Findings}} {
		var b bytes.Buffer
		if err := file.write(&b); err != nil {
			return err
		}
		if err := journal.WriteFile(filepath.Join(dir, file.name), b.Bytes()); err != nil {
			return err
		}
	}
	for name, chart := range map[string]charts.Chart{"error_shares": r.Shares(), "error_rates": r.Rates()} {
		for _, format := range []string{"png", "svg"} {
			data, err := chart.Render(format)
			if err != nil {
				return err
			}
			if err := journal.WriteFile(filepath.Join(dir, name+"."+format), data); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(stdout, "\n%s\n", plain(filepath.Join(dir, "errors.md")))
	return nil
}

// A maxRate is the highest share of steps that is let pass.
type maxRate struct {
	name string
	most float64
}

func parseRates(list []string) ([]maxRate, error) {
	var rates []maxRate
	for _, text := range list {
		name, value, _ := strings.Cut(text, "=")
		if !slices.Contains(patcherr.Names(), name) {
			return nil, fmt.Errorf("--max-rate %s: want one of %s before the =, got %q", text, strings.Join(patcherr.Names(), ", "), name)
		}
		most, err := strconv.ParseFloat(value, 64)
		if err != nil || !(most >= 0 && most <= 1) {
			return nil, fmt.Errorf("--max-rate %s: want a share of steps from 0 to 1 after the =, got %q", text, value)
		}
		rates = append(rates, maxRate{name, most})
	}
	return rates, nil
}

// exceeded says which groups are over a limit.
func exceeded(stdout io.Writer, r *patcherr.Report, limits []maxRate) error {
	var over error
	for _, l := range limits {
		for _, g := range r.Groups {
			rate := g.Rate(patcherr.First, patcherr.Named(l.name)).Steps
			if rate.Share.OK && rate.Share.V > l.most {
				fmt.Fprintf(stdout, "%s: %s at %d of %s (%.4f), want %g at most\n", plain(g.Label), l.name, rate.K, numbered(rate.N, "step"), rate.Share.V, l.most)
				over = errFound
			}
		}
	}
	return over
}
