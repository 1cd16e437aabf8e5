// Package execution adds up what a runtime of skills let through: harms as the
// back office counted them, and values of results that prompts held though they
// must not. It reads journals and nothing else.
package execution

import (
	"maps"

	"skillbench/harness/record"
)

// Leaks are harms to the prompt. They are counted from the prompts themselves.
const (
	DropShown record.Harm = "drop_shown" // values of drop fields that stood in a prompt: of those in results
	NowStays  record.Harm = "now_stays"  // values of now fields that stood in prompts of more than one step: of those in results
	Lost      record.Harm = "lost"       // values of keep and now fields that stood in no prompt: of those in results
)

// Harms lists all harms in the order in which reports show them.
func Harms() []record.Harm { return append(record.Harms(), DropShown, NowStays, Lost) }

// A Tally is what became of one or more episodes.
type Tally struct {
	Steps    int // at which a runtime ran skills
	Harms    map[record.Harm]record.Count
	Replaced record.Count // plans whose place a fixed flow took, of plans
	Latency  record.Count // calls that ended between an order to cancel and its taking effect, of cancellations
	Settled  record.Count // virtual milliseconds from ticket to end, of tickets that ended
}

// Plus adds two tallies.
func (t Tally) Plus(o Tally) Tally {
	sum := maps.Clone(t.Harms)
	if sum == nil {
		sum = map[record.Harm]record.Count{}
	}
	for harm, c := range o.Harms {
		sum[harm] = sum[harm].Plus(c)
	}
	return Tally{t.Steps + o.Steps, sum, t.Replaced.Plus(o.Replaced), t.Latency.Plus(o.Latency), t.Settled.Plus(o.Settled)}
}

// take adds the record of one step.
func (t *Tally) take(x record.Execution) {
	*t = t.Plus(Tally{1, x.Harms, x.Replaced, x.Latency, x.Settled})
}
