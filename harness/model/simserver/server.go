// Package simserver serves the simulated models as an endpoint that speaks
// OpenAI's chat completions, and injects faults into its answers by a script.
// A prompt gets the same reply here as in process. Prompts are also repeated
// with the log-probabilities of their tokens, by package ngrams, and vectors made
// of texts, by an embedder that is given.
//
// The id of a model carries its settings, so that a run's manifest holds them:
//
//	sim:anchored/warehouse?strength=0.5&verbosity=300&restates=true&guess=abstain&seed=3
//
// Verbosity is one number for all strategies, because a request does not say
// which strategy asks. For the same reason clumsy draws its faults from the
// text of the prompt alone and knows no state schema, so that it does not
// break one; its labels are not sent. What every answer does say is that it is
// simulated, in system_fingerprint.
package simserver

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/tokens"
)

// MaxBody is the largest request body that is read, in bytes.
const MaxBody = 64 << 20

// Options say what to serve.
type Options struct {
	Languages map[string]sim.Language // by name of the task
	Embedder  Embedder                // of POST /v1/embeddings; nil: there are none
	Context   int                     // tokens of prompt and reply; 0: no limit
	Latency   time.Duration           // before every answer
	Faults    Script
	Clock     model.Clock
}

// A Server is the endpoint. It also answers GET /ledger.
type Server struct {
	o        Options
	encoding *tokens.Encoding
	prompts  counter
	faults   *injector
	mux      *http.ServeMux
}

// New returns a server.
func New(o Options) (*Server, error) {
	if len(o.Languages) == 0 || o.Clock.Now == nil || o.Clock.Sleep == nil {
		return nil, errors.New("simserver: want tasks and a clock")
	}
	if err := o.Faults.check(); err != nil {
		return nil, err
	}
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, encoding: encoding, prompts: counter{encoding: encoding}, faults: newInjector(o.Faults), mux: http.NewServeMux()}
	s.mux.HandleFunc("POST /v1/chat/completions", s.answering(s.answer))
	s.mux.HandleFunc("POST /v1/completions", s.answering(s.scores))
	if o.Embedder != nil {
		s.mux.HandleFunc("POST /v1/embeddings", s.answering(s.embeddings))
	}
	s.mux.HandleFunc("GET /v1/models", s.models)
	s.mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, s.Ledger()) })
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		(&apiError{status: http.StatusNotFound, Kind: "invalid_request_error", Message: "want POST /v1/chat/completions, POST /v1/completions or GET /v1/models, got " + r.Method + " " + r.URL.Path}).write(w)
	})
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Ledger says what was served and injected so far.
func (s *Server) Ledger() Ledger { return s.faults.read() }

// Models lists the ids of all models, without settings.
func (s *Server) Models() []string {
	var ids []string
	for task, language := range s.o.Languages {
		for _, mechanism := range sim.Mechanisms() {
			if (sim.Config{Mechanism: mechanism}).Plays(language) == nil {
				ids = append(ids, idOf(mechanism, task))
			}
		}
	}
	slices.Sort(ids)
	return ids
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		Owner   string `json:"owned_by"`
		Context int    `json:"max_model_len,omitempty"` // as vLLM states it
	}
	list := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{Object: "list"}
	for _, id := range s.Models() {
		list.Data = append(list.Data, entry{id, "model", s.o.Clock.Now().Unix(), "skillbench, " + sim.Served, s.o.Context})
	}
	if s.o.Embedder != nil {
		list.Data = append(list.Data, entry{s.o.Embedder.Name(), "model", s.o.Clock.Now().Unix(), "skillbench, " + sim.Served, s.o.Context})
	}
	writeJSON(w, http.StatusOK, list)
}

// An answerer answers a body, whose hash names the answer, or refuses it.
type answerer func(r *http.Request, body []byte, hash [32]byte) (*answer, *apiError)

func (s *Server) answering(with answerer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
		if err != nil {
			(&apiError{status: http.StatusRequestEntityTooLarge, Kind: "invalid_request_error", Message: err.Error()}).write(w)
			return
		}
		s.serve(w, r, body, with)
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, body []byte, with answerer) {
	hash := sha256.Sum256(body)
	f := s.faults.next(hash)
	if s.o.Latency > 0 && s.o.Clock.Sleep(r.Context(), s.o.Latency) != nil {
		return
	}
	a, refused := with(r, body, hash)
	switch {
	case f != nil && (a != nil || !f.needsAnswer()):
		s.spoil(w, r, f, a, hash)
	case refused != nil:
		s.faults.count(func(l *Ledger) { l.Refused++ })
		refused.write(w)
	default:
		s.faults.count(func(l *Ledger) { l.Replies++ })
		a.write(w)
	}
}

// writeJSON answers whole. A client that has gone is no concern of the server.
func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// An apiError is an error in OpenAI's form.
type apiError struct {
	status  int
	Message string  `json:"message"`
	Kind    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func (e *apiError) write(w http.ResponseWriter) {
	writeJSON(w, e.status, map[string]any{"error": e})
}

// badRequest blames one member of a request.
func badRequest(param, message string) *apiError {
	return &apiError{status: http.StatusBadRequest, Kind: "invalid_request_error", Message: message, Param: &param}
}
