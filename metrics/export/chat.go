package export

import (
	"encoding/json"
	"io"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A Call is a line of a chat export: one model call as messages. The contents
// of those before the assistant's are the prompt, byte for byte.
type Call struct {
	Schema   int            `json:"schema"`
	Cell     string         `json:"cell"`
	Step     int            `json:"step"`
	Attempt  int            `json:"attempt"`
	Purpose  record.Purpose `json:"purpose"` // step, retry or summary
	Finish   record.Finish  `json:"finish"`
	Messages []Message      `json:"messages"`
}

// A Message is one as OpenAI's chat format has it. The instructions that open a
// prompt are the system's, the rest of it the user's.
type Message struct {
	Role      string     `json:"role"` // system, user or assistant
	Content   string     `json:"content"`
	Reasoning string     `json:"reasoning_content,omitempty"`
	Calls     []ToolCall `json:"tool_calls,omitempty"`
}

// A ToolCall is one that the assistant made.
type ToolCall struct {
	Type     string          `json:"type"` // function
	Function record.ToolCall `json:"function"`
}

// Chat writes the calls of one episode, one line each.
func Chat(c record.Cell, r *journal.Reader, w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return r.Each(func(e journal.Event) error {
		if e.Call == nil || e.Call.Purpose == record.ForScores { // no chat: nobody wrote a reply
			return nil
		}
		p, err := r.Prompt(*e.Call)
		if err != nil {
			return err
		}
		reply, err := r.Reply(*e.Call)
		if err != nil {
			return err
		}
		return out.Encode(Call{Schema: Version, Cell: c.ID, Step: e.Call.Step, Attempt: e.Call.Attempt, Purpose: e.Call.Purpose, Finish: e.Call.Finish,
			Messages: append(messages(p), answer(reply))})
	})
}

// Chats calls f with every episode of a run directory that has begun.
func Chats(dir string, f func(record.Cell, *journal.Reader) error) error {
	return each(dir, func(c record.Cell, r *journal.Reader) error {
		if r == nil {
			return nil
		}
		return f(c, r)
	})
}

func messages(p prompt.Prompt) []Message {
	text, opening := p.Text(), 0
	for s := range p.Segments() {
		if s.Kind != prompt.Instructions {
			break
		}
		opening += len(s.Text)
	}
	if opening == 0 || opening == len(text) {
		return []Message{{Role: "user", Content: text}}
	}
	return []Message{{Role: "system", Content: text[:opening]}, {Role: "user", Content: text[opening:]}}
}

func answer(r record.Reply) Message {
	m := Message{Role: "assistant", Content: r.Text, Reasoning: r.Thinking}
	for _, c := range r.Calls {
		m.Calls = append(m.Calls, ToolCall{"function", c})
	}
	return m
}
