package execution

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skillbench/tasks/execution/engine"
)

// Goals that are one skill.
const (
	goalCharge  = "charge"
	goalRefund  = "refund"
	goalReserve = "reserve"
	goalLabel   = "label"
	goalNotify  = "notify"
	goalTrace   = "trace"
	goalReport  = "report"
)

var (
	singles  = []string{goalCharge, goalRefund, goalReserve, goalLabel, goalNotify, goalTrace, goalReport}
	flows    = map[string][]string{goalShip: {goalReserve, goalLabel, goalNotify}, goalSell: {goalReserve, goalCharge}}
	carriers = []string{"post", "courier", "drone"}
)

// A demand is what a request asks for, in the words of its event.
type demand struct {
	id      string // r_17
	goal    string
	subject string // order_4, or week_7 for a report
	amount  int    // cents, of charge and sell
	carrier string // of label and ship
}

func numbered(prefix string, n int) string { return prefix + strconv.Itoa(n) }
func requestName(n int) string             { return numbered("r_", n) }

// takes reports what a goal says beside its subject.
func takesAmount(goal string) bool  { return goal == goalCharge || goal == goalSell }
func takesCarrier(goal string) bool { return goal == goalLabel || goal == goalShip }

// String is the demand as events show it.
func (d demand) String() string {
	switch {
	case takesAmount(d.goal):
		return fmt.Sprintf("%s %s: %d cents.", d.goal, d.subject, d.amount)
	case takesCarrier(d.goal):
		return fmt.Sprintf("%s %s by %s.", d.goal, d.subject, d.carrier)
	}
	return fmt.Sprintf("%s %s.", d.goal, d.subject)
}

// parseDemand reads what String wrote, without the id; false for any other text.
func parseDemand(text string) (demand, bool) {
	text, ok := strings.CutSuffix(text, ".")
	words := strings.Split(text, " ")
	if !ok || len(words) < 2 {
		return demand{}, false
	}
	d := demand{goal: words[0], subject: words[1]}
	if !slices.Contains(singles, d.goal) && flows[d.goal] == nil {
		return demand{}, false
	}
	switch rest := words[2:]; {
	case takesAmount(d.goal):
		d.subject, ok = strings.CutSuffix(d.subject, ":")
		if !ok || len(rest) != 2 || rest[1] != "cents" || !isNumber(rest[0]) {
			return demand{}, false
		}
		d.amount, _ = strconv.Atoi(rest[0])
	case takesCarrier(d.goal):
		if len(rest) != 2 || rest[0] != "by" || !slices.Contains(carriers, rest[1]) {
			return demand{}, false
		}
		d.carrier = rest[1]
	case len(rest) > 0:
		return demand{}, false
	}
	return d, d.subjectFits()
}

func (d demand) subjectFits() bool {
	if d.goal == goalReport {
		return isNumbered(d.subject, "week_")
	}
	return isNumbered(d.subject, "order_")
}

// params are the parameters of all skills of the goal that the demand gives.
func (d demand) params() map[string]any {
	p := map[string]any{"order": d.subject}
	if d.goal == goalReport {
		p = map[string]any{"week": d.subject}
	}
	if takesAmount(d.goal) {
		p["amount"] = int64(d.amount)
	}
	if takesCarrier(d.goal) {
		p["carrier"] = d.carrier
	}
	return p
}

// request is the demand as the runtime sees it arrive.
func (d demand) request(f engine.Fault) engine.Request {
	return engine.Request{ID: d.id, Goal: d.goal, Params: d.params(), Fault: f}
}

// run is the command that answers the demand. Known holds the ids that results
// gave for its order.
func (d demand) run(known map[string]string) command {
	if flow := flows[d.goal]; flow != nil {
		return command{verb: verbPlan, object: d.id, json: d.plan(flow)}
	}
	p := d.params()
	switch d.goal {
	case goalRefund:
		p["charge"] = known["charge"]
	case goalTrace:
		p["tracking"] = known["tracking"]
	}
	return command{verb: verbRun, object: d.id, skill: d.goal, json: compact(p)}
}

// plan has each step follow the one before.
func (d demand) plan(flow []string) string {
	p := engine.Plan{Steps: []engine.Step{}}
	for i, skill := range flow {
		step := engine.Step{Skill: skill, Params: map[string]any{"order": d.subject}, After: []int{}}
		if skill == goalCharge {
			step.Params["amount"] = d.amount
		}
		if skill == goalLabel {
			step.Params["carrier"] = d.carrier
		}
		if i > 0 {
			step.After = []int{i}
		}
		p.Steps = append(p.Steps, step)
	}
	return compact(p)
}

// isNumbered reports whether s is a number behind a prefix, written as the task
// writes numbers.
func isNumbered(s, prefix string) bool {
	n, ok := strings.CutPrefix(s, prefix)
	return ok && isNumber(n)
}

// isNumber reports whether s is a decimal of at most six digits without leading
// zeros.
func isNumber(s string) bool {
	if len(s) == 0 || len(s) > 6 || len(s) > 1 && s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}
