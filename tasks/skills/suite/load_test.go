package suite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"skillbench/configs"
	"skillbench/harness/record"
	"skillbench/tasks/skills/suite"
)

const small = `library: after-sales
cases:
  - id: one
    kind: missing_param
    split: dev
    at: "10:30"
    state: {customer: C-20000, days_since_delivery: 3}
    absent: invoice
    turns:
      - say: Where is my parcel?
        expect: {do: ask, param: order, skill: logistics}
      - say: A1047, as I said
        expect:
          do: call
          skill: logistics
          params: {order: A1047}
          accept: [{do: offer, skill: logistics, other: order-status}]
          forbidden: [submit-refund]
`

func TestLoad(t *testing.T) {
	t.Parallel()
	s, err := suite.Load(fstest.MapFS{"s.yaml": {Data: []byte(small)}}, "s.yaml", "mine/s.yaml")
	if err != nil {
		t.Fatal(err)
	}
	want := suite.Suite{Name: "s", Library: "after-sales", Cases: []suite.Case{{
		ID: "one", Kind: suite.MissingParam, Split: suite.Dev, At: "10:30",
		State:  map[string]any{"customer": "C-20000", "days_since_delivery": 3},
		Absent: []string{"invoice"},
		Turns: []suite.Turn{
			{Say: "Where is my parcel?", Expect: suite.Expect{Route: record.Route{Do: record.Ask, Param: "order", Skill: "logistics"}}},
			{Say: "A1047, as I said", Expect: suite.Expect{
				Route:     call("logistics"),
				Params:    map[string]any{"order": "A1047"},
				Accept:    []record.Route{{Do: record.Offer, Skill: "logistics", Other: "order-status"}},
				Forbidden: []string{"submit-refund"},
			}},
		},
	}}}
	if d := cmp.Diff(want, s, cmpopts.IgnoreUnexported(suite.Suite{}, suite.Case{})); d != "" {
		t.Error(d)
	}
}

