package report

import (
	"fmt"
	"math"
	"slices"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/claims"
	"skillbench/metrics/patcherr"
	"skillbench/metrics/stats"
)

const claimWords = "Each claim has a test and a tolerance of ours. “Not testable with a simulated model”: it is about what a language model does, so the number is only what this simulated reader makes of the same prompts. " +
	"“Not run”: the experiment names no such table or has not all of its cells. The number is that of the cell furthest from what is wanted; claims about the printed tables are arithmetic and need no run."

// claimed sets the paper's claims beside what this run says of them.
func claimed(d *data) []Block {
	if len(d.manifest.Paper) == 0 {
		return nil
	}
	out := []Block{Paragraph(claimWords)}
	models := d.models()
	for _, kind := range []string{record.Real, record.Simulated} {
		if t := d.claimTable(kind, models[kind]); t != nil {
			out = append(out, t)
		}
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// models are the names of each kind, in the order of the manifest.
func (d *data) models() map[string][]string {
	out := map[string][]string{}
	for _, g := range d.groups {
		if !slices.Contains(out[g.kind], g.model) {
			out[g.kind] = append(out[g.kind], g.model)
		}
	}
	return out
}

func (d *data) claimTable(kind string, models []string) *Table {
	if len(models) == 0 {
		return nil
	}
	t := &Table{Name: "claims_" + kind, Caption: fmt.Sprintf("Claims of the paper and what this run says of them, %s models", kind),
		Columns: columns("claim", "claim", "says", "what it says", "where", "where", "wanted", "wanted")}
	for _, m := range models {
		name := plain(m)
		t.Columns = append(t.Columns, columns("verdict_"+name, name, "number_"+name, "number", "at_"+name, "in", "tested_"+name, "cells")...)
	}
	evidence := make([]claims.Evidence, len(models))
	counts := make([]map[claims.Verdict]int, len(models))
	for i, m := range models {
		evidence[i], counts[i] = d.evidence(m, kind), map[claims.Verdict]int{}
	}
	for _, c := range claims.Shipped() {
		row := []Cell{text(c.ID), text(c.Says), text(c.Where), {}}
		for i := range models {
			r := c.Test(evidence[i])
			counts[i][r.Verdict]++
			row[3] = text(r.Wanted)
			row = append(row, text(string(r.Verdict)), number(r.Number, decimalsOf(r.Number)), text(plain(r.At)), text(fmt.Sprintf("%d of %d", r.Tested, r.Cells)))
		}
		t.Rows = append(t.Rows, row)
	}
	for i, m := range models {
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %d reproduced, %d not reproduced, %d not testable with a simulated model, %d not run.", plain(m),
			counts[i][claims.Reproduced], counts[i][claims.NotReproduced], counts[i][claims.NotTestable], counts[i][claims.NotRun]))
	}
	return t
}

// evidence is what the run has of one model.
func (d *data) evidence(model, kind string) claims.Evidence {
	e := claims.Evidence{Kind: kind, Paper: d.manifest.Paper, Tasks: map[string]string{}, Agents: map[string]string{}, Share: d.patchShare}
	for _, t := range d.manifest.Tasks {
		e.Tasks[t.Name] = t.Base
	}
	for _, a := range d.manifest.Agents {
		e.Agents[a.Name] = a.Base
	}
	var rows []metrics.Row
	for _, c := range d.cells {
		if c.Cell.Model == model {
			rows = append(rows, c.Row)
		}
	}
	e.Rows = rows
	return e
}

// patchShare is the share of one kind of error among the wrong patches of
// cells. It reads their journals again, which only few claims need.
func (d *data) patchShare(cells []record.Cell, bucket string) stats.Value {
	var episodes []patcherr.Episode
	for _, c := range cells {
		r, err := journal.Read(journal.CellDir(d.dir, c.ID))
		if err != nil {
			return stats.Value{} // it was read before: somebody is changing the folder
		}
		e, err := patcherr.Read(r)
		if err != nil {
			return stats.Value{}
		}
		episodes = append(episodes, e)
	}
	groups := patcherr.Groups(episodes)
	if len(groups) != 1 {
		return stats.Value{}
	}
	return groups[0].Share(patcherr.First, patcherr.Bucket(bucket)).Share
}

// decimalsOf shows small numbers closer.
func decimalsOf(v stats.Value) int {
	switch a := math.Abs(v.V); {
	case a != 0 && a < 0.1:
		return 4
	case a < 100:
		return 3
	}
	return 0
}
