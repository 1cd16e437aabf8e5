package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skillbench/harness/config"
	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/model/sim"
)

func doctorCommand(s system) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor MODEL",
		Short: "Ask an endpoint what it supports and say what that means for a run",
		Long: `Doctor asks the endpoint of a model file for its models and then makes up to
nine small calls, all but the last with the first prompt of a warehouse episode:
as the file stands, at temperature 0, with a seed, cut at a small limit, on each
wire, as a stream and with a system message. The last asks for the
log-probabilities of a text, which only an informer needs. It prints what it found
and what that means for a run. It writes no file.

Exit code: 0 a run with this file can work, 1 it cannot, 2 the call or the file
was wrong.`,
		Example: "  skillbench doctor configs/models/vllm.yaml",
		Args:    oneArg("MODEL, a model file such as configs/models/vllm.yaml"),
		RunE:    func(c *cobra.Command, args []string) error { return doctor(c.Context(), s, args[0]) },
	}
}

func doctor(ctx context.Context, s system, path string) error {
	data, err := config.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: cannot read the model file: %w", path, pathless(err))
	}
	cfg, err := openai.Parse(path, data)
	if err != nil {
		return err
	}
	key := ""
	if cfg.KeyEnv != "" {
		if key = s.env(cfg.KeyEnv); key == "" {
			return fmt.Errorf("%s: key_env: the environment variable %s is empty: export the key in it", path, cfg.KeyEnv)
		}
	}
	p, err := newPatient(s, cfg, key)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s: model %s at %s\n\n", plain(cfg.Name), plain(cfg.Model), cfg.BaseURL)
	fit := p.examine(ctx)
	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "capability\tfound\tfor a run")
	for _, f := range p.findings {
		f.print(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "\n%s made\n", numbered(p.calls, "call"))
	if !fit {
		return errFound
	}
	return nil
}

// Bounds of a cell, in characters: the table is at most 100 wide.
const (
	cellWidth = 34
	cellText  = 160
)

// print writes a finding, what is too long for its cell on lines below it.
func (f finding) print(w io.Writer) {
	found, means := inCell(f.found), inCell(f.means)
	for i := range max(len(found), len(means)) {
		fmt.Fprintf(w, "%s\t%s\t%s\n", at([]string{f.what}, i), at(found, i), at(means, i))
	}
}

// at is a line of a cell, "" below its last.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// inCell breaks a text into lines that stay within their cell of a table.
func inCell(text string) []string {
	if r := []rune(text); len(r) > cellText {
		text = string(r[:cellText]) + "…"
	}
	return wrap(oneLine(fmt.Errorf("%s", tabs.Replace(text))), cellWidth)
}

// A finding is one line of the table.
type finding struct{ what, found, means string }

// find adds a line. An endpoint may echo the key anywhere; it is not shown.
func (p *patient) find(what, found, means string) {
	if p.key != "" {
		found, means = strings.ReplaceAll(found, p.key, "[key]"), strings.ReplaceAll(means, p.key, "[key]")
	}
	p.findings = append(p.findings, finding{what, found, means})
}

// examine fills the table. It reports whether a run can work.
func (p *patient) examine(ctx context.Context) bool {
	listed := p.list(ctx)
	base := p.call(ctx, p.cfg.Wire, nil)
	if base.err != nil {
		p.refused(base.err)
		return false
	}
	p.find("endpoint", "answers", "")
	p.identity(base, listed)
	p.readable(base)
	p.finish(base)
	p.usage(base)
	p.thinking(base)
	p.sampling(ctx)
	p.limit(ctx)
	for _, wire := range []model.Wire{model.Fenced, model.JSONSchema, model.Tool} {
		if wire != p.cfg.Wire {
			p.wire(ctx, wire)
		}
	}
	p.stream(ctx)
	p.system(ctx)
	p.informer(ctx)
	p.context(listed)
	p.rates(base)
	return true
}

func (p *patient) refused(e *model.Error) {
	what := "endpoint"
	switch {
	case e.Status == 401 || e.Status == 403:
		what = "key"
	case e.Status == 404:
		what = "model"
	case e.Status >= 400 && e.Status < 500:
		what = "request"
	}
	p.find(what, e.Error(), "no run can work; mend this first")
}

func (p *patient) identity(base call, listed listing) {
	key := "accepted"
	if p.cfg.KeyEnv == "" {
		key = "none needed"
	}
	p.find("key", key, "")
	means := ""
	if base.reply.Served == p.cfg.Model+" "+sim.Served {
		means = "simulated: results say nothing of a real model"
	}
	p.find("model", "answers as "+orNone(base.reply.Served), means)
	switch _, known := listed.find(p.cfg.Model); {
	case listed.err != "":
		p.find("model list", listed.err, "nothing: runs do not need it")
	case known:
		p.find("model list", numbered(len(listed.models), "model")+", this one among them", "")
	default:
		p.find("model list", numbered(len(listed.models), "model")+", not this one", "check model: some servers answer with whatever they have loaded")
	}
}

func orNone(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
