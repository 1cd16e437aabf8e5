package engine

import (
	"encoding/json"
	"time"

	"skillbench/tasks/skills"
)

// A Class of failure decides what follows it: those of package skills, and the
// loss of a slot to somebody else.
type Class = skills.Class

// Conflict stops a call and asks for a new plan.
const Conflict Class = "conflict"

// A failure is a call that did not succeed.
type failure struct {
	class Class
	code  string
	reply Reply // without a body where none came that says anything
}

// judge takes an answer for what it says. Without a check of results, its status
// code alone decides.
func (e *Engine) judge(skill string, r Reply) (map[string]any, *failure) {
	switch r.Code {
	case codeLost:
		return nil, &failure{class: skills.Transient, code: "timeout"}
	case codeUnavailable:
		return nil, &failure{class: skills.Transient, code: "unavailable"}
	}
	var a answer
	err := json.Unmarshal([]byte(r.Body), &a)
	switch {
	case r.Code == codeOK && !e.mech.ResultCheck:
		return a.Data, nil
	case err != nil || a.Status != "ok" && a.Status != "error":
		return nil, &failure{class: skills.Transient, code: "malformed"}
	case r.Code == codeOK && a.Status == "ok":
		return a.Data, nil
	}
	return nil, &failure{e.classOf(skill, a.Code), a.Code, r}
}

// classOf an error by its code. One that nobody has classed would fail again.
func (e *Engine) classOf(skill, code string) Class {
	s, _ := e.library.Find(skill)
	if class, ok := s.Errors[code]; ok {
		return class
	}
	switch code {
	case "conflict":
		return Conflict
	case "bad_parameters":
		return skills.Semantic
	}
	return skills.Deterministic
}

// Bounds of trying again.
const (
	maxTries  = 4
	firstWait = 500 * time.Millisecond
	longest   = 8 * time.Second
)

// wait is the time before a try: doubled from try to try, and of that the upper
// half by luck, so that many callers do not come back at once.
func wait(seed uint64, at spot, try int) time.Duration {
	full := min(firstWait<<(try-1), longest)
	return full/2 + time.Duration(luck(seed, at, try)%uint64(full/2+1))
}

// failed decides what follows a failure of the call that a ticket is at.
func (e *Engine) failed(t *task, f failure) {
	t.tries++
	class := f.class
	if !e.mech.RetryByClass && class != Conflict {
		class = skills.Transient
	}
	switch {
	case class == skills.Transient && t.tries < maxTries:
		t.due = e.now
		if e.mech.RetryByClass {
			t.due += wait(e.seed, t.flow[t.at].at(t.request), t.tries)
		}
	case class == skills.Semantic || class == Conflict:
		e.end(t, NeedsInfo, class, f)
	default:
		e.end(t, Failed, class, f)
	}
}
