package report_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/record"
)

func count(t testing.TB, field string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(field, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Half of the calls say how much was cached, none how much was thought.
func TestUnknownUsageIsNotZero(t *testing.T) {
	t.Parallel()
	prompt, completion, cached := 100, 7, 40
	dir := play(t, tiny, func(r model.Request, reply record.Reply) (record.Reply, error) {
		if r.Agent == "react" {
			reply.Usage = &record.Usage{Prompt: &prompt, Completion: &completion}
			if r.Step%2 == 0 {
				reply.Usage.Cached = &cached
			}
		}
		return reply, nil
	})
	rows := table(t, written(t, dir), "tables", "tokens_by_purpose.csv")
	react := row(t, rows, "agent", "react", "purpose", "step")
	for column, want := range map[string]string{"calls": "20", "usage_calls": "20", "usage_prompt": "2000", "usage_completion": "140", "usage_cached": "400", "usage_reasoning": ""} {
		if react[column] != want {
			t.Errorf("react %s: want %q, got %q", column, want, react[column])
		}
	}
	if other := row(t, rows, "agent", "skillstate", "purpose", "step"); other["usage_prompt"] != "" || other["usage_calls"] != "0" {
		t.Errorf("skillstate: want no usage, got %v", other)
	}
}

// Tokens by purpose add up to the totals, summaries and retries included.
func TestPurposesAddUp(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, tiny, sometimesWrong))
	rows := table(t, out, "tables", "tokens_by_purpose.csv")
	for _, total := range table(t, out, "tables", "total_tokens.csv") {
		sum, purposes := 0.0, 0
		for _, r := range rows {
			if r["agent"] == total["agent"] {
				sum += count(t, r["prompt"]) + count(t, r["completion"])
				purposes++
			}
		}
		if want := 2 * count(t, total["total_tokens"]); sum != want {
			t.Errorf("%s: want %g, got %g", total["agent"], want, sum)
		}
		if total["agent"] == "memory" && purposes != 3 {
			t.Errorf("memory: want steps, retries and summaries, got %d purposes", purposes)
		}
	}
}

// Calls for scores stand in a line of their own and in the totals; nobody wrote a
// reply to them, and no budget bounds what is read for them.
func TestScoresAreCountedApart(t *testing.T) {
	t.Parallel()
	experiment := strings.NewReplacer("[sim:perfect]", "[acting]",
		"[react, memory, stateful, skillstate]", "[skillstate, llmlingua, {base: llmlingua, name: asking, informer: real, budget: {chars: 1100}}]").Replace(tiny)
	dir := play(t, experiment, func(r model.Request, reply record.Reply) (record.Reply, error) {
		reply.Served = "gpt"
		if r.Form == model.Scores {
			return record.Reply{Text: ngrams.Judge(r.Prompt).String(), Served: "simulated", Usage: &record.Usage{Prompt: new(70), Completion: new(1)}}, nil
		}
		return reply, nil
	})
	out := written(t, dir)
	rows := table(t, out, "tables", "tokens_by_purpose.csv")
	scores := row(t, rows, "agent", "asking", "purpose", "scores")
	for column, want := range map[string]string{"calls": "20", "completion": "0", "usage_calls": "20", "usage_prompt": "1400", "usage_completion": "20"} {
		if scores[column] != want {
			t.Errorf("%s: want %s, got %s", column, want, scores[column])
		}
	}
	steps := row(t, rows, "agent", "asking", "purpose", "step")
	total := row(t, table(t, out, "tables", "total_tokens.csv"), "agent", "asking")
	if got, want := 2*count(t, total["total_tokens"]), count(t, scores["prompt"])+count(t, steps["prompt"])+count(t, steps["completion"]); got != want {
		t.Errorf("the total is %g, its parts %g", got, want)
	}
	for _, r := range rows {
		if r["agent"] == "llmlingua" && r["purpose"] == "scores" {
			t.Error("the built-in trigrams were called")
		}
	}
	if largest := row(t, table(t, out, "tables", "against.csv"), "agent", "asking")["largest"]; count(t, largest) > 1100 {
		t.Errorf("the largest prompt has %s characters", largest)
	}
	text := read(t, out, "report.md")
	for _, want := range []string{"What a token of the history tells is judged for llmlingua by the built-in trigrams; for asking by the log-probabilities that the endpoint of real returned.", "Made with real models (acting)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}

// Pricing a transcript at twice the length of reply against a run whose
// replies are twice as long.
func TestRepricingAgreesWithARun(t *testing.T) {
	t.Parallel()
	experiment := func(length string) string {
		return strings.NewReplacer("[10]", "[30]", "[sim:perfect]", `[{name: "sim:perfect", sim: perfect, verbosity: {"": `+length+`}}]`).Replace(tiny)
	}
	short, long := written(t, play(t, experiment("400"), nil)), written(t, play(t, experiment("800"), nil))
	priced := table(t, short, "tables", "headline_by_reply_length.csv")
	double, same := row(t, priced, "factor", "2.000000"), row(t, priced, "factor", "1.000000")
	// A run does not lengthen patches, which have more tokens to the character than
	// talk; the arithmetic scales all of a reply.
	for agent, within := range map[string]float64{"react": 0.05, "memory": 0.05, "stateful": 0.1, "skillstate": 0.05} {
		got := count(t, double[agent])
		want := count(t, row(t, table(t, long, "tables", "total_tokens.csv"), "agent", agent)["total_tokens"])
		if math.Abs(got-want) > within*want {
			t.Errorf("%s: a run with replies twice as long took %g tokens, the arithmetic says %g", agent, want, got)
		}
		near(t, agent+" as recorded", same[agent], count(t, row(t, table(t, short, "tables", "total_tokens.csv"), "agent", agent)["total_tokens"]))
	}
}

// Real and simulated results never share a table; an endpoint that says it is
// simulated counts as such.
func TestKindsOfModelStayApart(t *testing.T) {
	t.Parallel()
	experiment := strings.NewReplacer("[sim:perfect]", "[sim:perfect, real]", "react, memory, stateful, skillstate", "react, oracle").Replace(tiny)
	for served, want := range map[string]string{"gpt": "Made with real models (real)", "simulated": "Made with simulated models (sim:perfect, real)"} {
		out := written(t, play(t, experiment, func(_ model.Request, reply record.Reply) (record.Reply, error) {
			reply.Served = served
			return reply, nil
		}))
		first, _, _ := strings.Cut(read(t, out, "report.md"), "\n")
		if !strings.Contains(first, want) {
			t.Errorf("served by %s: want %q in the first line, got %q", served, want, first)
		}
		for _, name := range []string{"scores_real.csv", "scores_sim_perfect.csv"} {
			if rows := table(t, out, "tables", name); len(rows) != 2 {
				t.Errorf("%s: want react and the oracle, got %v", name, rows)
			}
		}
	}
}
