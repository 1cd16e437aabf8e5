// Package compare sets two runs, or two models, side by side: pair by pair on
// what both played, with a test for each pairing and a word on what is not
// alike.
package compare

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
)

// A Side is the cells of one model in one run; those of floors belong to every
// side of the run.
type Side struct {
	Name     string // as it was asked for
	Model    string
	Kind     string // simulated or real; none where only floors played
	Manifest journal.Manifest
	Rows     []metrics.Row
}

// Read reads DIR or DIR:MODEL. Without a model it returns one side for each
// model of the run; a run of floors alone is one side.
func Read(arg string) ([]Side, error) {
	dir, model := arg, ""
	if _, err := os.Stat(arg); err != nil {
		if before, after, ok := strings.Cut(arg, ":"); ok {
			dir, model = before, after
		}
	}
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	rows, err := metrics.Rows(dir, m)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range m.Models {
		names = append(names, d.Name)
	}
	if model != "" {
		if !slices.Contains(names, model) {
			return nil, fmt.Errorf("%s has the models %q, got %q", dir, names, model)
		}
		names = []string{model}
	}
	if len(names) == 0 {
		names = []string{""}
	}
	var sides []Side
	for _, name := range names {
		sides = append(sides, side(dir, name, m, rows))
	}
	return sides, nil
}

func side(dir, model string, m journal.Manifest, rows []metrics.Row) Side {
	s := Side{Name: dir, Model: model, Kind: record.NoModel, Manifest: m}
	if model != "" {
		s.Name += ":" + model
	}
	for _, r := range rows {
		switch {
		case r.Cell.ModelKind == record.NoModel:
		case r.Cell.Model != model:
			continue
		case s.Kind != record.Simulated: // once an endpoint says that it is simulated, it is
			s.Kind = r.Cell.ModelKind
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// Match pairs the sides of two runs: one with one, and else by the name of the
// model.
func Match(a, b []Side) ([][2]Side, error) {
	if len(a) == 1 && len(b) == 1 {
		return [][2]Side{{a[0], b[0]}}, nil
	}
	var pairs [][2]Side
	for _, x := range a {
		for _, y := range b {
			if x.Model == y.Model {
				pairs = append(pairs, [2]Side{x, y})
			}
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("no model is in both: name one of each, as in %s and %s", a[0].Name, b[0].Name)
	}
	return pairs, nil
}
