package warehouse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// hold is the perfect reader's judgement: of each key the last statement or
// try holds, and a denial of it leaves the key unknown.
func hold(mentions []sim.Mention) sim.Beliefs {
	held := sim.Beliefs{}
	for _, m := range mentions {
		if m.Stance != sim.Denies {
			held[m.Key] = m.Value
		} else if place, ok := held[m.Key]; ok && place == m.Value {
			delete(held, m.Key)
		}
	}
	return held
}

// A memory is what a prompt shows beside the latest observation.
type memory struct {
	state, observations, replies bool
}

// perfect plays an episode by reading sections as they would stand in a prompt.
func perfect(m memory, guess sim.Guess) policy {
	var past []sim.Section
	sigma := state.Object{}
	return func(o record.Observation, _ state.Object) string {
		var sections []sim.Section
		if m.state {
			sections = append(sections, sim.Section{Part: sim.InState, Text: "```json\n" + sigma.Compact() + "\n```\n"})
		}
		for _, s := range past {
			if s.Part == sim.InHistory && !m.observations {
				s.Text = "[omitted]\n"
			}
			if s.Part != sim.InReply || m.replies {
				sections = append(sections, s)
			}
		}
		sections = append(sections, sim.Section{Part: sim.InObservation, Text: o.Text})
		r := language{}.Read(sections)
		held := hold(r.Mentions)
		a := language{}.Answer(r.Event, held, guess)
		for item, shelf := range a.Then {
			held[item] = shelf
		}
		sigma = state.Deep.Apply(sigma, state.Diff(sigma, state.From(language{}.Render(held))))
		past = append(past, sim.Section{Part: sim.InHistory, Text: o.Text},
			sim.Section{Part: sim.InReply, Text: a.Because + "\nAction: " + a.Action + "\n"})
		return a.Action
	}
}

func TestPerfectReader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		shows memory
		all   bool
	}{
		{"history", memory{observations: true, replies: true}, true},
		{"observations alone", memory{observations: true}, true},
		{"masked history", memory{replies: true}, true},
		{"state", memory{state: true}, true},
		{"nothing", memory{}, false},
	} {
		for seed := range uint64(20) {
			spec := harness.Spec{Horizon: 200, Seed: seed, Noise: 2}
			correct, base := score(play(t, spec, perfect(test.shows, sim.BestGuess)))
			if test.all != (correct == base) {
				t.Errorf("%s, seed %d: %d of %d", test.name, seed, correct, base)
			}
		}
	}
}

func TestPerfectReaderSurvivesDrift(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{secretMove, secretAudit, secretBarcode} {
		for _, shows := range []memory{{state: true}, {observations: true, replies: true}} {
			for seed := range uint64(20) {
				spec := drifting(kind, seed)
				spec.Noise = 1
				first, open := 0, 0
				for _, s := range play(t, spec, perfect(shows, sim.Abstain)) {
					if s.o.Announced == 1 {
						open++
						if s.out.Correct && s.out.Used == "current" {
							first++
						}
					}
				}
				if first != driftCount || open != driftCount {
					t.Errorf("%s, %+v, seed %d: %d of %d at the first opportunity", kind, shows, seed, first, open)
				}
			}
		}
	}
}

func read(part sim.Part, text string) sim.Reading {
	return language{}.Read([]sim.Section{{Part: part, Text: text, At: 100}})
}

