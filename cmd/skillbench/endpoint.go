package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/cassette"
	"skillbench/harness/model/limit"
	"skillbench/harness/model/openai"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// models opens the models of a run: endpoints from model files, and around any
// model the limits of the run and the recording or replay of its exchanges.
type models struct {
	s      system
	record string // folder to record into; "" for none
	replay string // folder to answer from; "" for none

	mu      sync.Mutex
	notice  func(string)
	account *limit.Account
	rates   map[string]limit.Rates // by name of the model
	clients map[string]model.Model // by name: one for all tasks
	wrapped map[string]model.Model
	closers []func() error
}

func newModels(s system, record, replay string) *models {
	return &models{s: s, record: record, replay: replay, notice: func(string) {},
		rates: map[string]limit.Rates{}, clients: map[string]model.Model{}, wrapped: map[string]model.Model{}}
}

// say passes on a notice: a wait, and why.
func (m *models) say(text string) {
	m.mu.Lock()
	notice := m.notice
	m.mu.Unlock()
	notice(text)
}

// endpoint describes the model of a model file. It is opened later, and not at
// all where its replies are replayed.
func (m *models) endpoint(path string) (harness.Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return harness.Model{}, fmt.Errorf("%s: want sim:<name> or a model file: %w", path, pathless(err))
	}
	cfg, err := openai.Parse(path, data)
	if err != nil {
		return harness.Model{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rates[cfg.Name] = cfg.Limits
	return harness.Model{Name: cfg.Name, Kind: record.Real, Identity: cfg.Decoding(), Open: func(harness.Task) (model.Model, error) {
		if m.replay != "" {
			return nil, nil
		}
		return m.client(cfg, path)
	}}, nil
}

func (m *models) client(cfg openai.Config, path string) (model.Model, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.clients[cfg.Name]; ok {
		return c, nil
	}
	key := ""
	if cfg.KeyEnv != "" {
		if key = m.s.env(cfg.KeyEnv); key == "" {
			return nil, fmt.Errorf("%s: key_env: the environment variable %s is empty: export the key in it", path, cfg.KeyEnv)
		}
	}
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		return nil, err
	}
	c, err := openai.New(cfg, key, openai.Deps{
		Clock: model.Wall(), Jitter: rand.Float64, Proxy: http.ProxyFromEnvironment, Notice: m.say,
		Count: func(p prompt.Prompt) int { return encoding.Count(p.Text()) },
	})
	if err != nil {
		return nil, err
	}
	m.clients[cfg.Name] = c
	return c, nil
}

// wrap puts recording and limits, or replay, around an opened model.
func (m *models) wrap(described harness.Model, inner model.Model) (model.Model, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Simulated models differ by task; endpoints do not.
	if w, ok := m.wrapped[described.Name]; ok && described.Kind == record.Real {
		return w, nil
	}
	w, err := m.around(described, inner)
	if err == nil {
		m.wrapped[described.Name] = w
	}
	return w, err
}

func (m *models) around(described harness.Model, inner model.Model) (model.Model, error) {
	if m.replay != "" {
		player, err := cassette.Replay(tape(m.replay, described.Name), described.Identity)
		if err != nil {
			return nil, fmt.Errorf("--replay: %w", err)
		}
		m.closers = append(m.closers, player.Close)
		return player, nil
	}
	if m.record != "" {
		recorder, err := cassette.Record(inner, tape(m.record, described.Name), described.Identity)
		if err != nil {
			return nil, fmt.Errorf("--record: %w", err)
		}
		m.closers = append(m.closers, recorder.Close)
		inner = recorder
	}
	if m.account == nil && described.Kind != record.Real {
		return inner, nil
	}
	return limit.New(inner, limit.Options{Rates: m.rates[described.Name], Account: m.account, Clock: model.Wall(), Notice: m.say})
}

// tape is the cassette of a model.
func tape(dir, name string) string {
	keep := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-", r) {
			return r
		}
		return '_'
	}
	return filepath.Join(dir, strings.TrimLeft(strings.Map(keep, name), ".")+".jsonl")
}

// begin opens the account of a run, with what earlier sessions used.
func (m *models) begin(dir string, plan *harness.Plan, notice func(string)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notice = notice
	if m.record != "" {
		if err := os.MkdirAll(m.record, 0o755); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	if plan.Experiment.Limits == (limit.Budget{}) {
		return nil
	}
	spent, err := spentBefore(dir)
	if err != nil {
		return err
	}
	m.account, err = limit.NewAccount(plan.Experiment.Limits, spent, model.Wall())
	return err
}

func (m *models) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	for _, c := range m.closers {
		err = errors.Join(err, c())
	}
	return err
}

// spentBefore adds up what the journals of a run say was sent: attempts, and
// tokens as the provider counted them or else as counted here. Wall time of
// earlier sessions is written nowhere and starts anew.
func spentBefore(dir string) (limit.Spent, error) {
	var spent limit.Spent
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return spent, err
	}
	for _, c := range m.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return spent, err
		}
		err = r.Each(func(e journal.Event) error {
			if e.Call != nil {
				spent.Calls += 1 + len(e.Call.Failed)
				spent.Tokens += counted(e.Call.Usage, e.Call.Tokens, e.Call.Completion)
				for _, f := range e.Call.Failed {
					spent.Tokens += counted(f.Usage, 0, 0)
				}
			}
			return nil
		})
		if err != nil {
			return spent, err
		}
	}
	return spent, nil
}

func counted(u *record.Usage, prompt, completion int) int {
	if u != nil && u.Prompt != nil {
		prompt = *u.Prompt
	}
	if u != nil && u.Completion != nil {
		completion = *u.Completion
	}
	return prompt + completion
}
