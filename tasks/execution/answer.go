package execution

import (
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/state"
)

// Answer follows the rules of the skill on what is believed. An id or a ticket that
// is not known cannot be guessed: the answer is then Wait. Of a request of which
// nothing is known at all, the likeliest is that it is settled.
func (language) Answer(e sim.Event, beliefs sim.Beliefs, _ sim.Guess) sim.Answer {
	d, ok := parseDemand(e.Args[argDemand])
	if e.Kind == "" || !ok {
		return sim.Answer{Because: "The observation holds no event.", Action: verbWait, Then: sim.Beliefs{}}
	}
	d.id = e.Args[argRequest]
	n := notebookOf(beliefs)
	c, _ := n.right(event{kind: e.Kind, demand: d})
	lacks := lacking(e.Kind, d, c, beliefs)
	if unknownTicket := c.verb != verbWait && c.object == ""; unknownTicket {
		c, lacks = command{verb: verbWait}, d.id+fieldTicket
	}
	return sim.Answer{Because: because[c.verb], Action: c.String(), Then: sim.Beliefs{}, Lacks: lacks}
}

var because = map[string]string{
	verbRun: "A request is run by its skill.", verbPlan: "A flow is handed in as a plan.", verbCancel: "What runs is to stop.",
	verbResume: "It is to go on.", verbRetry: "It may pass now.", verbEscalate: "It would fail again.", verbWait: "There is nothing to do.",
}

// lacking is the key whose value was needed and unknown.
func lacking(kind string, d demand, c command, beliefs sim.Beliefs) string {
	key := ""
	switch {
	case kind != kindRequest:
		key = d.id + fieldStatus
	case d.goal == goalRefund && c.verb == verbWait:
		key = d.subject + ".charge"
	case d.goal == goalTrace && c.verb == verbWait:
		key = d.subject + ".tracking"
	}
	if _, known := beliefs[key]; known {
		return ""
	}
	return key
}

// notebookOf takes beliefs as a notebook.
func notebookOf(beliefs sim.Beliefs) notebook {
	n := newNotebook()
	for key, value := range beliefs {
		owner, field, _ := strings.Cut(key, ".")
		switch {
		case !isKey(key) || value == "":
		case isNumbered(owner, "order_"):
			n.set(owner, field, value)
		default:
			e := n.requests[owner]
			switch "." + field {
			case fieldTicket:
				e.ticket = value
			case fieldStatus:
				e.status = value
			case fieldUse:
				e.use = value
			}
			n.requests[owner] = e
		}
	}
	return n
}

// Render lists requests whose ticket and status are believed, and ids; one without
// the other has no place in the state.
func (language) Render(beliefs sim.Beliefs) map[string]any {
	n := notebookOf(beliefs)
	for id, e := range n.requests {
		if !isNumbered(e.ticket, "task_") || !slices.Contains(statuses, e.status) {
			delete(n.requests, id)
		}
	}
	return n.object().Root()
}

// Summarize writes a line for each belief, in natural order of its key.
func (language) Summarize(beliefs sim.Beliefs) string {
	keys := make([]string, 0, len(beliefs))
	for key := range beliefs {
		if isKey(key) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, state.Compare)
	var b strings.Builder
	for _, key := range keys {
		if value := beliefs[key]; value == "" {
			b.WriteString("No " + key + " stands.\n")
		} else {
			b.WriteString("The " + key + " is " + value + ".\n")
		}
	}
	return b.String()
}