// fault is small with a text replaced, read and validated.
func fault(t *testing.T, from, to string) string {
	t.Helper()
	if strings.Count(small, from) != 1 {
		t.Fatalf("%q is not once in the suite", from)
	}
	s, err := suite.Parse([]byte(strings.Replace(small, from, to, 1)), "s.yaml")
	if err != nil {
		return err.Error()
	}
	_, lib, err := suite.Open("after-sales", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	if err = s.Validate(lib); err == nil {
		return ""
	}
	return err.Error()
}

func TestFaultsNameLineAndCase(t *testing.T) {
	t.Parallel()
	for _, f := range []struct{ from, to, want string }{
		{"library: after-sales", "librery: x", "s.yaml:1: librery: unknown key; want one of library, cases"},
		{"library: after-sales\n", "", "s.yaml:1: library: want the name or the folder of a library, found none"},
		{"id: one", "id: One", `s.yaml:3: case "One": id: want 1 to 64 of a-z, 0-9 and -`},
		{"kind: missing_param", "kind: hard", `s.yaml:3: case "one": kind: want one of direct, `},
		{"kind: missing_param", "kind: right_skill_absent", ""},
		{"    absent: invoice\n", "    absent: invoices\n", `s.yaml:3: case "one": absent: want skills of after-sales, got "invoices"`},
		{"    absent: invoice\n", "    absent: logistics\n", `s.yaml:3: case "one": turn 1: expect: logistics is absent in this case`},
		{"split: dev", "split: train", `s.yaml:3: case "one": split: want dev or test, got "train"`},
		{`at: "10:30"`, `at: "25:00"`, `s.yaml:3: case "one": at: want a time of day such as 09:30, got "25:00"`},
		{"say: Where is my parcel?", `say: " "`, `s.yaml:3: case "one": turn 1: say: want a message, got none`},
		{"say: Where is my parcel?", `say: "\u200b\u202e\0"`, `s.yaml:3: case "one": turn 1: say: want a message, got none`},
		{"days_since_delivery: 3", "days_since_delivery: .nan", `s.yaml:3: case "one": state: days_since_delivery: want a number, got NaN`},
		{"days_since_delivery: 3", "x: {y: [.inf]}", `s.yaml:3: case "one": state: x: "y": want a number, got +Inf`},
		{"days_since_delivery: 3", "bought: 2026-11-01", `s.yaml:3: case "one": state: bought: want a text, a number, true, false, a list or an object, got time.Time: put a date in quotes`},
		{"days_since_delivery: 3", "x: {1: 2}", `s.yaml:3: case "one": state: x: want a text, a number, true, false, a list or an object, got map[interface {}]interface {}: put a date in quotes`},
		{"days_since_delivery: 3", "x: " + strings.Repeat("[", 99) + strings.Repeat("]", 99), `s.yaml:3: case "one": state: x: want values nested at most 16 deep`},
		{"days_since_delivery: 3", "days since: 3", `s.yaml:3: case "one": state: want names such as days_since_delivery, got "days since"`},
		{"days_since_delivery: 3", "time: 10:00", `s.yaml:3: case "one": state: time: want the time of day as at: beside the state`},
		{"days_since_delivery: 3", "not_in_service: a", `s.yaml:3: case "one": state: not_in_service: want the skills as absent: beside the state`},
		{"days_since_delivery: 3", "x: " + strings.Repeat("y", 1001), `s.yaml:3: case "one": state: x: want a text of at most 1000 characters, got 1001`},
		{"say: Where is my parcel?", `say: "a\nb"`, `s.yaml:3: case "one": turn 1: say: want one line`},
		{"{do: ask, param: order, skill: logistics}", "{do: ask, param: order}", `s.yaml:3: case "one": turn 1: expect: skill: want the skill of the ask, found none`},
		{"{do: ask, param: order, skill: logistics}", "{do: ask, param: customer, skill: logistics}", `s.yaml:3: case "one": turn 1: expect: param: want a parameter of logistics that the customer gives, got "customer"`},
		{"{do: ask, param: order, skill: logistics}", "{do: load, skill: logistics}", `s.yaml:3: case "one": turn 1: expect: do: want call, ask, offer, clarify or decline, got "load"`},
		{"{do: ask, param: order, skill: logistics}", "{do: clarify, skill: logistics}", `s.yaml:3: case "one": turn 1: expect: skill: want none with clarify`},
		{"{do: ask, param: order, skill: logistics}", "{do: clarify, params: {order: A1}}", `s.yaml:3: case "one": turn 1: params: want them where a call is right, got them with clarify`},
		{"{do: ask, param: order, skill: logistics}", "{do: call, skill: coupon, param: code}", `s.yaml:3: case "one": turn 1: expect: param: want it with an ask, and with nothing else, got "code" with call`},
		{"accept: [{do: offer, skill: logistics, other: order-status}]", "accept: [{do: call, skill: order-status, params: {order: A1}}]", "s.yaml:17: accept: params: want them in params of expect, beside accept"},
		{"accept: [{do: offer, skill: logistics, other: order-status}]", "accept: {do: call, skill: order-status, params: {order: A1}}", "s.yaml:17: accept: params: want them in params of expect, beside accept"},
		{"other: order-status", "other: logistics", `s.yaml:3: case "one": turn 2: accept: other: want two different skills, got "logistics" twice`},
		{"          skill: logistics\n", "          skill: logistic\n", `s.yaml:3: case "one": turn 2: expect: want a skill of after-sales, got "logistic"`},
		{"order: A1047", "order: 1047", `s.yaml:3: case "one": turn 2: params of logistics: want what its contract wants, got invalid:order`},
		{"order: A1047", "code: A1047", `s.yaml:3: case "one": turn 2: params of logistics: want what its contract wants, got missing:order, unknown:code`},
		{"customer: C-20000", "client: C-20000", `s.yaml:3: case "one": turn 2: state: want what logistics takes from it, got missing:customer`},
		{"forbidden: [submit-refund]", "forbidden: [logistics]", `s.yaml:3: case "one": turn 2: forbidden: logistics cannot be right as well`},
		{"forbidden: [submit-refund]", "forbidden: [refund]", `s.yaml:3: case "one": turn 2: forbidden: want skills of after-sales, got "refund"`},
		{"turns:", "turn:", "s.yaml:10: turn: unknown key"},
	} {
		got := fault(t, f.from, f.to)
		if !strings.HasPrefix(got, f.want) || strings.Contains(got, "\n") || (f.want == "" && got != "") {
			t.Errorf("%s -> %s:\n got %s\nwant %s", f.from, f.to, got, f.want)
		}
	}
	twice := small + small[strings.Index(small, "  - id"):]
	if _, err := suite.Parse([]byte(twice), "s.yaml"); err == nil || !strings.HasPrefix(err.Error(), `s.yaml:19: case "one": want each id once, it stands in line 3 already`) {
		t.Errorf("an id that stands twice: %v", err)
	}
}

// TestMessagesAreAsShown: what a prompt cannot show is out of a message before
// anybody embeds or matches it.
func TestMessagesAreAsShown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`"  a\tb\u202ec\0d\u200b "`: "a b c d",
		"'a  b – ü 👍'":              "a  b – ü 👍",
	} {
		s, err := suite.Parse([]byte(strings.Replace(small, "Where is my parcel?", text, 1)), "s.yaml")
		if err != nil || s.Cases[0].Turns[0].Say != want {
			t.Errorf("%s: got %q, %v; want %q", text, s.Cases[0].Turns[0].Say, err, want)
		}
	}
}

