package skills

import (
	"fmt"
	"slices"
	"strings"
)

// The rules that hold definitions against each other and against what is known of
// them.

// triggers: what two skills are asked by decides nothing.
func (x *linter) triggers() {
	first := map[string]string{}
	for _, s := range x.Skills {
		for i, t := range s.Triggers {
			key := strings.Join(words(t), " ")
			if other, twice := first[key]; twice {
				x.find(s, fmt.Sprintf("trigger.%d", i), fmt.Sprintf("the trigger %q stands in %s already", clip(t), other), "say what sets it apart, or take it out")
				continue
			}
			first[key] = s.Name
		}
	}
}

func (x *linter) similar() {
	for _, p := range x.Pairs() {
		if p.Similarity <= x.evidence.Similar {
			break
		}
		s, _ := x.Find(p.A)
		x.find(s, "summary", fmt.Sprintf("the description is %.2f alike to that of %s, want at most %.2f", p.Similarity, p.B, x.evidence.Similar),
			"say what sets them apart, or make one skill of both")
	}
}

// confused finds pairs by the group of the run that confused them most.
func (x *linter) confused() {
	wanted, mixed := map[string][]Confusion{}, map[[2]string]bool{}
	for _, c := range x.evidence.Measured {
		wanted[c.Want] = append(wanted[c.Want], c)
		mixed[[2]string{min(c.Want, c.Got), max(c.Want, c.Got)}] = true
	}
	for i, a := range x.Skills {
		for _, b := range x.Skills[i+1:] {
			if !mixed[[2]string{a.Name, b.Name}] {
				continue
			}
			worst := worstOf(a.Name, b.Name, slices.Concat(wanted[a.Name], wanted[b.Name]))
			if worst.share() <= MaxConfused {
				continue
			}
			x.find(a, "boundary", fmt.Sprintf("%d of %d messages for it or %s were taken for the other one (%s), want at most %.0f %%", worst.taken, worst.cases, b.Name, worst.group, 100*MaxConfused),
				"say in boundary and not_when of both where one ends and the other begins")
		}
	}
}

// A mixup is how often two skills were taken for each other in one group.
type mixup struct {
	group        string
	taken, cases int
}

// share is 0 where there are too few cases to say.
func (m mixup) share() float64 {
	if m.cases < MinCases {
		return 0
	}
	return float64(m.taken) / float64(m.cases)
}

// worstOf takes the group that mixed two skills up most, given what was decided
// where either was wanted.
func worstOf(a, b string, measured []Confusion) mixup {
	by := map[string]*mixup{}
	var order []string
	for _, c := range measured {
		m := by[c.Group]
		if m == nil {
			m = &mixup{group: c.Group}
			by[c.Group], order = m, append(order, c.Group)
		}
		m.cases += c.N
		if c.Want == a && c.Got == b || c.Want == b && c.Got == a {
			m.taken += c.N
		}
	}
	var worst mixup
	for _, group := range order {
		if m := *by[group]; m.share() > worst.share() {
			worst = m
		}
	}
	return worst
}

// cycles finds each way back to a skill that no skill before it in the order of
// names is on, so that each cycle is found once.
func (x *linter) cycles() {
	for _, s := range x.Skills {
		if way := x.back(s.Name); way != nil {
			x.find(s, "requires", "the skills require each other: "+strings.Join(way, " → "), "take one of them out of requires")
		}
	}
}

// back is the shortest way from a skill to itself, nil where there is none.
func (x *linter) back(start string) []string {
	from := map[string]string{}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		s, _ := x.Find(queue[0])
		for _, next := range s.Requires {
			if next == start {
				return x.way(from, s.Name, start)
			}
			if _, seen := from[next]; !seen && next > start {
				from[next] = s.Name
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func (x *linter) way(from map[string]string, last, start string) []string {
	way := []string{start}
	for at := last; at != start; at = from[at] {
		way = append(way, at)
	}
	way = append(way, start)
	slices.Reverse(way)
	return way
}
