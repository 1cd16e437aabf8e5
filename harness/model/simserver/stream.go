package simserver

import "skillbench/harness/record"

// piece is how much of a text one chunk of a stream carries, in characters.
const piece = 64

type delta struct {
	Index  int            `json:"index"`
	Delta  chatReply      `json:"delta"`
	Finish *record.Finish `json:"finish_reason"`
}

type chunk struct {
	head
	Choices []delta `json:"choices"`
	Usage   *usage  `json:"usage,omitempty"`
}

// stream is the answer as server-sent events.
func (a *answer) stream(early bool) (body []byte, most int) {
	send := func(c chunk) {
		c.head, c.Object = a.head, "chat.completion.chunk"
		body = append(append(append(body, "data: "...), encoded(c)...), "\n\n"...)
	}
	if early {
		send(chunk{Choices: []delta{}, Usage: &a.usage})
	}
	for i := range a.choices {
		for _, part := range a.parts() {
			send(chunk{Choices: []delta{{Index: i, Delta: part}}})
		}
	}
	most = len(body)
	for i := range a.choices {
		send(chunk{Choices: []delta{{Index: i, Finish: &a.reply.Finish}}})
	}
	if a.request.StreamOptions.IncludeUsage && !early {
		send(chunk{Choices: []delta{}, Usage: &a.usage})
	}
	return append(body, "data: [DONE]\n\n"...), most
}

// parts spreads a message over chunks.
func (a *answer) parts() []chatReply {
	m := a.message()
	empty := ""
	parts := []chatReply{{Role: m.Role, Content: &empty, Reasoning: m.Reasoning, Refusal: m.Refusal}}
	for _, text := range pieces(*m.Content) {
		parts = append(parts, chatReply{Content: &text})
	}
	for i, call := range m.Calls {
		arguments := call.Function.Arguments
		call.Index, call.Function.Arguments = &i, ""
		parts = append(parts, chatReply{Calls: []toolCall{call}})
		for _, text := range pieces(arguments) {
			more := toolCall{Index: &i}
			more.Function.Arguments = text
			parts = append(parts, chatReply{Calls: []toolCall{more}})
		}
	}
	return parts
}

func pieces(text string) []string {
	var list []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(piece, len(runes))
		list = append(list, string(runes[:n]))
		runes = runes[n:]
	}
	return list
}
