package engine

import "skillbench/harness/record"

// spoil is a plan as it arrives: the script may have the model write a bad one,
// the first time that it hands one in for a request. What is no plan stays.
func (o *Office) spoil(request, text string) (arrived string, bad bool) {
	p, err := ParsePlan(text)
	kind := o.requests[request].Fault.Kind
	if err != nil || len(p.Steps) < 2 || !kind.spoils() || o.spoilt[request] {
		return text, false
	}
	o.spoilt[request] = true
	o.count(record.BadPlan, 0, 1)
	last := len(p.Steps) - 1
	switch kind {
	case PlanUnknown:
		p.Steps[last].Skill = "inform"
	case PlanMissing:
		delete(p.Steps[1].Params, "carrier")
	case PlanCycle:
		p.Steps[0].After = []int{last + 1}
	case PlanStray:
		p.Steps = append(p.Steps, Step{Skill: "report", Params: map[string]any{"week": "week_0"}, After: []int{}})
	case PlanTwice:
		p.Steps = append(p.Steps, p.Steps[last])
	case PlanGarbled:
		whole := compact(p)
		return whole[:len(whole)*3/4], true
	}
	return compact(p), true
}

// spoils reports whether a fault makes a plan a bad one.
func (k Kind) spoils() bool {
	switch k {
	case PlanUnknown, PlanMissing, PlanCycle, PlanStray, PlanGarbled, PlanTwice:
		return true
	}
	return false
}
