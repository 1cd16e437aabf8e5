package transition

import (
	"fmt"
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

// calls reads the envelope that travels as one tool call. What the text says
// beside it does not matter.
func (r reader) calls(calls []record.ToolCall) (record.Move, []state.Violation) {
	switch {
	case len(calls) == 0:
		return record.Move{}, r.nothing(NoJSON, "no tool call, want one of "+ToolName)
	case len(calls) > 1:
		return record.Move{}, one(Envelope, fmt.Sprintf("%d tool calls, want exactly one of %s that carries both parts", len(calls), ToolName))
	case calls[0].Name != ToolName:
		return record.Move{}, one(Envelope, "call of "+quote(calls[0].Name)+", want "+ToolName)
	}
	r.text = strings.TrimPrefix(calls[0].Arguments, "\uFEFF")
	from := len(r.text) - len(strings.TrimLeft(r.text, " \t\r\n"))
	if from == len(r.text) || r.text[from] != '{' {
		return record.Move{}, r.nothing(NoJSON, "the arguments are no JSON object, want one with exactly the keys state_patch and action")
	}
	b := scan(r.text, from, func(string) bool { return false })
	b.to = len(r.text) // nothing may follow the object
	return r.broken(b)
}
