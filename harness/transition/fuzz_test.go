package transition

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

func seeds(f *testing.F) {
	for _, s := range slices.Concat(hostile, []string{
		good, fenced(other) + fenced(good), "<think>" + other + "</think>" + good, "{{" + good, "{'a': {'b': " + good,
		`{"state_patch": {"a": [1,],}, "action": Wait}`, "{\"state_patch\": {}, \"action\": \"Wait\"\n```\n{", `{state_patch: {a: "\ud800"}}`,
		"Action: `Wait`\nStateUpdate:\n```json\n{\"a\": 1", "\uFEFF{\u00a0\"a\"：NaN, // x\n}", strings.Repeat("{\"", 40), strings.Repeat("[", 70),
	}) {
		f.Add(s)
	}
}

// FuzzEnvelope checks what is accepted with another parser: one of the objects
// in the text has exactly the two keys, and it is what the move says.
func FuzzEnvelope(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, finish := range []record.Finish{record.Stop, record.Length, record.Unknown} {
			reply := record.Reply{Text: text, Finish: finish}
			move, found := Parse(model.Envelope, model.Fenced, Strict, reply)
			checkFindings(t, found)
			if found == nil && !holds(text, move) {
				t.Fatalf("accepted %s, which is nowhere in the text", show(move))
			}
			lenient, still := Parse(model.Envelope, model.Fenced, Lenient, reply)
			checkFindings(t, still)
			switch mended := slices.Contains(lenient.Flags, Repaired); {
			case found == nil && (still != nil || show(lenient) != show(move)):
				t.Fatalf("strict accepts %s, lenient %s %v", show(move), show(lenient), still)
			case mended && (found == nil || found[0].Class != JSONSyntax || lenient.Patch == nil):
				t.Fatalf("mended %s, strict found %v", show(lenient), found)
			case found != nil && still == nil && !mended:
				t.Fatalf("accepted without a flag: %s, strict found %v", show(lenient), found)
			}
		}
	})
}

func FuzzToolCall(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, arguments string) {
		for _, repair := range []Repair{Strict, Lenient} {
			calls := []record.ToolCall{{Name: ToolName, Arguments: arguments}}
			move, found := Parse(model.Envelope, model.Tool, repair, record.Reply{Calls: calls, Finish: record.ToolCalls})
			checkFindings(t, found)
			if found == nil && move.Flags == nil && !isEnvelope(strings.TrimPrefix(arguments, "\uFEFF"), move) {
				t.Fatalf("accepted %s", show(move))
			}
		}
	})
}

func FuzzLines(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []model.Form{model.ActionLine, model.Update} {
			for _, repair := range []Repair{Strict, Lenient} {
				move, found := Parse(form, "", repair, record.Reply{Text: text, Finish: record.Length})
				checkFindings(t, found)
				if found == nil && (move.Action == "" || strings.Contains(move.Action, "\n") || !strings.Contains(text, move.Action)) {
					t.Fatalf("accepted %s", show(move))
				}
			}
		}
	})
}

func checkFindings(t *testing.T, found []state.Violation) {
	t.Helper()
	for i, v := range found {
		if !slices.Contains(Classes(), v.Class) || v.Hint == "" || strings.ContainsAny(v.Hint, "\n\r\x00") || len([]rune(v.Hint)) > 200 {
			t.Fatalf("bad violation %+v", v)
		}
		if i > 0 && slices.Index(Classes(), found[i-1].Class) > slices.Index(Classes(), v.Class) {
			t.Fatalf("out of order: %v", found)
		}
	}
}

// holds tries every brace of a text.
func holds(text string, move record.Move) bool {
	for i := range len(text) {
		if text[i] != '{' {
			continue
		}
		var raw json.RawMessage
		d := json.NewDecoder(strings.NewReader(text[i:]))
		if d.Decode(&raw) == nil && isEnvelope(string(raw), move) {
			return true
		}
	}
	return false
}

func isEnvelope(text string, move record.Move) bool {
	var parts map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &parts) != nil || len(parts) != 2 {
		return false
	}
	var action any
	var patch map[string]any
	if json.Unmarshal(parts[actionKey], &action) != nil || action != any(move.Action) || bytes.Equal(parts[patchKey], []byte("null")) {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(parts[patchKey]))
	d.UseNumber()
	return d.Decode(&patch) == nil && move.Patch != nil && state.From(patch).Equal(*move.Patch)
}
