package transition

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	patch := state.From(map[string]any{"inventory": map[string]any{"shelf_10": nil, "shelf_2": "<b>"}})
	const object = `{"state_patch":{"inventory":{"shelf_2":"<b>","shelf_10":null}},"action":"Wait"}`
	for _, test := range []struct {
		form  model.Form
		wire  model.Wire
		patch *state.Object
		want  record.Reply
	}{
		{model.Envelope, "", &patch, record.Reply{Text: "It is so.\n\n```json\n" + object + "\n```", Finish: record.Stop}},
		{model.Envelope, model.JSONSchema, &patch, record.Reply{Text: object, Finish: record.Stop}},
		{model.Envelope, model.Tool, &patch, record.Reply{Text: "It is so.", Finish: record.ToolCalls,
			Calls: []record.ToolCall{{Name: "propose_transition", Arguments: object}}}},
		{model.Envelope, model.JSONSchema, nil, record.Reply{Text: `{"state_patch":{},"action":"Wait"}`, Finish: record.Stop}},
		{model.ActionLine, "", nil, record.Reply{Text: "It is so.\n\nAction: Wait", Finish: record.Stop}},
		{model.Update, "", nil, record.Reply{Text: "It is so.\n\nAction: Wait", Finish: record.Stop}},
		{model.Update, "", &patch, record.Reply{Text: "It is so.\n\nAction: Wait\nStateUpdate: {\"inventory\":{\"shelf_2\":\"<b>\",\"shelf_10\":null}}", Finish: record.Stop}},
		{model.Prose, "", nil, record.Reply{Text: "It is so.", Finish: record.Stop}},
	} {
		if diff := cmp.Diff(test.want, Write(test.form, test.wire, "It is so.", test.patch, "Wait")); diff != "" {
			t.Errorf("%s %s: %s", test.form, test.wire, diff)
		}
	}
}

var hostile = []string{
	"{", "}", "{\"", "```", "```json\n", "\n```\n", "~~~", "<think>", "</think>", "<thinking>", "<", "\"", "\\", "\\\"", "'",
	"Action: Ship item_1 shelf_1", "\nAction: Wait\n", "**action:**", "StateUpdate: {\"a\": 1}", "StateUpdate:", good, "{\"state_patch\": {",
	"\uFEFF", "\r\n", "\n", " ", "\u2028", "é📦", "\x00", "\xff", "I'm sorry, but I can't", "item_12", ",", ":", "[", "]", "//", "/*",
}

func text() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostile), rapid.StringN(0, 8, -1)), 0, 8),
		func(parts []string) string { return strings.Join(parts, "") })
}

func value(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		text().AsAny(), rapid.Bool().AsAny(), rapid.Int().AsAny(), rapid.Float64().AsAny(), rapid.Just[any](nil),
	}
	if depth > 0 {
		leaves = append(leaves, members(depth-1).AsAny(), rapid.SliceOfN(value(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(leaves...)
}

func members(depth int) *rapid.Generator[map[string]any] {
	return rapid.MapOfN(rapid.OneOf(text(), rapid.SampledFrom([]string{"state_patch", "action"})), value(depth), 0, 4)
}

// command draws what the forms with lines can carry: one line without marks
// around it.
func command(t *rapid.T) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(text().Draw(t, "command"), "")), " ")
	s = strings.Trim(s, marks+" \uFEFF\x00<")
	if s == "" || len(thinking(s)) > 0 {
		return "Ship item_1 shelf_2"
	}
	return s
}

func TestWriteThenParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom([]model.Form{model.ActionLine, model.Update, model.Envelope}).Draw(t, "form")
		wire := rapid.SampledFrom([]model.Wire{"", model.Fenced, model.JSONSchema, model.Tool}).Draw(t, "wire")
		repair := rapid.SampledFrom([]Repair{"", Strict, Lenient}).Draw(t, "repair")
		because := text().Draw(t, "because")
		patch := state.From(members(2).Draw(t, "patch"))
		want := record.Move{Patch: &patch}
		switch {
		case form == model.Envelope:
			want.Action = strings.ToValidUTF8(text().Draw(t, "action"), "\uFFFD")
		case form == model.ActionLine || rapid.Bool().Draw(t, "no patch"):
			want.Patch = nil
			fallthrough
		default:
			want.Action = command(t)
		}
		reply := Write(form, wire, because, want.Patch, want.Action)
		got, found := Parse(form, wire, repair, reply)
		if found != nil {
			t.Fatalf("%q: refused: %v", reply.Text, found)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", reply.Text, diff)
		}
	})
}

func TestProseIsWrittenAsItIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		because := strings.ToValidUTF8(text().Draw(t, "because"), "")
		if got := Write(model.Prose, "", because, nil, "").Text; got != because {
			t.Fatalf("got %q, want %q", got, because)
		}
	})
}
