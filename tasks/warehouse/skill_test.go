package warehouse

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/model/sim"
	"skillbench/harness/state"
)

func skillFile(t *testing.T, name string) string {
	t.Helper()
	data, err := configs.FS.ReadFile("skills/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func schema(t *testing.T, skill string) *state.Schema {
	t.Helper()
	s, err := state.Compile("state.schema.json", []byte(skillFile(t, skill+"/state.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSkillText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"warehouse", "warehouse-any"} {
		head, body, ok := strings.Cut(strings.TrimPrefix(skillFile(t, name+"/SKILL.md"), "---\n"), "\n---\n")
		if !ok || !strings.HasPrefix(head, "name: "+name+"\ndescription: ") {
			t.Errorf("%s: front matter is %q", name, head)
		}
		if n := utf8.RuneCountInString(body); n > 700 {
			t.Errorf("%s: the body has %d characters, want at most 700", name, n)
		}
		for verb, form := range forms {
			if want := "`" + strings.TrimSpace(verb+" "+form) + "`"; !strings.Contains(body, want) {
				t.Errorf("%s: the body does not give the command %s", name, want)
			}
		}
		for _, word := range []string{"state", "JSON", "patch", "Action:", "history"} {
			if strings.Contains(body, word) {
				t.Errorf("%s: the body speaks of %s, which belongs to a strategy", name, word)
			}
		}
		if lowest := strings.Contains(body, "lowest"); lowest != (name == "warehouse") {
			t.Errorf("%s: the lowest-empty rule is stated: %v", name, lowest)
		}
		for _, file := range []string{"state.schema.json", "state.initial.json"} {
			if skillFile(t, name+"/"+file) != skillFile(t, "warehouse/"+file) {
				t.Errorf("%s/%s differs between the skills", name, file)
			}
		}
	}
}

// TestProbesDifferInTheStateAlone holds the skills of deferred probes to one
// text, and each to the place that it has for a code.
func TestProbesDifferInTheStateAlone(t *testing.T) {
	t.Parallel()
	body := func(name string) string {
		_, body, _ := strings.Cut(skillFile(t, name+"/SKILL.md"), "\n---\n")
		return body
	}
	if !strings.Contains(body("warehouse-codes"), "code") {
		t.Error("the skill does not say what a code is")
	}
	for name, place := range map[string]string{"codes": "", "notes": memberNotes, "field": memberCodes} {
		if name = "warehouse-" + name; body(name) != body("warehouse-codes") {
			t.Errorf("%s: its text differs from the other probes'", name)
		}
		s := schema(t, name)
		first, err := state.Parse([]byte(skillFile(t, name+"/state.initial.json")))
		if err != nil {
			t.Fatal(err)
		}
		kept := language{}.Keep(sim.Beliefs{"code_123": "item_4", "item_4": "shelf_2"})
		for member, value := range kept {
			_, has := first.Get(member)
			with := state.Deep.Apply(first, state.From(map[string]any{member: value}))
			if bad := s.Check(with); has != (member == place) || has != (len(bad) == 0) {
				t.Errorf("%s: member %s is in the first state: %v, violations %v", name, member, has, bad)
			}
		}
		hidden := state.Deep.Apply(first, state.From(map[string]any{"inventory": map[string]any{"shelf_2": "item_4 code_123"}}))
		if len(s.Check(hidden)) == 0 {
			t.Errorf("%s: a code can be hidden beside an item", name)
		}
	}
}

func TestStateSchema(t *testing.T) {
	t.Parallel()
	s := schema(t, "warehouse")
	for _, good := range []string{skillFile(t, "warehouse/state.initial.json"), `{"inventory":{"shelf_0":"item_1","shelf_10":"x","shelf_499":"item_2"}}`} {
		o, err := state.Parse([]byte(good))
		if err != nil {
			t.Fatal(err)
		}
		if bad := s.Check(o); len(bad) > 0 {
			t.Errorf("%s: %v", good, bad)
		}
	}
	for text, class := range map[string]string{
		`{}`:                                       state.ClassValue,
		`{"inventory":null}`:                       state.ClassType,
		`{"inventory":[]}`:                         state.ClassType,
		`{"inventory":{},"notes":""}`:              state.ClassUnknownKey,
		`{"inventory":{"shelf_500":"item_1"}}`:     state.ClassUnknownKey,
		`{"inventory":{"shelf_01":"item_1"}}`:      state.ClassUnknownKey,
		`{"inventory":{"Shelf_1":"item_1"}}`:       state.ClassUnknownKey,
		`{"inventory":{"item_1":"shelf_1"}}`:       state.ClassUnknownKey,
		`{"inventory":{"shelf_1":1}}`:              state.ClassType,
		`{"inventory":{"shelf_1":["item_1"]}}`:     state.ClassType,
		`{"inventory":{"shelf_1":{"item":"one"}}}`: state.ClassType,
	} {
		o, err := state.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if bad := s.Check(o); len(bad) != 1 || bad[0].Class != class {
			t.Errorf("%s: %v, want one %s", text, bad, class)
		}
	}
}

func TestSchemaKnowsTheShelves(t *testing.T) {
	t.Parallel()
	inventory := map[string]any{}
	for n := range Shelves {
		inventory[shelfName(n)] = "item_1"
	}
	if bad := schema(t, "warehouse").Check(state.From(map[string]any{"inventory": inventory})); len(bad) > 0 {
		t.Error(bad)
	}
}

func TestTruthFitsTheSchema(t *testing.T) {
	t.Parallel()
	s := schema(t, "warehouse")
	w := start(t, drifting(secretBarcode, 1))
	for {
		o, ok := w.Observe()
		if !ok {
			return
		}
		if bad := s.Check(w.Truth()); len(bad) > 0 {
			t.Fatal(bad)
		}
		w.Act(o.Oracle)
	}
}

func TestRandomIsACommand(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	w := start(t, harness.Spec{Horizon: 400, Seed: 1})
	valid := map[string]int{}
	for {
		o, ok := w.Observe()
		if !ok {
			break
		}
		action := Random(r, w.Truth())
		if err := Grammar(action); err != nil {
			t.Fatal(err)
		}
		again := Random(rand.New(rand.NewPCG(uint64(o.Step), 3)), w.Truth())
		if other := Random(rand.New(rand.NewPCG(uint64(o.Step), 3)), w.Truth()); other != again {
			t.Fatalf("one source gave %q and %q", again, other)
		}
		if w.Judge(action).Valid {
			valid[strings.Fields(action)[0]]++
		}
		w.Act(o.Oracle)
	}
	if valid[verbMove] < 40 || valid[verbWait] < 60 {
		t.Errorf("valid commands among 400 random ones: %v", valid)
	}
}

func TestTaskIsComplete(t *testing.T) {
	t.Parallel()
	task := Task()
	if err := task.Options().Validate(); err != nil {
		t.Error(err)
	}
	if task.Name == "" || task.Doc == "" || task.New == nil || task.Grammar == nil || task.Language == nil || task.Random == nil || len(task.Drifts) != 4 {
		t.Errorf("%+v", task)
	}
}