func TestRead(t *testing.T) {
	t.Parallel()
	says := func(item, shelf string, at int) sim.Mention {
		return sim.Mention{Key: item, Value: shelf, Stance: sim.Says, At: at}
	}
	denies := func(item, shelf string) sim.Mention {
		return sim.Mention{Key: item, Value: shelf, Stance: sim.Denies, At: 100}
	}
	tries := func(item, shelf string, at int) sim.Mention {
		return sim.Mention{Key: item, Value: shelf, Stance: sim.Tries, At: at}
	}
	for _, test := range []struct {
		part sim.Part
		text string
		want []sim.Mention
	}{
		{sim.InHistory, "Success: stored item_12 on shelf_42.\nReceived item_13.\n", []sim.Mention{says("item_12", "shelf_42", 100)}},
		{sim.InHistory, "Success: shipped item_12 from shelf_42.\n", []sim.Mention{says("item_12", "", 100)}},
		{sim.InHistory, "Success: moved item_5 from shelf_3 to shelf_0.\r\n", []sim.Mention{says("item_5", "shelf_0", 100)}},
		{sim.InHistory, "Error: item_5 is not on shelf_3.", []sim.Mention{denies("item_5", "shelf_3")}},
		{sim.InHistory, "Error: cannot store item_5 on shelf_3: it holds item_9.\n", []sim.Mention{denies("item_5", "shelf_3"), says("item_9", "shelf_3", 100)}},
		{sim.InHistory, "Error: cannot store item_5 on shelf_3: the item is not on the dock.\n", []sim.Mention{denies("item_5", "shelf_3")}},
		{sim.InHistory, "Error: cannot ship item_5 from shelf_3: nobody ordered it.\n", []sim.Mention{says("item_5", "shelf_3", 100)}},
		{sim.InHistory, "Error: cannot move item_5 from shelf_3 to shelf_4, which holds item_9.\n", []sim.Mention{denies("item_5", "shelf_4"), says("item_5", "shelf_3", 100), says("item_9", "shelf_4", 100)}},
		{sim.InHistory, "Error: no valid action\nSuccess: waited.\n", nil},
		{sim.InObservation, "ALERT: item_5 is now on shelf_17.\n", []sim.Mention{says("item_5", "shelf_17", 100)}},
		{sim.InObservation, "ALERT: shelf_4 was found empty, item_61 is gone.\n", []sim.Mention{says("item_61", "", 100)}},
		{sim.InObservation, "ALERT: item_61 on shelf_3 now has the barcode item_77.\n", []sim.Mention{says("item_61", "", 100), says("item_77", "shelf_3", 100)}},
		{sim.InObservation, "Stock: item_1 on shelf_0, item_2 on shelf_1.\n", []sim.Mention{says("item_1", "shelf_0", 107), says("item_2", "shelf_1", 126)}},
		{sim.InHistory, "x\nSuccess: stored item_1 on shelf_2.\n" + strings.TrimSuffix(prompt.LabelBackground, "\n") + "\nSuccess: stored item_3 on shelf_4.\n", []sim.Mention{says("item_1", "shelf_2", 102)}},
		{sim.InHistory, "Success: stored item_12 on shelf_500.\nSuccess: stored item_12 on shelf_4\nSuccess: stored item_12 on shelf_4. Or not.\n", nil},
		{sim.InSummary, "item_1 is on shelf_0.\nitem_2 is nowhere.\n", []sim.Mention{says("item_1", "shelf_0", 100), says("item_2", "", 122)}},
		{sim.InState, "{\n  \"inventory\": {\n    \"shelf_3\": \"item_5\"\n  }\n}", []sim.Mention{says("item_5", "shelf_3", 123)}},
		{sim.InState, `{"inventory":{"shelf_1":"item_2","shelf_2":null,"shelf_3":4,"shelf_900":"item_1","shelf_4":"box","shelf_5":"item_6`, []sim.Mention{says("item_2", "shelf_1", 114)}},
		{sim.InReply, "I think Action: Wait\nAction: Store item_1 shelf_2\n", []sim.Mention{tries("item_1", "shelf_2", 121)}},
		{sim.InReply, "Action: Store item_1 shelf_2\nAction: `Ship item_1 shelf_2`", []sim.Mention{tries("item_1", "", 129)}},
		{sim.InReply, "```json\n{\"state_patch\": {\"inventory\": {\"shelf_0\": \"item_9\"}}, \"action\" : \"Move item_1 shelf_2 shelf_3\"}\n```", []sim.Mention{tries("item_1", "shelf_3", 162)}},
		{sim.InReply, "Action: Wait", nil},
		{sim.InReply, "Success: stored item_12 on shelf_42.\nAction: dance", nil},
	} {
		for i := range test.want {
			test.want[i].Part = test.part
		}
		if diff := cmp.Diff(test.want, read(test.part, test.text).Mentions); diff != "" {
			t.Errorf("%s %q: %s", test.part, test.text, diff)
		}
	}
}

func TestFailedTriesAreNotTaken(t *testing.T) {
	t.Parallel()
	sections := []sim.Section{
		{Part: sim.InHistory, Text: "Success: stored item_1 on shelf_0.\nReceived item_2.\n"},
		{Part: sim.InReply, Text: "Action: Move item_1 shelf_3 shelf_4"},
		{Part: sim.InObservation, Text: "Error: item_1 is not on shelf_3.\nCustomer ordered item_1.\n"},
	}
	if got := hold(language{}.Read(sections).Mentions)["item_1"]; got != "shelf_0" {
		t.Errorf("item_1 is believed to be on %q, want shelf_0", got)
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	event := func(kind, arg, name string) sim.Event {
		return sim.Event{Kind: kind, Args: map[string]string{arg: name}}
	}
	known := sim.Beliefs{"item_2": "shelf_0", "item_3": "shelf_2", "item_4": ""}
	for _, test := range []struct {
		event sim.Event
		guess sim.Guess
		want  sim.Answer
	}{
		{event(kindReceive, argItem, "item_5"), sim.Abstain, sim.Answer{Action: "Store item_5 shelf_1", Then: sim.Beliefs{"item_5": "shelf_1"}}},
		{event(kindOrder, argItem, "item_3"), sim.Abstain, sim.Answer{Action: "Ship item_3 shelf_2", Then: sim.Beliefs{"item_3": ""}}},
		{event(kindOrder, argItem, "item_4"), sim.BestGuess, sim.Answer{Action: "Wait"}},
		{event(kindOrder, argItem, "item_9"), sim.Abstain, sim.Answer{Action: "Wait", Lacks: "item_9"}},
		{event(kindOrder, argItem, "item_9"), sim.BestGuess, sim.Answer{Action: "Ship item_9 shelf_1", Then: sim.Beliefs{"item_9": ""}, Lacks: "item_9"}},
		{event(kindMaintenance, argShelf, "shelf_2"), sim.Abstain, sim.Answer{Action: "Move item_3 shelf_2 shelf_1", Then: sim.Beliefs{"item_3": "shelf_1"}}},
		{event(kindMaintenance, argShelf, "shelf_1"), sim.Abstain, sim.Answer{Action: "Wait", Lacks: "shelf_1"}},
		{event(kindMaintenance, argShelf, "shelf_1"), sim.BestGuess, sim.Answer{Action: "Move item_1 shelf_1 shelf_3", Then: sim.Beliefs{"item_1": "shelf_3"}, Lacks: "shelf_1"}},
		{sim.Event{}, sim.BestGuess, sim.Answer{Action: "Wait"}},
		{event(kindReceive, argItem, "a cat"), sim.BestGuess, sim.Answer{Action: "Wait"}},
	} {
		got := language{}.Answer(test.event, known, test.guess)
		if got.Because == "" || len(read(sim.InHistory, got.Because).Mentions) > 0 {
			t.Errorf("%v: because %q", test.event, got.Because)
		}
		got.Because = ""
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v, %s: %s", test.event, test.guess, diff)
		}
	}
}

func TestSummaryAndStateAreReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		beliefs := sim.Beliefs{}
		shelves := rapid.SliceOfNDistinct(rapid.IntRange(0, Shelves-1), 0, 40, rapid.ID[int]).Draw(rt, "shelves")
		placed := sim.Beliefs{}
		for i, shelf := range shelves {
			placed[itemName(3*i+1)] = shelfName(shelf)
			beliefs[itemName(3*i+1)] = shelfName(shelf)
			beliefs[itemName(3*i+2)] = ""
		}
		summary := language{}.Summarize(beliefs)
		if diff := cmp.Diff(beliefs, hold(read(sim.InSummary, summary).Mentions)); diff != "" {
			rt.Fatal(diff)
		}
		object := state.From(language{}.Render(beliefs))
		for _, text := range []string{object.Compact(), object.Indent()} {
			if diff := cmp.Diff(placed, hold(read(sim.InState, text).Mentions)); diff != "" {
				rt.Fatal(diff)
			}
		}
	})
}

// pieces make hostile text that comes close to what is read.
var pieces = []string{"Success: stored ", "item_1", "item_", " on ", "shelf_0", "shelf_", ".", "\n", "\"shelf_3\"", ":", "\"item_5\"", "\"", "Action:", "\"action\"",
	"Stock: ", ", ", "Error: ", "%", "{", "\xff", "é", "Maintenance due on ", "Customer ordered ", " is nowhere.", strings.Repeat("a", 99)}

func TestHostileText(t *testing.T) {
	t.Parallel()
	parts := []sim.Part{sim.InState, sim.InSummary, sim.InHistory, sim.InReply, sim.InObservation, "?"}
	rapid.Check(t, func(rt *rapid.T) {
		var sections []sim.Section
		for range rapid.IntRange(0, 4).Draw(rt, "sections") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(rt, "pieces"), "")
			sections = append(sections, sim.Section{Part: rapid.SampledFrom(parts).Draw(rt, "part"), Text: text})
		}
		r := language{}.Read(sections)
		for _, m := range r.Mentions {
			if _, ok := shelfNumber(m.Value); !isItem(m.Key) || !ok && m.Value != "" {
				rt.Fatalf("mention %+v", m)
			}
		}
		a := language{}.Answer(r.Event, hold(r.Mentions), sim.BestGuess)
		if err := Grammar(a.Action); err != nil {
			rt.Fatal(err)
		}
	})
}

// TestOddBeliefs holds the reader to what a careless caller may believe.
func TestOddBeliefs(t *testing.T) {
	t.Parallel()
	beliefs := sim.Beliefs{"": "", "cat": "shelf_1", "item_1": "moon", "item_2": "shelf_3", "item_10": "shelf_3"}
	if got, want := state.From(language{}.Render(beliefs)).Compact(), `{"inventory":{"shelf_3":"item_10"}}`; got != want {
		t.Errorf("rendered %s, want %s", got, want)
	}
	if got, want := (language{}).Summarize(beliefs), "item_2 is on shelf_3.\nitem_10 is on shelf_3.\n"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
}

func TestNoiseSaysNothing(t *testing.T) {
	t.Parallel()
	for step := range 200 {
		block := strings.TrimPrefix(noise(1, step, 50), strings.TrimSuffix(prompt.LabelBackground, "\n"))
		if strings.Contains(block, "item_") {
			t.Errorf("noise names an item: %s", block)
		}
		for _, part := range []sim.Part{sim.InHistory, sim.InSummary, sim.InState, sim.InReply} {
			if r := read(part, block); len(r.Mentions) > 0 || r.Event.Kind != "" {
				t.Errorf("noise is read as %+v", r)
			}
		}
	}
	if few, many := noise(1, 3, 5), noise(1, 3, 20); !strings.HasPrefix(many, few) || noise(1, 4, 5) == few || noise(2, 3, 5) == few {
		t.Error("noise is not drawn from seed and step alone")
	}
	if noise(1, 3, 0) != "" {
		t.Error("no lines still have a heading")
	}
}
