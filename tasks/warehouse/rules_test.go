package warehouse

import (
	"testing"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// stage returns a world with item_1 on shelf_0, item_2 on shelf_1, item_3 on
// the dock, an open order for item_2, and the given event at hand.
func stage(placement string, e event) *world {
	w := &world{opts: &Options{Placement: placement}, spec: harness.Spec{Horizon: 1}, floor: newFloor(), step: 4,
		dock: map[string]bool{"item_3": true}, orders: map[string]bool{"item_2": true}, seen: map[string]int{}}
	w.floor.put("item_1", 0)
	w.floor.put("item_2", 1)
	w.now.event = e
	w.now.oracle, w.now.possible = w.oracle(e)
	return w
}

func TestRules(t *testing.T) {
	t.Parallel()
	receive := event{kindReceive, "item_3", noShelf}
	order := event{kindOrder, "item_2", noShelf}
	maintenance := event{kindMaintenance, "item_1", 0}
	for _, test := range []struct {
		placement string
		event     event
		action    string
		valid     bool
		correct   bool
		result    string
		change    string
	}{
		// Store.
		{LowestEmpty, receive, "Store item_3 shelf_2", true, true, "Success: stored item_3 on shelf_2.", `{"inventory":{"shelf_2":"item_3"}}`},
		{LowestEmpty, receive, "Store item_3 shelf_9", true, false, "Success: stored item_3 on shelf_9.", `{"inventory":{"shelf_9":"item_3"}}`},
		{AnyEmpty, receive, "Store item_3 shelf_9", true, true, "Success: stored item_3 on shelf_9.", `{"inventory":{"shelf_9":"item_3"}}`},
		{AnyEmpty, receive, "Store item_3 shelf_1", false, false, "Error: cannot store item_3 on shelf_1: it holds item_2.", ""},
		{LowestEmpty, receive, "Store item_4 shelf_2", false, false, "Error: cannot store item_4 on shelf_2: the item is not on the dock.", ""},
		{LowestEmpty, receive, "Store item_1 shelf_2", false, false, "Error: cannot store item_1 on shelf_2: the item is not on the dock.", ""},
		{LowestEmpty, order, "Store item_3 shelf_2", true, false, "Success: stored item_3 on shelf_2.", `{"inventory":{"shelf_2":"item_3"}}`}, // late
		// Ship.
		{LowestEmpty, order, "Ship item_2 shelf_1", true, true, "Success: shipped item_2 from shelf_1.", `{"inventory":{"shelf_1":null}}`},
		{AnyEmpty, order, "Ship item_2 shelf_1", true, true, "Success: shipped item_2 from shelf_1.", `{"inventory":{"shelf_1":null}}`},
		{LowestEmpty, order, "Ship item_2 shelf_0", false, false, "Error: item_2 is not on shelf_0.", ""},
		{LowestEmpty, order, "Ship item_3 shelf_0", false, false, "Error: item_3 is not on shelf_0.", ""},
		{LowestEmpty, order, "Ship item_1 shelf_0", false, false, "Error: cannot ship item_1 from shelf_0: nobody ordered it.", ""},
		{LowestEmpty, receive, "Ship item_2 shelf_1", true, false, "Success: shipped item_2 from shelf_1.", `{"inventory":{"shelf_1":null}}`}, // late
		// Move.
		{LowestEmpty, maintenance, "Move item_1 shelf_0 shelf_2", true, true, "Success: moved item_1 from shelf_0 to shelf_2.", `{"inventory":{"shelf_0":null,"shelf_2":"item_1"}}`},
		{LowestEmpty, maintenance, "Move item_1 shelf_0 shelf_3", true, false, "Success: moved item_1 from shelf_0 to shelf_3.", `{"inventory":{"shelf_0":null,"shelf_3":"item_1"}}`},
		{AnyEmpty, maintenance, "Move item_1 shelf_0 shelf_3", true, true, "Success: moved item_1 from shelf_0 to shelf_3.", `{"inventory":{"shelf_0":null,"shelf_3":"item_1"}}`},
		{AnyEmpty, maintenance, "Move item_2 shelf_1 shelf_3", true, false, "Success: moved item_2 from shelf_1 to shelf_3.", `{"inventory":{"shelf_1":null,"shelf_3":"item_2"}}`},
		{AnyEmpty, maintenance, "Move item_1 shelf_0 shelf_0", false, false, "Error: cannot move item_1 from shelf_0 to shelf_0, which holds item_1.", ""},
		{LowestEmpty, maintenance, "Move item_1 shelf_0 shelf_1", false, false, "Error: cannot move item_1 from shelf_0 to shelf_1, which holds item_2.", ""},
		{LowestEmpty, maintenance, "Move item_1 shelf_1 shelf_2", false, false, "Error: item_1 is not on shelf_1.", ""},
		{LowestEmpty, maintenance, "Move item_3 shelf_5 shelf_2", false, false, "Error: item_3 is not on shelf_5.", ""},
		// The rest.
		{LowestEmpty, order, "Wait", true, false, "Success: waited.", ""},
		{LowestEmpty, order, record.None, false, false, "Error: no valid action", ""},
		{LowestEmpty, order, "Ship item_2", false, false, "Error: not a command", ""},
	} {
		w := stage(test.placement, test.event)
		before := w.Truth()
		out := w.Judge(test.action)
		change := ""
		if out.World != nil {
			change = out.World.Compact()
		}
		if out.Valid != test.valid || out.Correct != test.correct || out.Result != test.result || change != test.change {
			t.Errorf("%s, %s: %q gave %+v %s", test.placement, test.event.kind, test.action, out, change)
		}
		w.Act(test.action)
		want := before
		if out.World != nil {
			want = state.Deep.Apply(before, *out.World)
		}
		if !w.Truth().Equal(want) {
			t.Errorf("%q made %s of %s", test.action, w.Truth().Compact(), before.Compact())
		}
	}
}

func TestImpossibleEvents(t *testing.T) {
	t.Parallel()
	full := func(w *world) {
		for shelf := range Shelves {
			if w.floor.empty(shelf) {
				w.floor.put(itemName(1000+shelf), shelf)
			}
		}
	}
	none := func(*world) {}
	for _, test := range []struct {
		name  string
		event event
		make  func(*world)
	}{
		{"order of an item on the dock", event{kindOrder, "item_3", noShelf}, none},
		{"order of an item that is nowhere", event{kindOrder, "item_9", noShelf}, none},
		{"maintenance for an item that is nowhere", event{kindMaintenance, "item_9", 1}, none},
		{"maintenance in a full warehouse", event{kindMaintenance, "item_1", 0}, full},
		{"arrival in a full warehouse", event{kindReceive, "item_3", noShelf}, full},
	} {
		w := stage(LowestEmpty, event{})
		test.make(w)
		w.now.event = test.event
		w.happen()
		var o record.Observation
		w.describe(&o)
		if !o.Impossible || o.Oracle != "Wait" {
			t.Errorf("%s: impossible %v, oracle %q", test.name, o.Impossible, o.Oracle)
		}
		if w.Judge("Wait").Correct {
			t.Errorf("%s: waiting is correct, want missed", test.name)
		}
	}
}

func TestMaintenanceNamesWhereTheItemIs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		item string
		want string
	}{
		{"item_2", "Maintenance due on shelf_1.\n"}, // the script says 7
		{"item_9", "Maintenance due on shelf_7.\n"}, // nowhere: the script's shelf
	} {
		w := stage(LowestEmpty, event{kindMaintenance, test.item, 7})
		w.happen()
		if got := w.text(); got != test.want {
			t.Errorf("%s: %q, want %q", test.item, got, test.want)
		}
	}
}

