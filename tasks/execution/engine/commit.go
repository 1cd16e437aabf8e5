package engine

import (
	"maps"
	"slices"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// draft is what the skill's own code wants to write: the slots it declares, and
// one more where the script has it stray.
func (o *Office) draft(request string, c Call) map[string]string {
	s, _ := o.library.Find(c.Skill)
	writes := map[string]string{}
	for _, slot := range s.Writes {
		writes[slot] = c.at(request).String()
	}
	if o.fault(request, c.Skill).Kind == Stray {
		writes[straySlot] = c.at(request).String()
		o.count(record.Undeclared, 0, 1)
	}
	return writes
}

// straySlot is the slot that a skill writes without having declared it.
const straySlot = "account"

// commit carries out a call, or does not, as slots and script have it.
func (o *Office) commit(c Commit) Reply {
	at := c.Call.at(c.Request)
	o.retried(at, c.Call)
	try := o.tries[at]
	o.tries[at]++
	if c.Resumed {
		o.countIf(record.Redone, o.times[at] > 0)
	}
	if reply, class := o.refuse(c, try); class != "" {
		o.refused[at] = refusal{class, compact(c.Call.Params)}
		return reply
	}
	delete(o.refused, at)
	if known, ok := o.answers[c.Key]; ok && c.Key != "" {
		if known.params != compact(c.Call.Params) {
			return o.failure(c, codeRefused, "key_reused")
		}
		return known.reply
	}
	if !o.write(c, try) {
		return o.failure(c, codeConflict, "conflict")
	}
	reply := o.success(c)
	o.apply(c)
	if c.Key != "" {
		o.answers[c.Key] = stored{compact(c.Call.Params), reply}
	}
	if try == 0 && o.fault(c.Request, c.Call.Skill).Kind == TimeoutAfter {
		o.refused[at] = refusal{skills.Transient, compact(c.Call.Params)}
		return Reply{}
	}
	return reply
}

// retried counts tries behind an error. The same call again mends no error but a
// transient one.
func (o *Office) retried(at spot, c Call) {
	last, ok := o.refused[at]
	if !ok || last.params != compact(c.Params) {
		return
	}
	wasted := 0
	if last.class != skills.Transient {
		wasted = 1
	}
	o.count(record.Wasted, wasted, 1)
}

// refuse is the answer of a call that does nothing, with the class of its error;
// "" for a call that goes on.
func (o *Office) refuse(c Commit, try int) (Reply, skills.Class) {
	at, f := c.Call.at(c.Request), o.fault(c.Request, c.Call.Skill)
	s, _ := o.library.Find(c.Call.Skill)
	if c.Call.Planned && !complete(s, c.Call.Params) {
		return o.failure(c, codeRefused, "bad_parameters"), skills.Semantic
	}
	switch {
	case f.Kind == TimeoutBefore && try == 0:
		return Reply{}, skills.Transient
	case f.Kind == Unavailable && try < f.N:
		return Reply{Code: codeUnavailable}, skills.Transient
	case f.Kind == Declined:
		return o.failure(c, codeRefused, "declined"), skills.Deterministic
	case f.Kind == NoCarrier && c.Call.Params["carrier"] == o.requests[c.Request].Params["carrier"]:
		return o.failure(c, codeRefused, "no_carrier"), skills.Semantic
	case f.Kind == Malformed && try == 0:
		o.mislead(at)
		return Reply{Code: codeOK, Body: "<html><body>502 upstream"}, skills.Transient
	case f.Kind == FalseOK:
		o.mislead(at)
		return o.failure(c, codeOK, "declined"), skills.Deterministic
	}
	return Reply{}, ""
}

// complete reports whether parameters that no contract was held against, those of
// a plan, are what a skill takes.
func complete(s skills.Skill, params map[string]any) bool {
	for name, p := range s.Params {
		v, given := params[name]
		if _, ok := p.Normal(v); given && !ok || !given && p.Required {
			return false
		}
	}
	return true
}

// write changes slots, unless they are not what the call expects.
func (o *Office) write(c Commit, try int) bool {
	subject := o.library.subject(c.Call.Params)
	if try == 0 {
		o.rival(c, subject)
	}
	conflict := false
	for name := range c.Writes {
		read, known := o.read[c.Call.at(c.Request)][name]
		now := o.Slot(name, subject)
		conflict = conflict || known && read.Version != now.Version
		if want, ok := c.Expect[name]; ok && differs(want, now, c.By) {
			o.count(record.Undetected, 0, 1)
			return false
		}
	}
	if conflict {
		o.count(record.Undetected, 1, 1)
	}
	s, _ := o.library.Find(c.Call.Skill)
	for name, value := range c.Writes {
		o.slots[name+"/"+subject] = Slot{value, o.Slot(name, subject).Version + 1}
		if !slices.Contains(s.Writes, name) {
			o.count(record.Undeclared, 1, 0)
		}
	}
	return true
}

func differs(want, now Slot, by Compare) bool {
	if by == ByValue {
		return want.Value != now.Value
	}
	return want.Version != now.Version
}

// rival writes the slots of a call before it does.
func (o *Office) rival(c Commit, subject string) {
	for _, name := range slices.Sorted(maps.Keys(c.Writes)) {
		key := name + "/" + subject
		s := o.slots[key]
		switch o.fault(c.Request, c.Call.Skill).Kind {
		case Race:
			o.slots[key] = Slot{"rival", s.Version + 1}
		case ABA:
			o.slots[key] = Slot{s.Value, s.Version + 2}
		}
	}
}
