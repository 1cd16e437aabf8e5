package sim

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// Faults are the classes of error that Clumsy can make, in the order in which
// they are drawn. What they mean is said in package metrics/patcherr.
func Faults() []string {
	return []string{
		"empty", "refusal", "truncated", "no_json", "json_syntax", "envelope",
		"schema_unknown_key", "schema_type", "schema_value", "action_grammar",
		"unearned", "premature_delete", "overwrite", "duplicate", "missed_update", "fabricated",
	}
}

// A faulty is a draft in which one fault is to be made.
type faulty struct {
	draft
	draw   *rand.Rand
	schema *state.Schema // nil where it is not known
	model  *Model
}

// make writes the draft with a fault; false where it cannot have this one.
func (f faulty) make(class string) (record.Reply, bool) {
	switch class {
	case "empty":
		return record.Reply{Finish: record.Stop}, true
	case "refusal":
		return record.Reply{Text: "I'm sorry, but I can't help with this.", Finish: record.Stop}, true
	case "truncated":
		return f.truncated()
	case "action_grammar":
		f.answer.Action = "Please " + f.answer.Action
		return f.reply(f.patch()), true
	case "json_syntax":
		return f.misspelt()
	case "no_json", "envelope", "schema_unknown_key", "schema_type", "schema_value":
		if f.form != model.Envelope || f.shown == nil {
			return record.Reply{}, false
		}
	}
	switch class {
	case "no_json":
		return record.Reply{Text: "The right thing to do now is " + f.answer.Action + ".", Finish: record.Stop}, true
	case "envelope":
		return f.misshapen(), true
	case "schema_unknown_key", "schema_type", "schema_value":
		return f.invalid(class)
	}
	return f.wrong(class)
}

// body is where a reply holds its envelope or its lines.
func body(r *record.Reply) *string {
	if len(r.Calls) > 0 {
		return &r.Calls[0].Arguments
	}
	return &r.Text
}

// truncated cuts the answer off before it is complete.
func (f faulty) truncated() (record.Reply, bool) {
	reply := f.reply(f.patch())
	text := body(&reply)
	from, to := strings.LastIndex(*text, "\nAction: ")+1, len(*text)
	if f.form == model.Envelope {
		from, to = strings.Index(*text, `{"state_patch"`), strings.LastIndexByte(*text, '}')
	} else if n := strings.IndexByte((*text)[from:], '\n'); n >= 0 {
		to = from + n
	}
	*text = (*text)[:from+1+f.draw.IntN(to-from-1)]
	reply.Finish = record.Length
	return reply, true
}

// misspelt makes one slip of syntax in the JSON of a reply.
func (f faulty) misspelt() (record.Reply, bool) {
	reply := f.reply(f.patch())
	text := body(&reply)
	from := strings.Index(*text, `{"state_patch"`)
	if f.form == model.Update {
		if from = strings.LastIndex(*text, "StateUpdate: "); from >= 0 {
			from += len("StateUpdate: ")
		}
	}
	to := strings.LastIndexByte(*text, '}') + 1
	if f.form == model.ActionLine || from < 0 || to <= from {
		return reply, false
	}
	*text = (*text)[:from] + f.slip((*text)[from:to]) + (*text)[to:]
	return reply, true
}

// slip misspells one object.
func (f faulty) slip(object string) string {
	head, rest, _ := strings.Cut(object, `"`)
	key, tail, quoted := strings.Cut(rest, `"`)
	kind := f.draw.IntN(5)
	switch {
	case kind == 0 && quoted:
		return head + "'" + key + "'" + tail
	case kind == 1 && quoted:
		return head + key + tail
	case kind == 2 && quoted:
		return object[:len(object)-1] + `,"` + key + `":{}}`
	case kind == 3:
		return "{ // this step\n" + object[1:]
	}
	return object[:len(object)-1] + ",}"
}

// misshapen is an envelope that has not exactly its two keys, or one of the
// wrong kind.
func (f faulty) misshapen() record.Reply {
	reply := f.reply(f.patch())
	text := body(&reply)
	from, to := strings.Index(*text, `{"state_patch"`), strings.LastIndexByte(*text, '}')+1
	action, _ := json.Marshal(f.answer.Action)
	patch := f.patch().Compact()
	wrong := []string{
		`{"state_patch":` + patch + `,"action":` + string(action) + `,"reason":"as the rules say"}`,
		`{"state_patch":` + patch + `}`,
		`{"state_patch":"nothing to change","action":` + string(action) + `}`,
		`{"state_patch":` + patch + `,"action":[` + string(action) + `]}`,
	}
	*text = (*text)[:from] + wrong[f.draw.IntN(len(wrong))] + (*text)[to:]
	return reply
}

// invalid is a patch that breaks the schema in the way asked for, which it
// checks.
func (f faulty) invalid(class string) (record.Reply, bool) {
	if f.schema == nil {
		return record.Reply{}, false
	}
	patch := maps.Clone(f.patch().Root())
	if patch == nil {
		patch = map[string]any{}
	}
	members := slices.Sorted(maps.Keys(f.shown.Root()))
	switch {
	case class == "schema_unknown_key":
		patch["entry_count"] = 1 + f.draw.IntN(50)
	case len(members) == 0:
		return record.Reply{}, false
	case class == "schema_type":
		patch[members[f.draw.IntN(len(members))]] = "unchanged"
	default:
		patch[members[f.draw.IntN(len(members))]] = nil
	}
	broken := state.From(patch)
	found := f.schema.Check(f.merge.Apply(*f.shown, broken))
	transition.Sort(found)
	if len(found) == 0 || found[0].Class != class {
		return record.Reply{}, false
	}
	return f.reply(&broken), true
}
