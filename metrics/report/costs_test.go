package report_test

import (
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/metrics/money"
)

// Without a cache, money is tokens times price; with one it is never more,
// unless writing costs extra. What providers told stands beside it.
func TestMoneyFollowsFromTokens(t *testing.T) {
	t.Parallel()
	told := 30
	dir := play(t, strings.Replace(tiny, "[10]", "[30]", 1), func(r model.Request, reply record.Reply) (record.Reply, error) {
		if r.Agent == "react" {
			reply.Usage = &record.Usage{Cached: &told}
		}
		return reply, nil
	})
	out := written(t, dir)
	tokens, cost := table(t, out, "tables", "effective_tokens.csv"), table(t, out, "tables", "money.csv")
	saved := 0
	for _, p := range money.Shipped().Prices {
		if !p.Input.OK {
			continue
		}
		key := strings.NewReplacer("-", "_", ".", "_").Replace(p.Name)
		for _, agent := range []string{"react", "memory", "stateful", "skillstate"} {
			use, paid := row(t, tokens, "agent", agent), row(t, cost, "agent", agent)
			want := (count(t, use["prompt"])*p.Input.V + count(t, use["completion"])*p.Output.V) / 1e6
			near(t, agent+" at "+p.Name, paid[key+"__no_cache"], want)
			own, ok := p.Own()
			if !ok {
				if _, has := paid[key+"__own_cache"]; has {
					t.Errorf("%s has no known cache and a column for one", p.Name)
				}
				continue
			}
			if got := count(t, paid[key+"__own_cache"]); got < want-1e-6 {
				saved++
			} else if got > want+1e-6 && own.Kind != money.Explicit {
				t.Errorf("%s at %s: %f with a cache, %f without", agent, p.Name, got, want)
			}
		}
	}
	if saved == 0 {
		t.Error("want a cache that saves something")
	}
	if react := row(t, tokens, "agent", "react"); react["told_calls"] != "60" || react["told"] != "900" {
		t.Errorf("react: want 60 calls that told of 900 cached tokens, got %s and %s", react["told_calls"], react["told"])
	}
	if other := row(t, tokens, "agent", "memory"); other["told"] != "" {
		t.Errorf("memory: nothing was told, got %s", other["told"])
	}
}
