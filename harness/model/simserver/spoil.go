package simserver

import (
	"encoding/binary"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"skillbench/harness/record"
)

// spoil answers a call as a rule says. a is nil where the rule needs none.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request, f *Rule, a *answer, hash [32]byte) {
	said := f.Usage && (a.request.Stream || f.Fault != Cut && f.Fault != Short)
	s.faults.count(func(l *Ledger) {
		l.Faults[f.Fault]++
		if said {
			l.WithUsage++
			l.PromptTokens += a.usage.Prompt
			l.CompletionTokens += a.usage.Completion
		}
	})
	if f.Delay > 0 && s.o.Clock.Sleep(r.Context(), time.Duration(f.Delay*float64(time.Second))) != nil {
		return
	}
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	switch f.Fault {
	case Reset:
		panic(http.ErrAbortHandler) // how net/http is told to break a connection
	case Hang, Cut, Short, Trailing:
		s.spoilBytes(w, r, f, a)
	case Slow:
		a.write(w)
	case Replaced:
		s.replaced(a, f.Reply).write(w)
	default:
		contentType, body := f.body(a, hash)
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(f.status())
		_, _ = w.Write(body)
	}
}

// spoilBytes sends a part of the answer, or more than it.
func (s *Server) spoilBytes(w http.ResponseWriter, r *http.Request, f *Rule, a *answer) {
	if f.Fault == Hang && f.After == 0 {
		<-r.Context().Done()
		return
	}
	body, most := a.encode(f.Usage)
	part := body[:min(f.After, most)]
	if f.Usage && a.request.Stream { // at least what says so
		part = body[:max(len(part), firstEvent(body))]
	}
	w.Header().Set("Content-Type", a.contentType())
	switch f.Fault {
	case Trailing:
		_, _ = w.Write(append(body, "\n<!-- served in 0.2 s -->"...))
		return
	case Short:
		_, _ = w.Write(part)
		return
	}
	if !a.request.Stream {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	_, _ = w.Write(part)
	_ = http.NewResponseController(w).Flush()
	if f.Fault == Cut {
		panic(http.ErrAbortHandler)
	}
	<-r.Context().Done()
}

func firstEvent(body []byte) int {
	for i := 1; i < len(body); i++ {
		if body[i-1] == '\n' && body[i] == '\n' {
			return i + 1
		}
	}
	return 0
}

// body is what a fault sends in place of an answer.
func (r *Rule) body(a *answer, hash [32]byte) (contentType string, body []byte) {
	words := r.Text
	if words == "" {
		words = "injected by the fault script"
	}
	switch r.Fault {
	case HTML:
		return "text/html", []byte("<html><head><title>" + http.StatusText(r.status()) + "</title></head><body>" + words + "</body></html>")
	case Text:
		return "application/json", []byte(r.Text)
	case Empty:
		return "application/json", nil
	case Garbage:
		return "application/octet-stream", noise(hash)
	}
	members := map[string]any{}
	if r.Fault == NoChoices {
		members = map[string]any{"id": a.head.ID, "object": "chat.completion", "model": a.head.Model, "choices": []any{}}
	} else {
		members["error"] = apiError{Message: words, Kind: "server_error"}
	}
	if r.Usage {
		members["usage"] = a.usage
	}
	return "application/json", encoded(members)
}

// noise is the same for equal requests.
func noise(hash [32]byte) []byte {
	draw := rand.New(rand.NewPCG(binary.BigEndian.Uint64(hash[:]), 0))
	body := []byte{0xff} // no text, no JSON, no stream
	for range 256 {
		body = append(body, byte(draw.Uint32()))
	}
	return body
}

// replaced is the answer with another reply.
func (s *Server) replaced(a *answer, r *Reply) *answer {
	other := *a
	other.whole = nil
	other.refusal, other.choices = r.Refusal, max(r.Choices, 1)
	other.reply = record.Reply{Text: r.Text, Thinking: r.Reasoning, Finish: record.Stop}
	if r.Finish != "" {
		other.reply.Finish = record.Finish(r.Finish)
	}
	for _, c := range r.Calls {
		other.reply.Calls = append(other.reply.Calls, record.ToolCall{Name: c.Name, Arguments: c.Arguments})
	}
	other.usage = s.usageOf(a.usage.Prompt, other.reply)
	return &other
}
