package money_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/metrics/money"
	"skillbench/metrics/stats"
)

// growing is an episode of three calls whose prompts grow by 1,000 tokens and
// share all but the last 100 of the one before.
var growing = []money.Call{
	{Prompt: 2000, Completion: 50},
	{Prompt: 3000, Completion: 50, Common: []money.Common{{Ago: 1, Tokens: 1900}}},
	{Prompt: 4000, Completion: 50, Common: []money.Common{{Ago: 1, Tokens: 2900}}},
}

var (
	none     = money.Policy{Name: "none", Kind: money.None}
	auto     = money.Policy{Name: "auto", Kind: money.PrefixAuto, Minimum: 1024, Granularity: 128, Read: 0.1}
	explicit = money.Policy{Name: "explicit", Kind: money.Explicit, Minimum: 1024, Read: 0.1, Write: 1.25}
)

func TestUsageByHand(t *testing.T) {
	t.Parallel()
	late := auto
	late.Minimum = 2000
	for name, test := range map[string]struct {
		policy money.Policy
		want   money.Usage
	}{
		"none": {none, money.Usage{Calls: 3, Prompt: 9000, Completion: 150}},
		// 1,900 is 14 times 128 and 108 more; 2,900 is 22 times 128 and 84 more.
		"auto":    {auto, money.Usage{Calls: 3, Prompt: 9000, Completion: 150, Read: 1792 + 2816}},
		"minimum": {late, money.Usage{Calls: 3, Prompt: 9000, Completion: 150, Read: 2816}},
		// The first call writes 1,900; the second reads them and writes 1,000 more.
		"explicit": {explicit, money.Usage{Calls: 3, Prompt: 9000, Completion: 150, Read: 4800, Written: 2900}},
	} {
		if got := test.policy.Usage(growing); got != test.want {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
	}
}

func TestCostByHand(t *testing.T) {
	t.Parallel()
	price := money.Price{Input: stats.Of(1), CachedInput: stats.Of(0.1), CacheWrite: stats.Of(1.25), Output: stats.Of(5)}
	for _, test := range []struct {
		policy money.Policy
		hit    float64
		want   float64 // per million
	}{
		{none, 1, 9000 + 750},
		{auto, 1, 9000 - 4608 + 460.8 + 750},
		{auto, 0.5, 9000 - 2304 + 230.4 + 750},
		{auto, 0, 9000 + 750},
		{explicit, 1, 9000 - 4800 - 2900 + 480 + 3625 + 750},
		{explicit, 0, 9000 - 7700 + 1.25*7700 + 750},
	} {
		got := price.Cost(test.policy, test.policy.Usage(growing), test.hit)
		if !got.OK || math.Abs(got.V*1e6-test.want) > 1e-6 {
			t.Errorf("%s at hit %g: got %v, want %g", test.policy.Name, test.hit, got.V*1e6, test.want)
		}
	}
	if got := (money.Price{Input: stats.Of(1)}).Cost(none, money.Usage{Prompt: 1}, 1); got.OK {
		t.Errorf("without an output price: got %v, want none", got)
	}
	if got := price.Cost(auto, money.Usage{}, 1.5); got.OK {
		t.Errorf("hit rate 1.5: got %v, want none", got)
	}
}

func TestLifetimeAndEpisodes(t *testing.T) {
	t.Parallel()
	calls := []money.Call{
		{Prompt: 100, Common: []money.Common{{Ago: 0, Tokens: 40}}},
		{Prompt: 50},
		{Prompt: 200, Common: []money.Common{{Ago: 1, Tokens: 10}, {Ago: 2, Tokens: 90}}},
	}
	p := money.Policy{Kind: money.PrefixAuto}
	for _, test := range []struct {
		lifetime int
		across   bool
		want     int
	}{{0, false, 90}, {0, true, 130}, {1, false, 10}, {2, false, 90}} {
		p.LifetimeCalls, p.AcrossEpisodes = test.lifetime, test.across
		if got := p.Usage(calls).Read; got != test.want {
			t.Errorf("lifetime %d, across %t: read %d, want %d", test.lifetime, test.across, got, test.want)
		}
	}
}

func drawCalls(rt *rapid.T) []money.Call {
	n := rapid.IntRange(0, 12).Draw(rt, "calls")
	calls := make([]money.Call, n)
	for i := range calls {
		calls[i] = money.Call{Prompt: rapid.IntRange(0, 5000).Draw(rt, "prompt"), Completion: rapid.IntRange(0, 500).Draw(rt, "completion")}
		for range rapid.IntRange(0, 2).Draw(rt, "common") {
			ago, most := rapid.IntRange(0, i).Draw(rt, "ago"), 6000
			if ago > 0 { // two prompts share no more than the shorter one has
				most = min(calls[i-ago].Prompt, calls[i].Prompt)
			}
			calls[i].Common = append(calls[i].Common, money.Common{Ago: ago, Tokens: rapid.IntRange(0, most).Draw(rt, "tokens")})
		}
	}
	return calls
}

func TestPoliciesKeepTheirBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := money.Policy{
			Kind: rapid.SampledFrom([]money.Kind{money.PrefixAuto, money.Explicit}).Draw(rt, "kind"), Minimum: rapid.IntRange(0, 2000).Draw(rt, "minimum"),
			Granularity: rapid.IntRange(0, 300).Draw(rt, "granularity"), Read: rapid.Float64Range(0, 1).Draw(rt, "read"), Write: 1,
			LifetimeCalls: rapid.IntRange(0, 3).Draw(rt, "lifetime"), AcrossEpisodes: rapid.Bool().Draw(rt, "across"),
		}
		calls := drawCalls(rt)
		u := p.Usage(calls)
		if u.Read < 0 || u.Written < 0 || u.Read > u.Prompt {
			rt.Fatalf("read %d and written %d of %d", u.Read, u.Written, u.Prompt)
		}
		plain := none.Usage(calls)
		whole := none.Effective(plain, 1)
		if got := p.Effective(u, 0); math.Abs(got.V-whole.V) > 1e-6*(1+whole.V) {
			rt.Fatalf("at hit 0: got %g, want %g as without a cache", got.V, whole.V)
		}
		last := math.Inf(1)
		for _, hit := range []float64{0, 0.3, 0.7, 1} {
			got := p.Effective(u, hit)
			if !got.OK || got.V > last+1e-6 || got.V < -1e-9 {
				rt.Fatalf("at hit %g: got %v after %g", hit, got, last)
			}
			last = got.V
		}
	})
}

func TestToldCost(t *testing.T) {
	t.Parallel()
	price := money.Price{Input: stats.Of(1), CachedInput: stats.Of(0.1), Output: stats.Of(5)}
	for _, test := range []struct {
		cached *int
		want   float64
	}{{nil, 1500}, {new(400), 1500 - 360}, {new(5000), 1500 - 900}, {new(-3), 1500}} {
		got := price.Told(record.Usage{Prompt: new(1000), Completion: new(100), Cached: test.cached}) * 1e6
		if math.Abs(got-test.want) > 1e-6 {
			t.Errorf("got %g, want %g", got, test.want)
		}
	}
}