func TestVacatedShelfIsUsableAtOnce(t *testing.T) {
	t.Parallel()
	w := stage(LowestEmpty, event{kindMaintenance, "item_1", 0})
	w.Act("Move item_1 shelf_0 shelf_2")
	w.now.event = event{kindReceive, "item_3", noShelf}
	w.happen()
	if got, want := w.now.oracle.String(), "Store item_3 shelf_0"; got != want {
		t.Errorf("oracle %q, want %q", got, want)
	}
}

func TestGrammar(t *testing.T) {
	t.Parallel()
	for _, action := range []string{"Store item_1 shelf_0", "Ship item_999999999 shelf_499", "Move item_10 shelf_99 shelf_100", "Wait"} {
		if err := Grammar(action); err != nil {
			t.Errorf("%q: %v", action, err)
		}
		if c, err := parse(action); err != nil || c.String() != action {
			t.Errorf("%q reads as %q, %v", action, c, err)
		}
	}
	for action, want := range map[string]string{
		"":                        `"" is no command, want Store <item> <shelf>, Ship <item> <shelf>, Move <item> <from> <to> or Wait`,
		"none":                    `"none" is no command, want Store <item> <shelf>, Ship <item> <shelf>, Move <item> <from> <to> or Wait`,
		"wait":                    `"wait" is no command, want Store <item> <shelf>, Ship <item> <shelf>, Move <item> <from> <to> or Wait`,
		"Wait ":                   `"Wait " has the wrong number of words, want Wait`,
		"Ship item_1":             `"Ship item_1" has the wrong number of words, want Ship <item> <shelf>`,
		"Ship  item_1 shelf_1":    `"Ship  item_1 shelf_1" has the wrong number of words, want Ship <item> <shelf>`,
		"Move item_1 a shelf_1":   `"a" is no shelf, want shelf_0 to shelf_499`,
		"Store item_1 shelf_500":  `"shelf_500" is no shelf, want shelf_0 to shelf_499`,
		"Store item_1 shelf_01":   `"shelf_01" is no shelf, want shelf_0 to shelf_499`,
		"Store item_1 shelf_-1":   `"shelf_-1" is no shelf, want shelf_0 to shelf_499`,
		"Store item_0 shelf_1":    `"item_0" is no item, want item_<number>`,
		"Store item_01 shelf_1":   `"item_01" is no item, want item_<number>`,
		"Store box shelf_1":       `"box" is no item, want item_<number>`,
		"Store item_ shelf_1":     `"item_" is no item, want item_<number>`,
		"Ship item_1\nx shelf_1":  `"item_1\nx" is no item, want item_<number>`,
		"Ship item_1 shelf_1 now": `"Ship item_1 shelf_1 now" has the wrong number of words, want Ship <item> <shelf>`,
	} {
		if err := Grammar(action); err == nil || err.Error() != want {
			t.Errorf("%q: got error %v, want %s", action, err, want)
		}
	}
	if err := Grammar(string(make([]byte, 1<<20))); err == nil || len(err.Error()) > 200 {
		t.Errorf("a long action: %.300v", err)
	}
}

// TestNothingIsKeptOfWhatLeft bounds what an episode holds on to.
func TestNothingIsKeptOfWhatLeft(t *testing.T) {
	t.Parallel()
	w := stage(LowestEmpty, event{kindOrder, "item_2", noShelf})
	w.seen["item_2"] = 3
	w.Act("Ship item_2 shelf_1")
	w.Act("Store item_3 shelf_1")
	if len(w.orders) > 0 || len(w.dock) > 0 || len(w.floor.where) != 2 || len(w.seen) != 1 {
		t.Errorf("orders %v, dock %v, floor %v, seen %v", w.orders, w.dock, w.floor.where, w.seen)
	}
}

func TestActionsOutsideAnEpisode(t *testing.T) {
	t.Parallel()
	w := start(t, harness.Spec{Horizon: 1, Seed: 1})
	hasty := w.Act("Wait")
	o, _ := w.Observe()
	w.Act(o.Oracle)
	if _, ok := w.Observe(); ok {
		t.Error("an episode of one step has a second")
	}
	late := w.Act("Ship item_1 shelf_0")
	if hasty.Correct || late.Correct || late.Valid {
		t.Errorf("before the first step %+v, after the last %+v", hasty, late)
	}
}
