package routing_test

import (
	"fmt"
	"testing"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/tokens"
	"skillbench/metrics"
	"skillbench/metrics/routing"
)

// A step is one act of a made journal. A text for the prompt makes it a model's.
type step struct {
	routing *record.Routing
	result  string
	invalid bool
	correct bool
	prompt  string // of the observation
	tokens  int    // of the whole prompt, as the journal says
	bare    bool   // the prompt has no catalogue any more
}

// list is the catalogue of made prompts.
const list = "## Skill Catalogue\nreturn-label: send a label\n"

// written is the journal of a made cell. Steps that carry a prompt share one
// catalogue.
func written(t testing.TB, c record.Cell, status record.Status, steps []step) *journal.Reader {
	t.Helper()
	dir := t.TempDir()
	log, err := journal.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(log.Write(journal.Event{Start: &journal.Start{Version: journal.Version, Cell: c, Tokenizer: tokens.Default, Truth: state.From(map[string]any{})}}))
	for i, s := range steps {
		if s.prompt != "" {
			call := journal.Call{Purpose: record.ForStep, Step: i, Tokens: s.tokens, Chars: len(list) + len(s.prompt)}
			call.Splice = prompt.Splice{{Keep: 1}, {Skip: 1, Add: refs(t, log, prompt.Observation, s.prompt)}}
			if s.bare {
				call.Splice[0], call.Chars = prompt.Edit{Skip: 1}, len(s.prompt)
			}
			if i == 0 {
				call.Splice = prompt.Splice{{Add: refs(t, log, prompt.Catalogue, list)}, {Add: refs(t, log, prompt.Observation, s.prompt)}}
			}
			must(log.Call(&call, record.Reply{Text: "ok", Finish: record.Stop}))
			must(log.Write(journal.Event{Transition: &record.Transition{Step: i, Move: record.Move{Action: "a"}}}))
		}
		must(log.Write(journal.Event{Act: &record.Act{Observation: record.Observation{Step: i, Free: !(s.routing.Ended && s.routing.Last)}, Action: "a",
			Outcome: record.Outcome{Valid: !s.invalid, Correct: s.correct, Result: s.result, Routing: s.routing}}}))
	}
	if status != "" {
		must(log.Write(journal.Event{End: &journal.End{Status: status}}))
	}
	must(log.Close())
	r, err := journal.Read(dir)
	must(err)
	return r
}

func refs(t testing.TB, log *journal.Log, kind prompt.Kind, text string) []prompt.Ref {
	t.Helper()
	n, err := log.Number(text)
	if err != nil {
		t.Fatal(err)
	}
	return []prompt.Ref{{Kind: kind, From: prompt.Fixed, To: prompt.Fixed, Text: n}}
}

// follow reads a made cell as a report does.
func follow(t testing.TB, c record.Cell, status record.Status, steps []step) *routing.Follower {
	t.Helper()
	e, err := tokens.Load(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	r := written(t, c, status, steps)
	f := routing.Follow(c, r, e)
	if _, err := metrics.Measure(c, r, f.Also()); err != nil {
		t.Fatal(err)
	}
	return f
}

func cell(task, agent, model string, horizon int, seed uint64) record.Cell {
	kind := record.Simulated
	if model == "" {
		kind = record.NoModel
	}
	return record.Cell{ID: fmt.Sprintf("%s-%s-T%d-s%d", task, agent, horizon, seed), Task: task, Agent: agent, Model: model, ModelKind: kind, World: record.Closed, Horizon: horizon, Seed: seed}
}

func call(skill string) record.Route   { return record.Route{Do: record.Call, Skill: skill} }
func do(deed record.Deed) record.Route { return record.Route{Do: deed} }
func askFor(param string) record.Route { return record.Route{Do: record.Ask, Param: param} }

// five dialogues with every kind of decision. What they come to is worked out by
// hand in TestByHand.
func five() map[uint64][]step {
	base := func(name, kind string, want record.Route) record.Routing {
		return record.Routing{Case: name, Kind: kind, Split: "test", Last: true, Offered: 10, Want: want}
	}
	one := base("c1", "direct", call("order-status"))
	one.Position, one.Got, one.Ended, one.Settled, one.Resolved = 1, call("order-status"), true, true, true

	two := base("c2", "near_miss", call("return-label"))
	two.Position, two.Got = 9, call("exchange-item")
	again := two
	again.Attempt, again.Got, again.Faults, again.Ended, again.Settled, again.Resolved = 1, call("return-label"), []string{"missing:order_id"}, true, true, true

	three := base("c3", "out_of_scope", do(record.Decline))
	three.Forbidden, three.Got, three.Harm, three.Ended = []string{"submit-refund"}, call("submit-refund"), true, true

	four := base("c4", "missing_param", askFor("order_id"))
	four.About, four.Last, four.Position, four.Got = "submit-refund", false, 10, record.Route{Do: record.LoadOne, Skill: "submit-refund"}
	asked := four
	asked.Got, asked.Ended, asked.Settled = record.Route{Do: record.Ask, Param: "order_id"}, true, true
	told := base("c4", "missing_param", call("submit-refund"))
	told.Turn, told.Position, told.Got, told.Faults, told.Ended, told.Settled, told.Resolved = 1, 10, call("submit-refund"), []string{"invalid:amount", "wrong:order_id"}, true, true, true

	fifth := base("c5", "indirect", record.Route{Do: record.Offer, Skill: "order-status", Other: "return-label"})
	fifth.Accept, fifth.Got, fifth.Ended, fifth.Settled, fifth.Resolved = []record.Route{do(record.Clarify)}, do(record.Clarify), true, true, true
	return map[uint64][]step{
		1: {{routing: &one, result: "Shipped.", correct: true, prompt: "Where is it?\n", tokens: 100}},
		2: {{routing: &two, result: "No such item.", prompt: "A label, please.\n", tokens: 110}, {routing: &again, result: "Sent.", prompt: "A label, please. No such item.\n", tokens: 130}},
		3: {{routing: &three, result: "Done.", invalid: true, prompt: "Sing a song.\n", tokens: 90}},
		4: {{routing: &four, result: "submit-refund: pays money back", prompt: "My money!\n", tokens: 100}, {routing: &asked, prompt: "My money! It pays.\n", tokens: 120},
			{routing: &told, result: "Refused: amount.", prompt: "Order 7.\n", tokens: 150}},
		5: {{routing: &fifth, correct: true, prompt: "Help.\n", tokens: 80}},
	}
}

// fiveOf is the book of the five dialogues, with a session of one dialogue each.
func fiveOf(t testing.TB, order ...uint64) *routing.Book {
	t.Helper()
	b := routing.NewBook()
	made := five()
	for _, seed := range order {
		c := cell("bare", "react", "sim:keyword", 1, seed)
		b.Add(c, follow(t, c, record.Done, made[seed]))
	}
	return b
}
