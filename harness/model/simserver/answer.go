package simserver

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"

	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// An answer is a reply on its way out.
type answer struct {
	head    head
	request *chatRequest
	reply   record.Reply
	refusal string // text of the refusal field
	choices int
	usage   usage
	whole   []byte // the body, where it is no chat; nil: it is one
}

// A head is what a completion and every chunk of a stream say of themselves.
type head struct {
	ID          string `json:"id"`
	Object      string `json:"object"`
	Created     int64  `json:"created"`
	Model       string `json:"model"`
	Fingerprint string `json:"system_fingerprint"`
}

type usage struct {
	Prompt     int  `json:"prompt_tokens"`
	Completion int  `json:"completion_tokens"`
	Total      int  `json:"total_tokens"`
	Details    *int `json:"prompt_tokens_details"` // null: nothing is known of caching
}

type chatReply struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	Reasoning string     `json:"reasoning_content,omitempty"`
	Refusal   string     `json:"refusal,omitempty"`
	Calls     []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	Index    *int   `json:"index,omitempty"` // in streams
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// answer asks the simulated model.
func (s *Server) answer(r *http.Request, body []byte, hash [32]byte) (*answer, *apiError) {
	q, refused := parseRequest(body)
	if refused != nil {
		return nil, refused
	}
	m, refused := s.simulated(q.Model)
	if refused != nil {
		return nil, refused
	}
	text := q.text()
	tokens := s.prompts.count(text)
	if s.o.Context > 0 && tokens >= s.o.Context {
		return nil, s.overflow(tokens)
	}
	reply, err := m.Generate(r.Context(), model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, text)}}, Wire: q.wire()})
	if err != nil {
		return nil, &apiError{status: http.StatusInternalServerError, Kind: "server_error", Message: err.Error()}
	}
	if limit := s.room(q, tokens); limit > 0 {
		s.shorten(&reply, limit)
	}
	a := &answer{request: q, reply: reply, choices: 1, head: s.headOf("chatcmpl-", q.Model, hash)}
	a.usage = s.usageOf(tokens, a.reply)
	return a, nil
}

func (s *Server) headOf(prefix, id string, hash [32]byte) head {
	return head{ID: prefix + hex.EncodeToString(hash[:12]), Created: s.o.Clock.Now().Unix(), Model: id, Fingerprint: sim.Served}
}

func (s *Server) overflow(tokens int) *apiError {
	e := badRequest("messages", fmt.Sprintf("the maximum context length is %d tokens, the messages have %d", s.o.Context, tokens))
	code := "context_length_exceeded"
	e.Code = &code
	return e
}

// room is the number of tokens that a reply may have, 0 for any.
func (s *Server) room(q *chatRequest, prompt int) int {
	limit := 0
	if q.limit() != nil {
		limit = *q.limit()
	}
	if s.o.Context > 0 && (limit == 0 || limit > s.o.Context-prompt) {
		limit = s.o.Context - prompt
	}
	return limit
}

func (s *Server) usageOf(prompt int, r record.Reply) usage {
	n := s.encoding.Count(r.Text) + s.encoding.Count(r.Thinking)
	for _, c := range r.Calls {
		n += s.encoding.Count(c.Name) + s.encoding.Count(c.Arguments)
	}
	return usage{Prompt: prompt, Completion: n, Total: prompt + n}
}

// shorten cuts a reply at a number of tokens: first its text, then its call.
func (s *Server) shorten(r *record.Reply, limit int) {
	if s.encoding.Count(r.Text) > limit {
		r.Text, r.Calls, r.Finish = s.head(r.Text, limit), nil, record.Length
		return
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		left := limit - s.encoding.Count(r.Text) - s.encoding.Count(c.Name)
		if s.encoding.Count(c.Arguments) > left {
			c.Arguments, r.Finish = s.head(c.Arguments, max(left, 0)), record.Length
		}
	}
}

// head is a long beginning of a text that has at most so many tokens.
func (s *Server) head(text string, limit int) string {
	runes := []rune(text)
	n := sort.Search(len(runes), func(n int) bool { return s.encoding.Count(string(runes[:n+1])) > limit })
	for n > 0 && s.encoding.Count(string(runes[:n])) > limit { // counts do not only grow
		n--
	}
	return string(runes[:n])
}

func (a *answer) message() chatReply {
	m := chatReply{Role: "assistant", Content: &a.reply.Text, Reasoning: a.reply.Thinking, Refusal: a.refusal}
	for i, c := range a.reply.Calls {
		call := toolCall{ID: fmt.Sprintf("call_%d", i), Type: "function"}
		call.Function.Name, call.Function.Arguments = c.Name, c.Arguments
		m.Calls = append(m.Calls, call)
	}
	return m
}

func (a *answer) write(w http.ResponseWriter) {
	body, _ := a.encode(false)
	w.Header().Set("Content-Type", a.contentType())
	_, _ = w.Write(body)
}

func (a *answer) contentType() string {
	if a.request.Stream {
		return "text/event-stream"
	}
	return "application/json"
}

// encode is the body of the answer, and the number of bytes of it with which
// it is sure not to be complete. A stream tells its usage first if early is set.
func (a *answer) encode(early bool) (body []byte, most int) {
	if a.request.Stream {
		return a.stream(early)
	}
	if a.whole != nil {
		return a.whole, len(a.whole) - 1
	}
	type choice struct {
		Index   int           `json:"index"`
		Message chatReply     `json:"message"`
		Finish  record.Finish `json:"finish_reason"`
	}
	whole := struct {
		head
		Choices []choice `json:"choices"`
		Usage   usage    `json:"usage"`
	}{head: a.head, Choices: []choice{}, Usage: a.usage}
	whole.Object = "chat.completion"
	for i := range a.choices {
		whole.Choices = append(whole.Choices, choice{i, a.message(), a.reply.Finish})
	}
	body = encoded(whole)
	return body, len(body) - 1
}

// encoded is v as JSON. Everything that is encoded here can be.
func encoded(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}
