// Package paper holds the published figures of "SKILL.state: Scalable
// Long-Horizon Agent Skills" (arXiv:2608.26263, CC BY 4.0) and independent
// re-measurements, and computes what the published tables say about
// themselves. It compares nothing with runs of this program.
package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"sync"

	"gopkg.in/yaml.v3"
)

//go:embed tables.yaml
var tablesYAML []byte

//go:embed replications.yaml
var replicationsYAML []byte

// Meta is what the paper says about all its tables.
type Meta struct {
	Arxiv    string `yaml:"arxiv"`
	Decoding struct {
		Temperature float64 `yaml:"temperature"`
		TopP        float64 `yaml:"top_p"`
	} `yaml:"decoding"`
	Seeds        int      `yaml:"seeds"`
	Significance string   `yaml:"significance"`
	Headline     Headline `yaml:"headline"`
}

// Headline is the token saving that the abstract claims.
type Headline struct {
	Task                   string  `yaml:"task"`
	Horizon                int     `yaml:"horizon"`
	StatefulOverSkillstate float64 `yaml:"stateful_over_skillstate_tokens"`
}

// Taxonomy is the paper's break-down of patch errors (section 5.7): shares of
// all errors, each from 0 to 1.
type Taxonomy struct {
	Model   string             `yaml:"model"`
	Task    string             `yaml:"task"`
	Horizon int                `yaml:"horizon"`
	Shares  map[string]float64 `yaml:"shares"`
}

type publication struct {
	Meta     Meta             `yaml:"meta"`
	Taxonomy Taxonomy         `yaml:"error_taxonomy"`
	Tables   map[string]Table `yaml:",inline"`
}

// The data are part of the program: that they parse is this package's test, so
// a caller need not handle it.
var (
	published = sync.OnceValue(func() publication {
		p, err := parseTables(tablesYAML)
		if err != nil {
			panic(err)
		}
		return p
	})
	remeasured = sync.OnceValue(func() []Replication {
		r, err := parseReplications(replicationsYAML)
		if err != nil {
			panic(err)
		}
		return r
	})
)

func parseTables(data []byte) (publication, error) {
	var p publication
	if err := decode(data, &p); err != nil {
		return p, fmt.Errorf("tables.yaml: %w", err)
	}
	for name, t := range p.Tables {
		t.Name = name
		if err := t.check(); err != nil {
			return p, fmt.Errorf("tables.yaml: %s: %w", name, err)
		}
		p.Tables[name] = t
	}
	return p, nil
}

func parseReplications(data []byte) ([]Replication, error) {
	var out []Replication
	if err := decode(data, &out); err != nil {
		return nil, fmt.Errorf("replications.yaml: %w", err)
	}
	for _, r := range out {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("replications.yaml: %s: %w", r.By, err)
		}
	}
	return out, nil
}

func decode(data []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	return d.Decode(into)
}

// About returns what the paper says about all its tables.
func About() Meta { return published().Meta }

// ErrorTaxonomy returns the published shares of patch errors.
func ErrorTaxonomy() Taxonomy {
	t := published().Taxonomy
	t.Shares = maps.Clone(t.Shares)
	return t
}

// Tables returns the published tables by name: "table1" to "table11". Their
// rows are shared by all callers and must not be changed.
func Tables() map[string]Table { return maps.Clone(published().Tables) }

// Replications returns the re-measurements in file order. Their environments
// are their own rebuilds: compare directions and orders of magnitude. Rows are
// shared by all callers and must not be changed.
func Replications() []Replication { return append([]Replication(nil), remeasured()...) }
