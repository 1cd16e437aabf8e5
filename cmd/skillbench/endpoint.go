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
	"skillbench/harness/config"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/cassette"
	"skillbench/harness/model/limit"
	"skillbench/harness/model/openai"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
	"skillbench/metrics/money"
)

// models opens the models of a run: endpoints from model files, and around any
// model the limits of the run and the recording or replay of its exchanges.
type models struct {
	s      system
	record string // folder to record into; "" for none
	replay string // folder to answer from; "" for none

	// offline stands for every endpoint; nil: they are asked.
	offline model.Model

	mu      sync.Mutex
	plan    *harness.Plan     // of the run that has begun
	files   map[string]string // that describe the models, by name of the model
	notice  func(string)
	account *limit.Account
	rates   map[string]limit.Rates // by name of the model
	prices  map[string]money.Price // by name of the model, where its file names one
	clients map[string]model.Model // by name: one for all tasks
	wrapped map[string]model.Model
	closers []func() error
}

func newModels(s system, record, replay string) *models {
	return &models{s: s, record: record, replay: replay, notice: func(string) {}, files: map[string]string{},
		rates: map[string]limit.Rates{}, prices: map[string]money.Price{}, clients: map[string]model.Model{}, wrapped: map[string]model.Model{}}
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
	data, err := config.ReadFile(path)
	if err != nil {
		return harness.Model{}, fmt.Errorf("%s: want sim:<name> or a model file: %w", path, pathless(err))
	}
	cfg, err := openai.Parse(path, data)
	if err != nil {
		return harness.Model{}, err
	}
	price, priced := money.Price{}, cfg.Price != ""
	if priced {
		if price, err = money.Shipped().Price(cfg.Price); err != nil {
			return harness.Model{}, atKey(path, data, err)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if other, ok := m.files[cfg.Name]; ok && other != path {
		return harness.Model{}, atKey(path, data, fmt.Errorf("name: %s is the name of the model in %s too; give one of them another", cfg.Name, other))
	}
	m.files[cfg.Name], m.rates[cfg.Name] = path, cfg.Limits
	if priced {
		m.prices[cfg.Name] = price
	}
	return harness.Model{Name: cfg.Name, Kind: record.Real, Identity: cfg.Decoding(), Open: func(harness.Task) (model.Model, error) {
		switch {
		case m.replay != "":
			return nil, nil
		case m.offline != nil:
			return m.offline, nil
		}
		return m.client(cfg, path)
	}}, nil
}

// atKey places an error whose text begins with a key of a file that parses.
func atKey(path string, data []byte, err error) error {
	n, bad := config.Parse(path, data)
	if bad != nil {
		return bad
	}
	return n.At(err)
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
	if m.offline != nil {
		return inner, nil
	}
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
	return limit.New(inner, limit.Options{Rates: m.rates[described.Name], Account: m.account, Clock: model.Wall(), Notice: m.say, Price: m.price(described)})
}

// price is what a call costs; nil where that is not known. Simulated models
// cost nothing.
func (m *models) price(described harness.Model) func(record.Usage) float64 {
	if described.Kind != record.Real {
		return func(record.Usage) float64 { return 0 }
	}
	p, ok := m.prices[described.Name]
	if !ok || !p.Input.OK || !p.Output.OK {
		return nil
	}
	return p.Told
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
	m.notice, m.plan = notice, plan
	if m.record != "" {
		if err := os.MkdirAll(m.record, 0o755); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	if plan.Experiment.Limits == (limit.Budget{}) {
		return nil
	}
	if err := m.checkPrices(plan); err != nil {
		return err
	}
	spent, err := m.spentBefore(dir)
	if err != nil {
		return err
	}
	m.account, err = limit.NewAccount(plan.Experiment.Limits, spent, model.Wall())
	return err
}

// checkPrices wants a price, all in one currency, of every model whose calls a
// budget of money counts.
func (m *models) checkPrices(plan *harness.Plan) error {
	if plan.Experiment.Limits.Money == 0 {
		return nil
	}
	currency := ""
	for _, described := range plan.Callees() {
		if described.Kind != record.Real {
			continue
		}
		p, ok := m.prices[described.Name]
		switch {
		case !ok:
			return fmt.Errorf("limits.money: model %s has no price: name an entry of the price file in its model file, as in price: %s", described.Name, money.Shipped().Prices[0].Name)
		case !p.Input.OK || !p.Output.OK:
			return fmt.Errorf("limits.money: the price file has no input or output price for %s", p.Name)
		case currency != "" && p.Currency != currency:
			return fmt.Errorf("limits.money: prices in %s and %s do not add up: run the models apart", currency, p.Currency)
		}
		currency = p.Currency
	}
	return nil
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
// tokens as the provider counted them or else as counted here, and their price.
// Wall time of earlier sessions is written nowhere and starts anew.
func (m *models) spentBefore(dir string) (limit.Spent, error) {
	var spent limit.Spent
	manifest, err := journal.ReadManifest(dir)
	if err != nil {
		return spent, err
	}
	for _, c := range manifest.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return spent, err
		}
		err = r.Each(func(e journal.Event) error {
			if e.Call != nil {
				spent = m.plus(spent, c, e.Call.Purpose, usages(*e.Call))
			}
			if e.End != nil { // at a call of a step, as far as it is known
				spent = m.plus(spent, c, record.ForStep, failures(e.End.Failed))
			}
			return nil
		})
		if err != nil {
			return spent, err
		}
	}
	return spent, nil
}

// plus adds attempts at a call.
func (m *models) plus(s limit.Spent, c record.Cell, p record.Purpose, attempts []record.Usage) limit.Spent {
	price, priced := m.priceOf(c, p)
	s.Calls += len(attempts)
	for _, u := range attempts {
		s.Tokens += *u.Prompt + *u.Completion
		if priced {
			s.Money += price.Told(u)
		}
	}
	return s
}

// paid is what a call and its failed attempts cost, and the currency, "" where
// the price is not known.
func (m *models) paid(c record.Cell, call journal.Call) (amount float64, currency string) {
	m.mu.Lock()
	price, ok := m.priceOf(c, call.Purpose)
	m.mu.Unlock()
	if !ok {
		return 0, ""
	}
	for _, u := range usages(call) {
		amount += price.Told(u)
	}
	return amount, price.Currency
}

// priceOf is the price of the model that answers a cell's calls of a purpose.
func (m *models) priceOf(c record.Cell, p record.Purpose) (money.Price, bool) {
	name := c.Model
	if callee := m.plan.Callee(c, p); callee != nil {
		name = callee.Name
	}
	price, ok := m.prices[name]
	return price, ok
}

// usages are what the attempts at a call used, as far as it is known.
func usages(c journal.Call) []record.Usage {
	return append(failures(c.Failed), counted(c.Usage, c.Tokens, c.Completion))
}

func failures(failed []record.Failure) []record.Usage {
	all := make([]record.Usage, 0, len(failed)+1)
	for _, f := range failed {
		all = append(all, counted(f.Usage, 0, 0))
	}
	return all
}

// counted is a usage with both counts, those taken here where the provider
// gives none.
func counted(u *record.Usage, prompt, completion int) record.Usage {
	var all record.Usage
	if u != nil {
		all = *u
	}
	if all.Prompt == nil {
		all.Prompt = &prompt
	}
	if all.Completion == nil {
		all.Completion = &completion
	}
	return all
}
