package transition

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

// The two keys of an envelope.
const (
	patchKey  = "state_patch"
	actionKey = "action"
)

// ToolName is the function that an envelope is a call of, on the wire Tool.
const ToolName = "propose_transition"

// minEnvelope is the length of the shortest envelope: {"action":"","state_patch":{}}.
const minEnvelope = 30

// envelope reads the last valid envelope of the text.
func (r reader) envelope() (record.Move, []state.Violation) {
	var first, move record.Move
	var last, best block // the last block, and the last that looks like an envelope
	valid, disagree, intended := 0, false, false
	for b := range blocks(r.text, atFence) {
		if m, ok := r.valid(b); ok {
			if valid++; valid == 1 {
				first = m
			}
			move, disagree = m, disagree || m.Action != first.Action || !m.Patch.Equal(*first.Patch)
		}
		if !b.inner {
			last = b
			if looks := r.intended(b); looks || !intended {
				best, intended = b, looks
			}
		}
	}
	switch {
	case disagree:
		move.Flags = append(move.Flags, BlocksDisagree)
		return move, nil
	case valid > 0:
		return move, nil
	case last.to == 0:
		return record.Move{}, r.nothing(NoJSON, "no JSON object, want one with exactly the keys state_patch and action")
	case last.end == cutOff:
		return r.broken(last)
	}
	return r.broken(best)
}

func (r reader) valid(b block) (record.Move, bool) {
	if b.end != closed || b.to-b.from < minEnvelope {
		return record.Move{}, false
	}
	o, err := state.Parse([]byte(r.text[b.from:b.to]))
	if err != nil {
		return record.Move{}, false
	}
	move, found := contract(o)
	return move, found == nil
}

func (r reader) intended(b block) bool {
	text := r.text[b.from:b.to]
	return strings.Contains(text, patchKey) || strings.Contains(text, actionKey)
}

// broken says why a block is no envelope, or mends it.
func (r reader) broken(b block) (record.Move, []state.Violation) {
	o, found := r.object(b)
	if found == nil {
		move, wrong := contract(o)
		if wrong != nil && r.cut {
			found = one(Truncated, "the reply was cut, and no envelope is complete before the cut")
		}
		return move, append(found, wrong...)
	}
	if o, ok := r.mended(b, found); ok {
		if move, wrong := contract(o); wrong == nil {
			move.Flags = mendedFlags()
			return move, nil
		}
	}
	return record.Move{}, found
}

// object reads a block as strict JSON. What is not is truncated where the reply
// was cut, and where the text ends in it, unless a fault shows that the model,
// which ended the reply itself, left it open.
func (r reader) object(b block) (state.Object, []state.Violation) {
	text := r.text[b.from:b.to]
	o, err := state.Parse([]byte(text))
	if err == nil {
		return o, nil
	}
	f := diagnose(text)
	var found []state.Violation
	if r.cut || b.end == cutOff && (f.early || r.finish != record.Stop && r.finish != record.ToolCalls) {
		found = one(Truncated, "the reply ends before the JSON object is complete")
	}
	if !f.early || b.end != cutOff {
		found = append(found, state.NewViolation(JSONSyntax, "",
			fmt.Sprintf("%s: %s; want strict JSON", position(r.text, b.from+f.at), f.what)))
	}
	return o, found
}

// nothing judges a text without what the form asks for.
func (r reader) nothing(class, hint string) []state.Violation {
	switch {
	case r.cut:
		return one(Truncated, "the reply was cut before its answer")
	case refuses(r.text):
		return one(Refusal, "the reply refuses the task")
	}
	return one(class, hint)
}

// contract takes an envelope apart. The move holds the parts that are right.
func contract(o state.Object) (record.Move, []state.Violation) {
	var move record.Move
	var found []state.Violation
	var missing, unexpected []string
	for _, key := range []string{patchKey, actionKey} {
		v, ok := o.Root()[key]
		if !ok {
			missing = append(missing, quote(key))
			continue
		}
		switch v := v.(type) {
		case map[string]any:
			if key == patchKey {
				patch := state.From(v)
				move.Patch = &patch
				continue
			}
		case string:
			if key == actionKey {
				move.Action = v
				continue
			}
		}
		found = append(found, state.NewViolation(Envelope, "", key+" is "+kindOf(v)+", want "+map[string]string{patchKey: "an object", actionKey: "a string"}[key]))
	}
	for key := range o.Root() {
		if key != patchKey && key != actionKey {
			unexpected = append(unexpected, quote(key))
		}
	}
	if len(missing)+len(unexpected) > 0 {
		found = append(found, state.NewViolation(Envelope, "", keysHint(missing, unexpected)))
	}
	return move, found
}

func keysHint(missing, unexpected []string) string {
	slices.Sort(unexpected)
	if n := len(unexpected); n > 3 {
		unexpected = append(unexpected[:3:3], fmt.Sprintf("%d more", n-3))
	}
	hint := "want exactly the keys state_patch and action"
	if len(unexpected) > 0 {
		hint = "unexpected " + strings.Join(unexpected, ", ") + "; " + hint
	}
	if len(missing) > 0 {
		hint = "missing " + strings.Join(missing, " and ") + "; " + hint
	}
	return hint
}

func kindOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case nil:
		return "null"
	}
	return "a number"
}
