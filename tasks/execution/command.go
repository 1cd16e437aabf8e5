package execution

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"skillbench/tasks/execution/engine"
	"skillbench/tasks/skills"
)

// A command is one action of the task, taken apart.
type command struct {
	verb   string
	object string // request of Run and Plan, else ticket
	skill  string // of Run
	json   string // arguments of Run, plan of Plan
}

// Verbs.
const (
	verbRun      = "Run"
	verbPlan     = "Plan"
	verbCancel   = "Cancel"
	verbResume   = "Resume"
	verbRetry    = "Retry"
	verbEscalate = "Escalate"
	verbWait     = "Wait"
)

func (c command) String() string {
	words := []string{c.verb}
	for _, w := range []string{c.object, c.skill, c.json} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// Grammar reports why an action is no command. What a skill wants of its
// arguments, and whether a plan is sound, is the runtime's affair.
func Grammar(action string) error {
	_, err := parse(action)
	return err
}

// maxAction bounds an action, in bytes.
const maxAction = 2000

// parse takes an action apart. Words are parted by single spaces, and letter case
// counts. Text is hostile: it is bounded before it is looked at.
func parse(action string) (command, error) {
	if len(action) > maxAction {
		return command{}, fmt.Errorf("want a command of at most %d bytes, got %d", maxAction, len(action))
	}
	verb, rest, more := strings.Cut(action, " ")
	c := command{verb: verb}
	switch verb {
	case verbWait:
		if more {
			return c, fmt.Errorf("%s: want nothing after it, got %s", verb, excerpt(rest))
		}
		return c, nil
	case verbCancel, verbResume, verbRetry, verbEscalate:
		c.object = rest
		if !isNumbered(rest, "task_") {
			return c, fmt.Errorf("%s: want a ticket such as task_1234, got %s", verb, excerpt(rest))
		}
		return c, nil
	case verbRun, verbPlan:
		return parseOrder(c, rest)
	}
	return c, fmt.Errorf("want Run, Plan, Cancel, Resume, Retry, Escalate or Wait, got %s", excerpt(verb))
}

// parseOrder takes what follows Run and Plan.
func parseOrder(c command, rest string) (command, error) {
	c.object, rest, _ = strings.Cut(rest, " ")
	if !isNumbered(c.object, "r_") {
		return c, fmt.Errorf("%s: want a request such as r_17, got %s", c.verb, excerpt(c.object))
	}
	if c.verb == verbRun {
		c.skill, rest, _ = strings.Cut(rest, " ")
		if !skills.IsName(c.skill) {
			return c, fmt.Errorf("%s: want a skill behind the request, got %s", c.verb, excerpt(c.skill))
		}
	}
	c.json = rest
	if !strings.HasPrefix(rest, "{") || !strings.HasSuffix(rest, "}") || strings.ContainsAny(rest, "\r\n") || !jsontext.Value(rest).IsValid() {
		return c, fmt.Errorf("%s: want one JSON object on one line at the end, got %s", c.verb, excerpt(rest))
	}
	return c, nil
}

// means reports whether two commands do the same: JSON counts by what it says.
func (c command) means(o command) bool {
	if c.verb != o.verb || c.object != o.object || c.skill != o.skill {
		return false
	}
	if c.verb == verbPlan {
		a, errA := engine.ParsePlan(c.json)
		b, errB := engine.ParsePlan(o.json)
		return errA == nil && errB == nil && compact(settled(a)) == compact(settled(b))
	}
	var a, b any
	errA, errB := json.Unmarshal([]byte(orNull(c.json)), &a), json.Unmarshal([]byte(orNull(o.json)), &b)
	return errA == nil && errB == nil && reflect.DeepEqual(a, b)
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// settled is a plan in which no dependence is written as none at all.
func settled(p engine.Plan) engine.Plan {
	for i := range p.Steps {
		if p.Steps[i].After == nil {
			p.Steps[i].After = []int{}
		}
	}
	return p
}

// compact is JSON on one line with keys in order, of values of JSON kinds.
func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a value of JSON kinds only: %v", err))
	}
	return string(data)
}

func excerpt(s string) string {
	const limit = 40
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return strconv.Quote(s)
}
