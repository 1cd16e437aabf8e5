package money

import (
	"fmt"
	"net/url"
	"time"

	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// A Price is what a provider asked for a model on a day, per million tokens. A
// figure that could not be found is absent.
type Price struct {
	Name, Provider, Currency               string
	Input, CachedInput, CacheWrite, Output stats.Value
	Source, Date, Note                     string
	Cache                                  Cache
}

// A Cache is how the provider's cache works, as far as its pages say. Policy is
// "" where they say nothing.
type Cache struct {
	Policy               Kind
	Minimum, Granularity stats.Value // tokens
	Seconds              stats.Value // lifetime of an entry without use
	Source, Date         string
}

// Own is the provider's own way of caching, priced as the provider does. An
// unknown minimum counts as none, which is the most that can be saved. It is
// false where the provider caches in no known way or a price is missing.
func (p Price) Own() (Policy, bool) {
	own := Policy{Name: p.Name, Kind: p.Cache.Policy, Minimum: int(p.Cache.Minimum.V), Granularity: int(p.Cache.Granularity.V), AcrossEpisodes: p.Cache.Policy == PrefixAuto}
	if p.Cache.Policy == "" || !p.Input.OK || p.Input.V == 0 || !p.CachedInput.OK || p.Cache.Policy == Explicit && !p.CacheWrite.OK {
		return own, false
	}
	own.Read, own.Write = p.CachedInput.V/p.Input.V, p.CacheWrite.V/p.Input.V
	return own, true
}

// Cost is what a usage would cost under a policy, in the price's currency.
func (p Price) Cost(policy Policy, u Usage, hit float64) stats.Value {
	prompt := policy.Effective(u, hit)
	if !prompt.OK || !p.Input.OK || !p.Output.OK {
		return stats.Value{}
	}
	return stats.Of((prompt.V*p.Input.V + float64(u.Completion)*p.Output.V) / 1e6)
}

// Told is the cost of a call as a provider counted it. Cached tokens that it
// does not tell of, or has no price for, are paid in full. Both counts must be
// known.
func (p Price) Told(u record.Usage) float64 {
	cached := 0
	if u.Cached != nil && p.CachedInput.OK {
		cached = min(max(0, *u.Cached), *u.Prompt)
	}
	return (float64(*u.Prompt-cached)*p.Input.V + float64(cached)*p.CachedInput.V + float64(*u.Completion)*p.Output.V) / 1e6
}

// priceEntry is a price in the file.
type priceEntry struct {
	Name        string      `yaml:"name"`
	Provider    string      `yaml:"provider"`
	Currency    string      `yaml:"currency"`
	Input       *float64    `yaml:"input"`
	CachedInput *float64    `yaml:"cached_input"`
	CacheWrite  *float64    `yaml:"cache_write"`
	Output      *float64    `yaml:"output"`
	Source      string      `yaml:"source"`
	Date        string      `yaml:"date"`
	Note        string      `yaml:"note"`
	Cache       *cacheEntry `yaml:"cache"`
}

type cacheEntry struct {
	Policy      Kind     `yaml:"policy"`
	Minimum     *float64 `yaml:"minimum"`
	Granularity *float64 `yaml:"granularity"`
	Seconds     *float64 `yaml:"lifetime_seconds"`
	Source      string   `yaml:"source"`
	Date        string   `yaml:"date"`
}

// needed are the keys that must stand in an entry, null where nothing was
// found, so that nothing is left out by oversight.
var (
	neededPrice = []string{"name", "provider", "currency", "input", "cached_input", "cache_write", "output", "source", "date", "cache"}
	neededCache = []string{"policy", "minimum", "granularity", "lifetime_seconds", "source", "date"}
)

func (e priceEntry) price() Price {
	p := Price{Name: e.Name, Provider: e.Provider, Currency: e.Currency, Source: e.Source, Date: e.Date, Note: e.Note,
		Input: value(e.Input), CachedInput: value(e.CachedInput), CacheWrite: value(e.CacheWrite), Output: value(e.Output)}
	if c := e.Cache; c != nil {
		p.Cache = Cache{c.Policy, value(c.Minimum), value(c.Granularity), value(c.Seconds), c.Source, c.Date}
	}
	return p
}

func value(f *float64) stats.Value {
	if f == nil {
		return stats.Value{}
	}
	return stats.Of(*f)
}

func (p Price) check() error {
	if p.Name == "" {
		return fmt.Errorf("name: want a name, got none")
	}
	for _, v := range []struct {
		key   string
		value stats.Value
		most  float64
	}{
		{"input", p.Input, 1e6}, {"cached_input", p.CachedInput, 1e6}, {"cache_write", p.CacheWrite, 1e6}, {"output", p.Output, 1e6},
		{"cache.minimum", p.Cache.Minimum, maxTokens}, {"cache.granularity", p.Cache.Granularity, maxTokens}, {"cache.lifetime_seconds", p.Cache.Seconds, 1e9},
	} {
		if v.value.OK && !(v.value.V >= 0 && v.value.V <= v.most) {
			return fmt.Errorf("%s: want null or 0 to %g, got %g", v.key, v.most, v.value.V)
		}
	}
	if p.Input.OK && p.CachedInput.OK && p.CachedInput.V > p.Input.V {
		return fmt.Errorf("cached_input: want at most the input price %g, got %g", p.Input.V, p.CachedInput.V)
	}
	if k := p.Cache.Policy; k != "" && k != PrefixAuto && k != Explicit && k != None {
		return fmt.Errorf("cache.policy: want none, prefix_auto, explicit or null, got %q", k)
	}
	return p.checkSources()
}

// checkSources wants a source and a day for whatever is stated.
func (p Price) checkSources() error {
	if p.Input.OK || p.Output.OK || p.CachedInput.OK || p.CacheWrite.OK {
		if len(p.Currency) != 3 {
			return fmt.Errorf("currency: want three letters such as USD, got %q", p.Currency)
		}
		if err := sourced("", p.Source, p.Date); err != nil {
			return err
		}
	}
	if p.Cache.Policy != "" || p.Cache.Minimum.OK || p.Cache.Granularity.OK || p.Cache.Seconds.OK {
		return sourced("cache.", p.Cache.Source, p.Cache.Date)
	}
	return nil
}

func sourced(at, source, date string) error {
	if u, err := url.Parse(source); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return fmt.Errorf("%ssource: want the address of the page that says so, got %q", at, source)
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return fmt.Errorf("%sdate: want a day such as 2026-10-27, got %q", at, date)
	}
	return nil
}
