package patcherr

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"skillbench/metrics/stats"
)

// Text writes the tables for a terminal.
func (r *Report) Text(w io.Writer) error {
	for i, t := range r.Tables() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, t.Title)
		out := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		fmt.Fprintln(out, strings.Join(t.Head, "\t"))
		for _, row := range t.Rows {
			fmt.Fprintln(out, strings.Join(row, "\t"))
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Markdown writes the tables with what they mean.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Patch errors\n")
	for _, t := range r.Tables() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", t.Title, t.Note)
		line(&b, t.Head)
		b.WriteString("|" + strings.Repeat("---|", len(t.Head)) + "\n")
		for _, row := range t.Rows {
			line(&b, row)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var markdown = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "!", `\!`)

func line(b *strings.Builder, cells []string) {
	b.WriteString("|")
	for _, cell := range cells {
		b.WriteString(" " + markdown.Replace(cell) + " |")
	}
	b.WriteString("\n")
}

// csvHead is errors.csv; new columns are appended.
var csvHead = []string{"task", "agent", "model", "model_kind", "world", "drift", "noise", "order", "kind", "name",
	"attempts_k", "attempts_n", "attempts", "attempts_low", "attempts_high",
	"steps_k", "steps_n", "steps", "steps_low", "steps_high",
	"episodes_k", "episodes_n", "episodes", "episodes_low", "episodes_high",
	"onsets", "share_k", "share_n", "share", "share_low", "share_high", "share_paper"}

// CSV writes errors.csv: a line for each group, order, class and bucket.
func (r *Report) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvHead); err != nil {
		return err
	}
	for _, g := range r.Groups {
		for _, o := range []Order{First, Reversed} {
			for _, name := range Names() {
				if err := out.Write(csvLine(g, o, name)); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvLine(g *Group, o Order, name string) []string {
	kind, b := "class", Bucket("")
	for _, bucket := range Buckets() {
		if string(bucket) == name {
			kind, b = "bucket", bucket
		}
	}
	if name == "any" {
		kind = "any"
	}
	rate := g.Rate(o, Named(name))
	cells := []string{g.Task, g.Agent, g.Model, g.Kind, string(g.World), g.Drift, strconv.Itoa(g.Noise), string(o), kind, name}
	for _, p := range []stats.Proportion{rate.Attempts, rate.Steps, rate.Episodes} {
		cells = append(cells, proportion(p)...)
	}
	cells = append(cells, strconv.Itoa(rate.Onsets))
	if b == "" || b == Other {
		return append(cells, "", "", "", "", "", "")
	}
	return append(append(cells, proportion(g.Share(o, b))...), Published(b).CSV())
}

func proportion(p stats.Proportion) []string {
	return []string{strconv.Itoa(p.K), strconv.Itoa(p.N), p.Share.CSV(), p.Interval.Low.CSV(), p.Interval.High.CSV()}
}

// Findings writes findings.csv: every finding with its evidence.
func (r *Report) Findings(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"cell", "task", "agent", "model", "world", "seed", "step", "attempt", "class", "primary", "path", "before", "after", "truth", "hint", "resend"}); err != nil {
		return err
	}
	for _, g := range r.Groups {
		for _, e := range g.Episodes {
			for _, a := range e.Attempts {
				for _, f := range a.Findings {
					err := out.Write([]string{e.Cell.ID, e.Cell.Task, e.Cell.Agent, e.Cell.Model, string(e.Cell.World), strconv.FormatUint(e.Cell.Seed, 10),
						strconv.Itoa(f.Step), strconv.Itoa(f.Attempt), f.Class, a.Primary(First), f.Path, f.Before, f.After, f.Truth, f.Hint, strconv.FormatBool(f.Resend)})
					if err != nil {
						return err
					}
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

func percent(v stats.Value, decimals int) string {
	if !v.OK {
		return "–"
	}
	return stats.Of(100*v.V).Format(decimals) + " %"
}

func interval(p stats.Proportion, decimals int) string { return percents(p.Interval, decimals) }

func percents(i stats.Interval, decimals int) string {
	if !i.OK() {
		return "–"
	}
	return stats.Of(100*i.Low.V).Format(decimals) + " to " + stats.Of(100*i.High.V).Format(decimals)
}

func bounds(i stats.Interval, decimals int) string {
	if !i.OK() {
		return "–"
	}
	return i.Low.Format(decimals) + " to " + i.High.Format(decimals)
}

func of(p stats.Proportion) string { return fmt.Sprintf("%d/%d", p.K, p.N) }

// chance shows a p-value; none is ever 0.
func chance(p stats.Value) string {
	if p.OK && p.V < 0.0001 {
		return "< 0.0001"
	}
	return dash(p.Format(4))
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// clean makes a name from a file fit for one cell: printable, on one line.
func clean(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}
