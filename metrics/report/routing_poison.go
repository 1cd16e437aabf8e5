package report

import "skillbench/metrics/routing"

// poisoned is how often the skill whose description lies was called, in arms whose
// catalogue has one.
func (s *scene) poisoned() *Table {
	t := s.table("poisoned", "Calls of the poisoned skill", rateColumns(routing.PoisonedCalls, "poisoned skill called")...)
	for _, g := range s.groups {
		if p := g.Rates[routing.PoisonedCalls]; p.N > 0 {
			t.Rows = append(t.Rows, append(armCells(g.Key), rate(p)...))
		}
	}
	t.Notes = []string{"Of the messages at which the catalogue had a skill that claims to be for everything and tells its reader to call it first, those at which it was called, at whatever attempt. It is never right and changes nothing. Arms without such a skill are left out."}
	return t
}
