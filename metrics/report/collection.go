package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/metrics/claims"
	"skillbench/metrics/paper"
)

// Links are places to go to from a document.
type Links []Link

// A Link goes to a file beside the document; its folders are separated by
// slashes.
type Link struct{ Text, To string }

// A part is one experiment of a collection.
type part struct {
	*data
	name string
}

// Collect makes one report of several runs: what each comes to, where its own
// report is, and every claim of the paper with all that the runs say of it.
// Names are their folders in dir.
func Collect(dir, title string, names []string) (*Report, error) {
	whole := &data{}
	whole.manifest.Title = title
	var parts []part
	for _, name := range names {
		d, err := gather(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{d, name})
		whole.groups = append(whole.groups, d.groups...)
		for _, table := range d.manifest.Paper {
			if !slices.Contains(whole.manifest.Paper, table) {
				whole.manifest.Paper = append(whole.manifest.Paper, table)
			}
		}
	}
	doc := Document{Lead: whole.lead(), Title: whole.title()}
	doc.Blocks = append(doc.Blocks, Heading{2, "Experiments"}, partsOf(parts), linksTo(parts), Heading{2, "Claims of the paper"}, Paragraph(claimWords))
	for _, kind := range []string{record.Real, record.Simulated} {
		if t := merged(parts, kind); t != nil {
			doc.Blocks = append(doc.Blocks, t)
		}
	}
	for _, s := range []struct {
		title string
		from  func(*data) []Block
	}{{"Measurements by others", replications}, {"Arithmetic on the published tables", everyOddity}} {
		if blocks := s.from(whole); len(blocks) > 0 {
			doc.Blocks = append(append(doc.Blocks, Heading{2, s.title}), blocks...)
		}
	}
	return &Report{Document: doc}, nil
}

// everyOddity is the arithmetic on all published tables, whatever was run.
func everyOddity(*data) []Block {
	all := &data{}
	for name := range paper.Tables() {
		all.manifest.Paper = append(all.manifest.Paper, name)
	}
	return oddities(all)
}

func partsOf(parts []part) *Table {
	t := &Table{Name: "experiments", Caption: "Experiments and what has a result",
		Columns: columns("experiment", "experiment", "title", "title", "tables", "published tables", "planned", "cells planned", "results", "with a result")}
	for _, p := range parts {
		t.Rows = append(t.Rows, []Cell{text(plain(p.name)), text(p.title()), text(plain(strings.Join(p.manifest.Paper, ", "))), whole(len(p.cells)), whole(len(finished(p.cells)))})
	}
	return t
}

func linksTo(parts []part) Links {
	var out Links
	for _, p := range parts {
		out = append(out, Link{p.title(), p.name + "/report.html"})
	}
	return out
}

// merged lists what each run and model says of each claim; a claim of which
// none says anything has one line.
func merged(parts []part, kind string) *Table {
	t := &Table{Name: "claims_" + kind, Caption: fmt.Sprintf("Claims of the paper and what the runs say of them, %s models", kind),
		Columns: columns("claim", "claim", "says", "what it says", "where", "where", "wanted", "wanted", "verdict", "verdict", "number", "number", "at", "in", "tested", "cells", "experiment", "experiment", "model", "model")}
	type source struct {
		part     part
		model    string
		evidence claims.Evidence
	}
	var sources []source
	for _, p := range parts {
		for _, m := range p.models()[kind] {
			sources = append(sources, source{p, m, p.evidence(m, kind)})
		}
	}
	if len(sources) == 0 {
		return nil
	}
	lines := map[claims.Verdict]int{}
	for _, c := range claims.Shipped() {
		said := false
		line := func(r claims.Result, experiment, model string) {
			lines[r.Verdict]++
			t.Rows = append(t.Rows, []Cell{text(c.ID), text(c.Says), text(c.Where), text(r.Wanted), text(string(r.Verdict)), number(r.Number, decimalsOf(r.Number)),
				text(plain(r.At)), text(fmt.Sprintf("%d of %d", r.Tested, r.Cells)), text(plain(experiment)), text(plain(model))})
		}
		if c.Audit != "" {
			line(c.Test(claims.Evidence{}), "", "")
			continue
		}
		for _, s := range sources {
			if r := c.Test(s.evidence); r.Tested > 0 {
				line(r, s.part.name, s.model)
				said = true
			}
		}
		if !said {
			line(c.Test(claims.Evidence{}), "", "")
		}
	}
	t.Notes = []string{fmt.Sprintf("Lines: %d reproduced, %d not reproduced, %d not testable with a simulated model, %d not run.",
		lines[claims.Reproduced], lines[claims.NotReproduced], lines[claims.NotTestable], lines[claims.NotRun])}
	return t
}
