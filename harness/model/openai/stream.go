package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"

	"skillbench/harness/model"
)

// isStream reports whether a body is a stream of server-sent events: its first
// line is a field or a comment.
func isStream(body []byte) bool {
	body = bytes.TrimSpace(body)
	for _, start := range []string{"data:", "event:", "id:", "retry:", ":", "error:"} {
		if bytes.HasPrefix(body, []byte(start)) {
			return true
		}
	}
	return false
}

// events yields the data of each event. Comments and other fields are left
// out, however many: providers send them to keep the connection open. A
// line `error: {…}`, as llama.cpp sends it, is the data {"error":{…}}.
func events(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(body) {
			line = bytes.TrimSpace(line)
			data, ok := bytes.CutPrefix(line, []byte("data:"))
			if fault, found := bytes.CutPrefix(line, []byte("error:")); found && json.Valid(fault) {
				data, ok = append(append([]byte(`{"error":`), fault...), '}'), true
			}
			if ok && !yield(bytes.TrimSpace(data)) {
				return
			}
		}
	}
}

// readStream puts a stream together. It is whole when the first choice has its
// finish_reason, or [DONE] came.
func readStream(body []byte) (*answer, error) {
	s := stream{a: &answer{}, indexes: map[int]bool{}, at: map[int]int{}}
	for data := range events(body) {
		if string(data) == "[DONE]" {
			s.a.complete = true
			break
		}
		if len(data) == 0 {
			continue
		}
		var c completion
		err := json.Unmarshal(data, &c)
		if _, kind := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !kind {
			return s.end(&defect{model.StreamCut, "a chunk is not JSON: " + err.Error()})
		}
		s.add(&c)
		if s.a.fault != nil {
			return s.a, nil
		}
	}
	return s.end(&defect{model.StreamCut, "the stream ended without finish_reason and [DONE]"})
}

type stream struct {
	a       *answer
	indexes map[int]bool // of the choices seen
	first   int          // index of the choice that counts
	at      map[int]int  // index of a tool call in the stream → place in calls
}

func (s *stream) end(cut *defect) (*answer, error) {
	s.a.choices = len(s.indexes)
	switch {
	case !s.a.complete:
		return s.a, cut
	case s.a.choices == 0:
		return s.a, &defect{model.NoChoices, "a stream without choices"}
	case s.a.finish == "error":
		return s.a, &defect{model.ErrorBody, "finish_reason is error"}
	}
	return s.a, nil
}

func (s *stream) add(c *completion) {
	s.a.take(c)
	for i := range c.Choices {
		ch := &c.Choices[i]
		if len(s.indexes) == 0 {
			s.first = ch.Index
		}
		s.indexes[ch.Index] = true
		if ch.Index != s.first {
			continue
		}
		s.calls(ch.Delta.ToolCalls)
		ch.Delta.ToolCalls = nil
		s.a.choose(ch)
		s.a.complete = s.a.complete || ch.Finish != ""
	}
}

// calls adds the parts of tool calls, which come under the index of their
// call; without one, a part with an id or a name begins a new call.
func (s *stream) calls(parts []call) {
	for _, p := range parts {
		place, known := len(s.a.calls)-1, len(s.a.calls) > 0 && p.ID == "" && p.Function.Name == ""
		if p.Index != nil {
			place, known = s.at[*p.Index]
		}
		if !known {
			place = len(s.a.calls)
			s.a.calls = append(s.a.calls, function{})
			if p.Index != nil {
				s.at[*p.Index] = place
			}
		}
		f := &s.a.calls[place]
		f.Name += p.Function.Name
		f.Arguments += p.Function.Arguments
	}
}
