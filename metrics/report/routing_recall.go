package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"skillbench/metrics/routing"
)

// asked is what the options of a task say of its recall.
type asked struct {
	K          int      `json:"k"`
	Favourites []string `json:"favourites"`
}

func (s *scene) asked(task string) (a asked) {
	if json.Unmarshal(s.result.Tasks[task].Options, &a) != nil {
		return asked{}
	}
	return a
}

// recall is how often the right skill is among the candidates: a column for each
// depth up to what an arm asked for, and one for all candidates.
func (s *scene) recall() *Table {
	depths := s.depths()
	pairs := []string{"k", "k asked for", "favourites", "favourites"}
	for _, k := range depths {
		pairs = append(pairs, countColumns(fmt.Sprintf("recall_%d", k), fmt.Sprintf("first %d", k))...)
	}
	t := s.table("recall", "Recall: the right skill is among the first candidates", flat(pairs, rateColumns("recall", "all candidates"))...)
	for _, g := range s.groups {
		if len(g.Recall) == 0 {
			continue
		}
		a := s.asked(g.Task)
		row := append(armCells(g.Key), whole(a.K), whole(len(a.Favourites)))
		for _, k := range depths {
			if k > max(a.K, 1) {
				row = append(row, Cell{}, text(absent))
			} else {
				row = append(row, count(within(g.Recall, k).Proportion)...)
			}
		}
		t.Rows = append(t.Rows, append(row, rate(within(g.Recall, -1).Proportion)...))
	}
	t.Notes = []string{"The k best by BM25 are asked for; favourites come behind them with every message, so that all candidates are k and the favourites that were not among them. " +
		"Right skills that stand no deeper than one column, as in small runs, give the same share in those behind it. Messages at which no skill is right are left out. A message that answers a question is searched for together with the one before it, so agents that ask differ a little."}
	return t
}

// depths are those that some arm asked for.
func (s *scene) depths() []int {
	var out []int
	for _, g := range s.groups {
		for _, r := range g.Recall {
			if r.K <= max(s.asked(g.Task).K, 1) && !slices.Contains(out, r.K) {
				out = append(out, r.K)
			}
		}
	}
	slices.Sort(out)
	return out
}

// within is the recall at a depth. The list ends where nothing more is found, so
// its last stands for all behind it, and for -1.
func within(list []routing.Recall, k int) routing.Recall {
	if i := slices.IndexFunc(list, func(r routing.Recall) bool { return r.K >= k && k > 0 }); i >= 0 {
		return list[i]
	}
	return list[len(list)-1]
}
