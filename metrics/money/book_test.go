package money_test

import (
	"strings"
	"testing"

	"skillbench/metrics/money"
)

const goodPrice = `prices:
  - name: m
    provider: p
    currency: USD
    input: 1
    cached_input: 0.1
    cache_write: null
    output: 5
    source: https://example.org/prices
    date: 2026-10-01
    cache: null
`

func TestShipped(t *testing.T) {
	t.Parallel()
	b := money.Shipped()
	if len(b.Prices) < 5 || len(b.Policies) < 3 {
		t.Fatalf("%d prices, %d policies", len(b.Prices), len(b.Policies))
	}
	for _, p := range b.Prices {
		if _, err := b.Price(p.Name); err != nil {
			t.Error(err)
		}
		if own, ok := p.Own(); ok && (own.Read > 1 || own.Kind == money.Explicit && own.Write < 1) {
			t.Errorf("%s: own policy %+v", p.Name, own)
		}
	}
	names := map[string]bool{}
	for _, p := range b.All() {
		if names[p.Name] {
			t.Errorf("policy %s stands twice", p.Name)
		}
		names[p.Name] = true
	}
}

func TestHostilePriceFiles(t *testing.T) {
	t.Parallel()
	if _, err := money.Parse("p.yaml", []byte(goodPrice)); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string][2]string{
		"p.yaml:5: input: want null or 0 to 1e+06, got -1":            {"input: 1\n", "input: -1\n"},
		`p.yaml:5: input: want a number, got "NaN"`:                   {"input: 1\n", "input: NaN\n"},
		`p.yaml:5: input: want a number, got "1e999"`:                 {"input: 1\n", "input: 1e999\n"},
		"p.yaml:6: cached_input: want at most the input price 1":      {"cached_input: 0.1", "cached_input: 2"},
		"p.yaml:2: output: missing; write null where nothing was":     {"    output: 5\n", ""},
		"p.yaml:9: source: want the address of the page":              {"https://example.org/prices", "I remember it"},
		"p.yaml:10: date: want a day such as":                         {"2026-10-01", "last spring"},
		"p.yaml:12: currnecy: unknown key":                            {"cache: null", "cache: null\n    currnecy: EUR"},
		"p.yaml:4: currency: want three letters":                      {"USD", "dollars"},
		"p.yaml:2: name: want a name":                                 {"name: m", "name: null"},
		"p.yaml:12: minimum: missing":                                 {"cache: null", "cache:\n      policy: prefix_auto"},
		"p.yaml:12: name: m stands twice":                             {"    cache: null\n", "    cache: null\n" + strings.TrimPrefix(goodPrice, "prices:\n")},
		`p.yaml:12: cache.policy: want none, prefix_auto, explicit`:   {"cache: null", "cache:\n      policy: magic\n      minimum: null\n      granularity: null\n      lifetime_seconds: null\n      source: null\n      date: null"},
		"p.yaml:1: hit_rates: want shares from 0 to 1, got 2":         {"prices:", "hit_rates: [2]\nprices:"},
		"p.yaml:1: kind: want none, prefix_auto or explicit, got":     {"prices:", "policies: [{name: x, kind: y}]\nprices:"},
		"p.yaml:1: read: want a share of the input price from 0 to 1": {"prices:", "policies: [{name: x, kind: explicit, read: 7}]\nprices:"},
		"p.yaml:2: name: x stands twice":                              {"prices:", "policies: [{name: x, kind: none},\n {name: x, kind: none}]\nprices:"},
		"p.yaml:1: minimum: want 0 to 10000000 tokens, got -1":        {"prices:", "policies: [{name: x, kind: none, minimum: -1}]\nprices:"},
		"p.yaml:2: want keys and values":                              {"  - name: m\n", "  - 7\n  - name: m\n"},
	} {
		text := strings.Replace(goodPrice, change[0], change[1], 1)
		if _, err := money.Parse("p.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s…\n%s", err, want, text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(goodPrice)
	f.Add("policies: [{name: x}]")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := money.Parse("p.yaml", []byte(text))
		if err != nil && strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("an error of more than one line: %q", err)
		}
		if err == nil {
			b.All()
		}
	})
}
