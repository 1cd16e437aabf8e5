package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Injected is the key in record.Reply.Notes under which Clumsy says which class
// of Faults it made. No note means that the reply is right.
const Injected = "injected"

// DefaultRates has Clumsy err at one step in ten, in the paper's shares (section
// 5.7): 68 % overwrites and deletions, 20 % schema, 12 % syntax.
func DefaultRates() map[string]float64 {
	return map[string]float64{
		"premature_delete": 0.04, "overwrite": 0.028,
		"envelope": 0.005, "schema_unknown_key": 0.005, "schema_type": 0.005, "schema_value": 0.005,
		"no_json": 0.003, "json_syntax": 0.009,
	}
}

// With Once the fault falls on one of these steps; before them there is little
// in a state to err about. A model behind an endpoint is told no step and makes
// none.
const (
	firstOnce = 4
	lastOnce  = 19
)

// clumsy is the reply of a Clumsy model with a fault in it; false where it makes
// none. A class that cannot be made of this prompt is not made, and there is
// no label. So that shares hold whatever the prompts are, a step whose state has
// no fact to delete or overwrite gets no fault at all where rates ask for these.
//
// A semantic label is true by construction where the state in the prompt is
// true and the strategy validates: what is deleted, overwritten or left out is
// told from what this step changes by the rules of the task.
func (m *Model) clumsy(d draft, r model.Request) (record.Reply, bool) {
	again := r.Attempt > 0 || strings.Contains(d.text, prompt.LabelFeedback) // an endpoint is not told the attempt
	if m.config.Mechanism != Clumsy || d.form == model.Prose || again && !m.config.OnRetry {
		return record.Reply{}, false
	}
	class, draw := m.chance(d, r)
	if class == "" {
		return record.Reply{}, false
	}
	f := faulty{draft: d, draw: draw, schema: m.schema(r.Schema), model: m}
	if !f.spare(m.rates()) {
		return record.Reply{}, false
	}
	reply, ok := f.make(class)
	if !ok {
		return record.Reply{}, false
	}
	reply.Served = Served
	notes := map[string]string{Injected: class}
	for k, v := range reply.Notes {
		notes[k] = v
	}
	reply.Notes = notes
	return reply, true
}

func (m *Model) rates() map[string]float64 {
	if m.config.Rates == nil {
		return DefaultRates()
	}
	return m.config.Rates
}

// chance draws the class of this step's fault, "" for none. With Once the class
// and its step are drawn once for each cell.
func (m *Model) chance(d draft, r model.Request) (string, *rand.Rand) {
	rates, sum := m.rates(), 1.0
	draw := m.luck(d.text, r.Cell, fmt.Sprint(r.Step, r.Attempt))
	from := draw
	if m.config.Once {
		from = m.luck(r.Cell)
		if r.Step != firstOnce+from.IntN(lastOnce-firstOnce+1) {
			return "", draw
		}
		sum = 0
		for _, class := range Faults() {
			sum += rates[class]
		}
	}
	at := from.Float64() * sum
	for _, class := range Faults() {
		if at -= rates[class]; at < 0 {
			return class, draw
		}
	}
	return "", draw
}

// luck is a source that depends on the seed and the words alone, so that
// resumed and parallel runs agree.
func (m *Model) luck(words ...string) *rand.Rand {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%q", words)))
	return rand.New(rand.NewPCG(m.config.Seed, binary.BigEndian.Uint64(sum[:8])))
}

// schema compiles the state schema of a request; nil where there is none.
func (m *Model) schema(raw []byte) *state.Schema {
	if known, ok := m.schemas.Load(string(raw)); ok {
		return known.(*state.Schema)
	}
	s, err := state.Compile("state.schema.json", raw)
	if err != nil {
		s = nil
	}
	m.schemas.Store(string(raw), s)
	return s
}
