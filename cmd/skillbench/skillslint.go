package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skillbench/harness/journal"
	"skillbench/metrics/routing"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// lintFlags are the flags of `skillbench skills lint`.
type lintFlags struct {
	format, measured, vectors string
	matrix, lock, verbose     bool
	similar                   float64
}

func skillsLintCommand(s system) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint [DIR]",
		Short: "Find what makes skills of a library be taken for each other, or fail",
		Long: `Lint reads a library of skills strictly and looks for what a strict reader lets
pass. Each finding is a line: file:line: rule: what; how to mend it.

` + ruleTable() + `
DIR is the folder of a library, or the name of one that skillbench ships (default
after-sales). A remark on a line of its own in skill.yaml allows a finding:

  # lint allow preconditions: the refund policy has five

With --lock, the version and a hash of each definition are written to skills.lock
in DIR. From then on a definition that changes without a new version is found;
--lock does not hide such a change.

Exit code: 0 nothing found, 1 findings, 2 the library cannot be read.`,
		Example: `  skillbench skills lint
  skillbench skills lint my/skills --lock
  skillbench skills lint my/skills --measured out/routing/routing.json --matrix`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.format != "text" && f.format != "json" {
				return fmt.Errorf("--format: want text or json, got %q", f.format)
			}
			if !(f.similar > 0 && f.similar <= 1) {
				return fmt.Errorf("--similar: want more than 0 and at most 1, got %g", f.similar)
			}
			p, err := placeOf(args)
			if err != nil {
				return err
			}
			return lint(s, p, f)
		},
	}
	c.Flags().StringVar(&f.format, "format", "text", "text or json")
	c.Flags().BoolVar(&f.matrix, "matrix", false, "print the most similar pairs too")
	c.Flags().Float64Var(&f.similar, "similar", skills.MaxSimilar, "similarity above which two descriptions are a finding")
	c.Flags().BoolVar(&f.lock, "lock", false, "write skills.lock first")
	c.Flags().StringVar(&f.measured, "measured", "", "routing.json of a run: find what it confused")
	c.Flags().StringVar(&f.vectors, "vectors", "", "file of vectors: find those of another text")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print what remarks allow too")
	return c
}

// ruleTable lists the rules for --help.
func ruleTable() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, r := range skills.Rules() {
		for i, part := range wrap(r.Doc, 62) {
			name := ""
			if i == 0 {
				name = r.Name
			}
			fmt.Fprintf(w, "  %s\t%s\n", name, part)
		}
	}
	w.Flush() // to a strings.Builder
	return b.String()
}

func lint(s system, p place, f lintFlags) error {
	l, err := p.load(s)
	if err != nil {
		return err
	}
	e := skills.Evidence{Similar: f.similar, LockFile: path.Join(p.source, skills.LockFile)}
	if e.Lock, err = skills.ReadLock(p.FS, p.dir, p.source); err != nil {
		return err
	}
	if f.measured != "" {
		if e.Measured, err = confusions(f.measured); err != nil {
			return err
		}
	}
	if f.vectors != "" {
		if e.Vectors, err = texts(f.vectors); err != nil {
			return err
		}
	}
	if f.lock {
		if e.Lock, err = writeLock(p, l, e.Lock); err != nil {
			return err
		}
	}
	r := lintReport{Library: l.Name, Skills: len(l.Skills)}
	r.Findings, r.Allowed = skills.Lint(l, e)
	if f.matrix {
		r.Pairs = l.Pairs()
	}
	if f.format == "json" {
		err = r.json(s)
	} else {
		err = r.text(s, f.verbose)
	}
	if err == nil && len(r.Findings) > 0 {
		return errFound
	}
	return err
}

func writeLock(p place, l skills.Library, old skills.Lock) (skills.Lock, error) {
	if !p.disk {
		return nil, errors.New("--lock: want the folder of a library, because one that skillbench ships cannot be written")
	}
	lock := l.Relock(old)
	file := filepath.Join(filepath.FromSlash(p.source), skills.LockFile)
	if err := journal.WriteFile(file, []byte(lock.Text())); err != nil {
		return nil, fmt.Errorf("%s: cannot write the lock: %w", file, pathless(err))
	}
	return skills.ReadLock(os.DirFS(p.source), ".", p.source)
}

// blind are the strategies that decide without reading what a skill says of
// itself, so that what they confuse says nothing of the skills.
var blind = []string{"random", "first", "always_none"}

// confusions reads what a run took for what, group by group.
func confusions(file string) ([]skills.Confusion, error) {
	r, err := routing.Read(file)
	if err != nil {
		return nil, err
	}
	var all []skills.Confusion
	for _, g := range r.Groups {
		if slices.Contains(blind, g.Agent) {
			continue
		}
		for _, c := range g.Confusion {
			all = append(all, skills.Confusion{Group: g.Key.String(), Want: c.Want, Got: c.Got, N: c.N})
		}
	}
	return all, nil
}

// texts reads which texts a file of vectors is of.
func texts(file string) ([]skills.VectorOf, error) {
	data, err := rank.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the vectors: %w", file, err)
	}
	v, err := rank.ReadVectors(file, data)
	return v.Texts(), err
}

// A lintReport is what lint prints.
type lintReport struct {
	Library  string           `json:"library"`
	Skills   int              `json:"skills"`
	Findings []skills.Finding `json:"findings"`
	Allowed  []skills.Finding `json:"allowed"`
	Pairs    []skills.Pair    `json:"pairs,omitempty"` // the most similar first
}

func (r lintReport) json(s system) error {
	for _, list := range []*[]skills.Finding{&r.Findings, &r.Allowed} {
		if *list == nil {
			*list = []skills.Finding{}
		}
	}
	e := json.NewEncoder(s.stdout)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

func (r lintReport) text(s system, verbose bool) error {
	for _, f := range r.Findings {
		fmt.Fprintln(s.stdout, plain(f.String()))
	}
	if verbose {
		for _, f := range r.Allowed {
			fmt.Fprintln(s.stdout, plain(f.String()+" (allowed: "+f.Allowed+")"))
		}
	}
	if len(r.Pairs) > 0 {
		fmt.Fprintf(s.stdout, "\nThe most similar of %s:\n", numbered(len(r.Pairs), "pair"))
		w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
		for _, p := range r.Pairs[:min(listed, len(r.Pairs))] {
			fmt.Fprintf(w, "  %.2f\t%s\t%s\n", p.Similarity, p.A, p.B)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(s.stdout)
	}
	_, err := fmt.Fprintf(s.stdout, "%s: %s, %s, %d allowed by remarks\n", plain(r.Library), numbered(r.Skills, "skill"), numbered(len(r.Findings), "finding"), len(r.Allowed))
	return err
}
