package report

import (
	"encoding/json"

	"skillbench/harness"
	"skillbench/harness/record"
)

// budgetOf is the budget of a strategy, zero where it has none.
func (d *data) budgetOf(agent string) harness.Budget {
	for _, a := range d.manifest.Agents {
		var s harness.Settings
		if a.Name == agent && json.Unmarshal(a.Keys, &s) == nil {
			return s.Budget
		}
	}
	return harness.Budget{}
}

// within holds every prompt against the budget of the experiment, which
// strategies that keep none may exceed; nil where no strategy has one.
func (d *data) within(g *group) *Table {
	var budget harness.Budget
	for _, agent := range g.agents {
		if b := d.budgetOf(agent); budget == (harness.Budget{}) {
			budget = b
		}
	}
	if budget == (harness.Budget{}) {
		return nil
	}
	unit, limit := "characters", budget.Chars
	if budget.Tokens > 0 {
		unit, limit = "tokens", budget.Tokens
	}
	t := &Table{Name: g.file("within_budget"), Caption: "Prompts against a budget of " + number(whole(limit).Value, 0).shown() + " " + unit + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "cut", "is cut to it", "largest", "largest prompt ("+unit+")", "over", "over it by", "state", "largest state (characters)", "infeasible", "episodes that could not go on"),
		Notes:   []string{"Retries and summaries count too; what an informer reads to judge a turn does not. Of strategies without a budget nothing is cut; what they have over it is a result."}}
	g.rows(func(horizon int, agent string) {
		cells := finished(g.at(horizon, agent))
		if len(cells) == 0 || isFloor(cells) {
			return
		}
		largest, infeasible, size := 0, 0, Cell{}
		for _, c := range cells {
			n := c.largest.chars
			if budget.Tokens > 0 {
				n = c.largest.tokens
			}
			largest = max(largest, n)
			if c.Status == record.BudgetInfeasible {
				infeasible++
			}
			if v := c.StateCharsMax; v.OK && (!size.Value.OK || v.V > size.Value.V) {
				size = number(v, 0)
			}
		}
		cut := "no"
		if d.budgetOf(agent) == budget && d.strategy(agent) != "skillstate" && d.strategy(agent) != "hybrid" {
			cut = "yes"
		}
		t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), text(cut), whole(largest), whole(max(0, largest-limit)), size, whole(infeasible)})
	})
	return t
}
