package execution

// right is the one right answer to an event, given what the agent was told; false
// where an earlier miss left none.
func (n notebook) right(e event) (command, bool) {
	told, open := n.requests[e.id]
	wait := command{verb: verbWait}
	switch e.kind {
	case kindStop:
		if open && told.status == running {
			return command{verb: verbCancel, object: told.ticket}, true
		}
		return wait, true
	case kindGo:
		if open && (told.status == running || told.status == canceled) {
			return command{verb: verbResume, object: told.ticket}, true
		}
		return wait, true
	case kindDue:
		return n.settle(e, told)
	}
	return n.begin(e.demand)
}

// settle answers that a request is due.
func (n notebook) settle(e event, told entry) (command, bool) {
	switch told.status {
	case transient:
		return command{verb: verbRetry, object: told.ticket}, true
	case deterministic:
		return command{verb: verbEscalate, object: told.ticket}, true
	case needsInfo:
		d := e.demand
		if told.use != "" {
			d.carrier = told.use
		}
		return n.begin(d)
	}
	return command{verb: verbWait}, true
}

// begin runs what a demand asks for.
func (n notebook) begin(d demand) (command, bool) {
	known := n.orders[d.subject]
	if d.goal == goalRefund && known["charge"] == "" || d.goal == goalTrace && known["tracking"] == "" {
		return command{verb: verbWait}, false
	}
	return d.run(known), true
}