// A suite of a user's own has its library beside it.
func TestOpenFindsTheLibraryFromTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shop := filepath.Join(dir, "mine", "logistics")
	if err := os.MkdirAll(shop, 0o700); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(small, "library: after-sales", "library: ./mine", 1)
	text = strings.NewReplacer("    absent: invoice\n", "", "          accept: [{do: offer, skill: logistics, other: order-status}]\n", "", "          forbidden: [submit-refund]\n", "").Replace(text)
	for file, data := range map[string]string{
		filepath.Join(dir, "mine.yaml"): text,
		filepath.Join(shop, "SKILL.md"): "---\nname: logistics\ndescription: Track it.\n---\nTrack it.\n",
		filepath.Join(shop, "skill.yaml"): "name: logistics\nversion: 1.0\nsummary: Track it.\neffect: none\n" +
			"params:\n  order: {type: string, required: true, source: user, pattern: 'A[0-9]{4}'}\n",
	} {
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, lib, err := suite.Open(filepath.Join(dir, "mine.yaml"), configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "mine" || len(lib.Skills) != 1 {
		t.Errorf("suite %q with %d skills", s.Name, len(lib.Skills))
	}
}

func TestAllows(t *testing.T) {
	t.Parallel()
	e := suite.Expect{
		Route:  record.Route{Do: record.Ask, Param: "size", Skill: "exchange-item"},
		Accept: []record.Route{{Do: record.Offer, Skill: "a", Other: "b"}, {Do: record.Decline, Skill: "callback"}},
	}
	for got, want := range map[record.Route]bool{
		{Do: record.Ask, Param: "size"}:              true,
		{Do: record.Ask, Param: "order"}:             false,
		{Do: record.Offer, Skill: "a", Other: "b"}:   true,
		{Do: record.Offer, Skill: "b", Other: "a"}:   true,
		{Do: record.Offer, Skill: "a", Other: "c"}:   false,
		{Do: record.Decline}:                         true,
		{Do: record.Clarify}:                         false,
		{Do: record.Call, Skill: "exchange-item"}:    false,
		{Do: record.LoadOne, Skill: "exchange-item"}: false,
	} {
		if e.Allows(got) != want {
			t.Errorf("%+v is allowed: %v, want %v", got, !want, want)
		}
	}
	if want := (record.Route{Do: record.Ask, Param: "size"}); e.Want() != want {
		t.Errorf("want %+v, got %+v", want, e.Want())
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add("library: a\ncases: [{id: x, turns: [{expect: {do: call}}]}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := suite.Parse([]byte(text), "s.yaml")
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
		if err == nil && len(s.Cases) == 0 {
			t.Error("a suite without cases")
		}
	})
}
