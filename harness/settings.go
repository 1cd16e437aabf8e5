package harness

import (
	"fmt"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// Settings are the keys of a strategy in an experiment file. A strategy sets
// their defaults; the file overrides single ones, which is all that the
// ablation ladder needs.
type Settings struct {
	Order []Part `yaml:"order" json:"order"` // sections of the prompt; the contract always ends it

	// Σ and ⊕ (SPEC of the method: paper section 3).
	Merge    state.Merge `yaml:"merge" json:"merge,omitempty"`       // deep | shallow | replace
	Told     bool        `yaml:"told" json:"told,omitempty"`         // the contract states the merge rule
	Validate bool        `yaml:"validate" json:"validate,omitempty"` // refuse states that break the schema
	Commit   Commit      `yaml:"commit" json:"commit,omitempty"`     // before_action | after_accept
	Render   Render      `yaml:"render" json:"render,omitempty"`     // compact | indent2
	MaxChars int         `yaml:"state_max_chars" json:"state_max_chars,omitempty"`

	Retry  int               `yaml:"retry" json:"retry"`             // further attempts at a refused step
	Repair transition.Repair `yaml:"repair" json:"repair,omitempty"` // strict | lenient
	Wire   model.Wire        `yaml:"wire" json:"wire,omitempty"`     // fenced | json_schema | tool

	// The memory of memory, and the controls.
	Memory  MemoryMode `yaml:"memory" json:"memory,omitempty"`   // rewrite | append
	Recent  int        `yaml:"recent" json:"recent,omitempty"`   // turns that stay verbatim
	Fold    int        `yaml:"fold" json:"fold,omitempty"`       // turns folded into the summary at once
	Budget  Budget     `yaml:"budget" json:"budget,omitzero"`    // of the whole prompt
	Keep    int        `yaml:"keep" json:"keep,omitempty"`       // past observations shown in full (masked)
	Compact int        `yaml:"compact" json:"compact,omitempty"` // prompt tokens at which compacted rewrites

	Informer Informer `yaml:"informer" json:"informer,omitempty"` // ngrams | a model file: what judges the tokens that llmlingua prunes
}

// A Part names a section of the prompt in Settings.Order.
type Part string

const (
	PartInstructions Part = "instructions"
	PartState        Part = "state"
	PartSummary      Part = "summary"
	PartHistory      Part = "history"
	PartLedger       Part = "ledger"
	PartObservation  Part = "observation"
)

// Commit says when Σ changes: before the action runs (the paper), or only once
// the world has accepted it.
type Commit string

const (
	BeforeAction Commit = "before_action"
	AfterAccept  Commit = "after_accept"
)

// Render says how Σ is shown.
type Render string

const (
	Compact Render = "compact"
	Indent2 Render = "indent2"
)

// Text shows Σ.
func (r Render) Text(o state.Object) string {
	if r == Indent2 {
		return o.Indent()
	}
	return o.Compact()
}

// MemoryMode says what a summary call replaces: the whole summary, or nothing
// (its reply is appended).
type MemoryMode string

const (
	Rewrite MemoryMode = "rewrite"
	Append  MemoryMode = "append"
)

// An Informer names what judges how much a token tells: NGrams, or a model whose
// endpoint says how likely the tokens of a prompt are. A file names the model by
// its model file; the settings of a Column hold its name and all that shapes its
// answers, so that they are part of a cell's identity.
type Informer string

// NGrams is a trigram model that learns from the prompt's own texts.
const NGrams Informer = "ngrams"

// Title is what reports call it.
func (i Informer) Title() string {
	if !i.asked() {
		return ngrams.Name
	}
	name, _, _ := strings.Cut(string(i), identified)
	return name
}

// asked reports whether a model has to be asked.
func (i Informer) asked() bool { return i != "" && i != NGrams }

// identified parts the name of a model from what shapes its answers.
const identified = " {"

// informer is the Informer that a model is.
func informer(m Model) Informer { return Informer(m.Name + " " + string(m.Identity)) }

// A Budget bounds a whole prompt; zero means no bound. One of the two is set.
type Budget struct {
	Chars  int `yaml:"chars" json:"chars,omitempty"`
	Tokens int `yaml:"tokens" json:"tokens,omitempty"`
}

func (b Budget) check() error {
	if b.Chars > 0 && b.Tokens > 0 {
		return fmt.Errorf("budget: want either chars or tokens, got %d chars and %d tokens", b.Chars, b.Tokens)
	}
	return nil
}

// Stateful reports whether replies carry patches.
func (s Settings) Stateful() bool { return s.Merge != "" }

// Check reports the first impossible value as "key: want …, got …".
func (s Settings) Check() error {
	return firstError(
		oneOf("merge", s.Merge, "", state.Deep, state.Shallow, state.Replace),
		oneOf("commit", s.Commit, "", BeforeAction, AfterAccept),
		oneOf("render", s.Render, "", Compact, Indent2),
		oneOf("repair", s.Repair, "", transition.Strict, transition.Lenient),
		oneOf("wire", s.Wire, "", model.Fenced, model.JSONSchema, model.Tool),
		oneOf("memory", s.Memory, "", Rewrite, Append),
		s.checkOrder(),
		within("retry", s.Retry, 0, 10),
		within("recent", s.Recent, 0, 1000),
		within("fold", s.Fold, 0, 1000),
		within("keep", s.Keep, 0, 1000),
		within("compact", s.Compact, 0, 10_000_000),
		within("state_max_chars", s.MaxChars, 0, 10_000_000),
		within("budget.chars", s.Budget.Chars, 0, 10_000_000),
		within("budget.tokens", s.Budget.Tokens, 0, 10_000_000),
		s.Budget.check(),
	)
}

func (s Settings) checkOrder() error {
	seen := map[Part]bool{}
	for _, p := range s.Order {
		if err := oneOf("order", p, PartInstructions, PartState, PartSummary, PartHistory, PartLedger, PartObservation); err != nil {
			return err
		}
		if seen[p] {
			return fmt.Errorf("order: %q stands twice", p)
		}
		seen[p] = true
	}
	if !seen[PartInstructions] || !seen[PartObservation] {
		return fmt.Errorf("order: want at least instructions and observation, got %q", s.Order)
	}
	return nil
}

func oneOf[T ~string](key string, got T, want ...T) error {
	for _, w := range want {
		if got == w {
			return nil
		}
	}
	if len(want) > 0 && want[0] == "" {
		want = want[1:]
	}
	return fmt.Errorf("%s: want one of %q, got %q", key, want, got)
}

func within(key string, got, low, high int) error {
	if got < low || got > high {
		return fmt.Errorf("%s: want a whole number from %d to %d, got %d", key, low, high, got)
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
