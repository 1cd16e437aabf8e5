package transition

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Write renders a reply in a form: what an ideal model would say. [Parse] reads
// it back, without flags. A nil patch is {} in an envelope and no update line
// elsewhere. In the forms with lines the action must be one line without marks
// around it.
//
// The text of because is said as it is, but on one line, and with the
// characters replaced that could be taken for part of the answer; in
// [model.Prose] it is the reply. On the wire JSONSchema there is no place for it.
func Write(form model.Form, wire model.Wire, because string, patch *state.Object, action string) record.Reply {
	reply := record.Reply{Finish: record.Stop}
	because = strings.ToValidUTF8(because, "\uFFFD")
	switch {
	case form == model.Prose:
		reply.Text = because
	case form == model.Envelope && wire == model.Tool:
		reply.Text, reply.Finish = harmless(because), record.ToolCalls
		reply.Calls = []record.ToolCall{{Name: ToolName, Arguments: envelope(patch, action)}}
	case form == model.Envelope && wire == model.JSONSchema:
		reply.Text = envelope(patch, action)
	case form == model.Envelope:
		reply.Text = paragraph(harmless(because)) + "```json\n" + envelope(patch, action) + "\n```"
	default:
		reply.Text = paragraph(harmless(because)) + "Action: " + action
		if form == model.Update && patch != nil {
			reply.Text += "\nStateUpdate: " + patch.Compact()
		}
	}
	return reply
}

func envelope(patch *state.Object, action string) string {
	if patch == nil {
		patch = &state.Object{}
	}
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(action, "\uFFFD"))
	return `{"state_patch":` + patch.Compact() + `,"action":` + string(quoted) + "}"
}

func paragraph(text string) string {
	if text == "" {
		return ""
	}
	return text + "\n\n"
}

var answerMarks = strings.NewReplacer("{", "(", "}", ")", "`", "'", "~~~", "---")

// harmless keeps a sentence from being read as an answer or as thinking.
func harmless(because string) string {
	text := answerMarks.Replace(strings.Join(strings.Fields(because), " "))
	text = strings.TrimPrefix(text, "\uFEFF")
	if len(thinking(text)) > 0 {
		text = strings.ReplaceAll(text, "<", "(")
	}
	if endsUpdate(text) {
		text = "So: " + text
	}
	return text
}
