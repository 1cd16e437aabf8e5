package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"skillbench/harness/config"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/model/simserver"
	"skillbench/tasks/skills/rank"
)

// simServerFlags are the flags of `skillbench sim-server`.
type simServerFlags struct {
	addr    string
	tasks   []string
	faults  string
	latency time.Duration
	context int
}

func simServerCommand(s system) *cobra.Command {
	var f simServerFlags
	c := &cobra.Command{
		Use:   "sim-server",
		Short: "Serve the simulated models as an OpenAI-compatible endpoint",
		Long: `Sim-server answers POST /v1/chat/completions with the simulated models, as a
real endpoint would: usage, tools, json_schema, streams, errors. A run against
it gives the same cells.csv as the embedded models, names of models aside, and
costs nothing: use it to try model files, limits and recovery from faults.
POST /v1/completions with echo and logprobs repeats a prompt with what the
built-in trigrams say of its tokens, as an informer of llmlingua needs it.
POST /v1/embeddings answers with the vectors of model trigrams-1024, those of
embed_threshold without a file: try skills embed with it. A run with the file
takes the rules for trained embedders; those of trigrams are
rules: {threshold: 0.22, floor: 0.2, margin: 0.002}.

The id of a model carries its settings:
  sim:<mechanism>/<task>?verbosity=300&guess=abstain&strength=0.5&restates=true&seed=3

A fault script (YAML) spoils calls. Each rule falls on calls by number (at),
each n-th (every) or a share of them (rate), and names its fault: status, error,
html, text, empty, no_choices, garbage, trailing, cut, short, reset, hang, slow
or reply:
  seed: 1
  in_a_row: 3
  rules:
    - {rate: 0.2, fault: status, status: 429, retry_after: 2}
    - {rate: 0.1, fault: cut, after: 200}
GET /ledger says what was served and what was spoilt.

It listens on loopback only, asks for no key, and stops at Ctrl-C.`,
		Example: "  skillbench sim-server --addr 127.0.0.1:8099 --faults faults.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("want no arguments, got %q", args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return simServer(c.Context(), s, f) },
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "loopback address and port; port 0 takes a free one")
	c.Flags().StringArrayVar(&f.tasks, "task", nil, "task to serve models of; may be repeated (default: all)")
	c.Flags().StringVar(&f.faults, "faults", "", "fault script")
	c.Flags().DurationVar(&f.latency, "latency", 0, "wait before every answer, such as 200ms")
	c.Flags().IntVar(&f.context, "context", 0, "tokens that prompt and reply may have together (default: no limit)")
	return c
}

func simServer(ctx context.Context, s system, f simServerFlags) error {
	o, err := simServerOptions(f)
	if err != nil {
		return err
	}
	handler, err := simserver.New(o)
	if err != nil {
		return err
	}
	listener, err := listenLoopback(f.addr)
	if err != nil {
		return err
	}
	invite(s, "http://"+listener.Addr().String(), handler.Models())
	if err := serveUntil(ctx, s.interrupts, listener, handler); err != nil {
		return err
	}
	l := handler.Ledger()
	spoilt := l.Calls - l.Replies - l.Refused
	fmt.Fprintf(s.stdout, "stopped after %s: %d answered, %d refused, %d spoilt or broken off\n", numbered(int(l.Calls), "call"), l.Replies, l.Refused, spoilt)
	return nil
}

func simServerOptions(f simServerFlags) (simserver.Options, error) {
	o := simserver.Options{Languages: map[string]sim.Language{}, Embedder: rank.Trigrams{}, Latency: f.latency, Context: f.context, Clock: model.Wall()}
	if f.latency < 0 || f.context < 0 {
		return o, errors.New("--latency and --context want values that are not negative")
	}
	var names []string
	for _, t := range kit(nil).Tasks {
		names = append(names, t.Name)
		if t.Language != nil && (len(f.tasks) == 0 || slices.Contains(f.tasks, t.Name)) {
			o.Languages[t.Name] = t.Language
		}
	}
	for _, t := range f.tasks {
		if o.Languages[t] == nil {
			return o, fmt.Errorf("--task: want one of %q, got %q", names, t)
		}
	}
	if f.faults == "" {
		return o, nil
	}
	data, err := config.ReadFile(f.faults)
	if err != nil {
		return o, fmt.Errorf("%s: cannot read the fault script: %w", f.faults, pathless(err))
	}
	o.Faults, err = simserver.ParseScript(f.faults, data)
	return o, err
}

// listenLoopback refuses addresses that other machines could reach.
func listenLoopback(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr: want an address such as 127.0.0.1:8099, got %q", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--addr: want a loopback address (127.0.0.1, ::1 or localhost), got %q: the server asks for no key", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--addr: %w", err)
	}
	return l, nil
}

func invite(s system, url string, ids []string) {
	fmt.Fprintf(s.stdout, "serving simulated models at %s/v1\n", url)
	for _, id := range ids {
		fmt.Fprintf(s.stdout, "  %s\n", id)
	}
	fmt.Fprintf(s.stdout, "a model file for it:\n  base_url: %s/v1\n  model: %s?verbosity=300\n", url, ids[len(ids)-1])
	fmt.Fprintf(s.stdout, "what was served and spoilt: %s/ledger\nCtrl-C stops it\n", url)
}

// serveUntil serves until an interrupt or the end of the context. Requests in
// flight are broken off.
func serveUntil(ctx context.Context, interrupts <-chan os.Signal, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	over := make(chan error, 1)
	go func() { over <- server.Serve(l) }()
	select {
	case err := <-over:
		return err
	case <-interrupts:
	case <-ctx.Done():
	}
	err := server.Close()
	if served := <-over; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
