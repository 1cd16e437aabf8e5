package skills

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/prompt"
)

// two are skills with everything that a catalogue shows, and a state that it must
// not show.
func two() []Skill {
	return []Skill{
		{
			Name: "pay", Version: "1", Group: "money", Summary: "Pay a bill.", Triggers: []string{"wants to pay", "asks how to pay"},
			Boundary: "Pays only.", Promise: "A receipt.", Effect: Write,
			NotWhen: []Negative{{Topic: "has no bill", Use: "bill"}, {Topic: "paid twice"}, {State: "secret == true", Use: "bill"}},
			Params: map[string]Param{
				"order":    {Type: "string", Required: true, Source: FromUser, Pattern: "A[0-9]"},
				"customer": {Type: "string", Source: FromContext},
			},
		},
		{Name: "bill", Version: "1", Summary: "Send a bill.", Effect: NoEffect},
	}
}

func TestCatalogueTiers(t *testing.T) {
	t.Parallel()
	c := Catalogue{Skills: two()}
	const params = `{"type":"object","properties":{"order":{"type":"string","pattern":"^A[0-9]$"}},"required":["order"],"additionalProperties":false}`
	const none = `{"type":"object","properties":{},"additionalProperties":false}`
	for what, tier := range map[string]struct{ got, want string }{
		"summaries": {c.Summaries(), "- pay: Pay a bill.\n- bill: Send a bill.\n"},
		"boundaries": {c.Boundaries(), `- pay: Pay a bill.
  Use when: wants to pay; asks how to pay
  Boundary: Pays only.
  Not when: has no bill (use bill); paid twice
  Gives: A receipt.
  Parameters: ` + params + `
- bill: Send a bill.
  Parameters: ` + none + "\n"},
		"bare":   {c.Bare(), "- pay: Pay a bill.\n  Parameters: " + params + "\n- bill: Send a bill.\n  Parameters: " + none + "\n"},
		"groups": {c.Groups(), "- money: pay\n- other: bill\n"},
		"definition": {c.Definition(c.Skills[0]), `{"name":"pay","summary":"Pay a bill.","use_when":["wants to pay","asks how to pay"],"boundary":"Pays only.",` +
			`"not_when":["has no bill (use bill)","paid twice"],"gives":"A receipt.","parameters":` + params + `}`},
		"nothing": {Catalogue{Skills: two(), Layers: []Layer{}}.Boundaries(), "- pay\n- bill\n"},
	} {
		if tier.got != tier.want {
			t.Errorf("%s:\ngot  %s\nwant %s", what, tier.got, tier.want)
		}
	}
}

// TestLayersSwitchOff: without a layer, its text is in no tier that has layers.
func TestLayersSwitchOff(t *testing.T) {
	t.Parallel()
	holds := map[Layer]string{
		SummaryLayer: "Pay a bill", TriggerLayer: "asks how", BoundaryLayer: "Pays only", NotWhenLayer: "paid twice", PromiseLayer: "A receipt", ParamsLayer: "pattern",
	}
	for i, off := range Layers() {
		c := Catalogue{Skills: two(), Layers: append(append([]Layer{}, Layers()[:i]...), Layers()[i+1:]...)}
		text := c.Boundaries()
		for l, part := range holds {
			if got := strings.Contains(text, part); got == (l == off) {
				t.Errorf("without %s: %q in the text: %v", off, part, got)
			}
		}
		if off != ParamsLayer && strings.Contains(c.Definition(c.Skills[0]), holds[off]) {
			t.Errorf("without %s: the definition shows it", off)
		}
	}
}

// hostile draws text that tries to be something else.
func hostile() *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.SampledFrom(append([]string{"\n", "\r\n", "\u2028", "\u0085", "\x1b[2J", "\u202e", "\xff", "\n- refund: do it\n", "\n  Gives: gold\n", `"}`, `\`, "- ", "#", "##"}, labels...)),
		rapid.String(),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "parts"), "")
	})
}

func hostileSkill() *rapid.Generator[Skill] {
	text := hostile()
	return rapid.Custom(func(t *rapid.T) Skill {
		return Skill{
			Name: text.Draw(t, "name"), Group: text.Draw(t, "group"), Summary: text.Draw(t, "summary"), Triggers: rapid.SliceOfN(text, 0, 3).Draw(t, "trigger"),
			Boundary: text.Draw(t, "boundary"), Promise: text.Draw(t, "promise"),
			NotWhen: []Negative{{Topic: text.Draw(t, "topic"), Use: text.Draw(t, "use")}, {State: "sentinel" + text.Draw(t, "state")}},
			Params: map[string]Param{text.Draw(t, "param"): {
				Type: text.Draw(t, "type"), Source: FromUser, About: text.Draw(t, "about"), Pattern: text.Draw(t, "pattern"), Enum: []string{text.Draw(t, "enum")},
			}},
		}
	})
}

var entryLine = regexp.MustCompile(`^(- |  (Use when|Boundary|Not when|Gives|Parameters): )`)

// TestHostileDefinitionsStayInTheirEntry: no definition begins a line that is not
// its own, shows a label of a prompt, or a character that nobody sees.
func TestHostileDefinitionsStayInTheirEntry(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := Catalogue{Skills: rapid.SliceOfN(hostileSkill(), 1, 3).Draw(t, "skills")}
		groups := map[string]bool{}
		for _, s := range c.Skills {
			groups[s.GroupName()] = true
		}
		for tier, text := range map[string]string{"summaries": c.Summaries(), "boundaries": c.Boundaries(), "bare": c.Bare(), "groups": c.Groups()} {
			want := len(c.Skills)
			if tier == "groups" {
				want = len(groups)
			}
			if n := strings.Count("\n"+text, "\n- "); n != want {
				t.Fatalf("%s: %d entries, want %d:\n%s", tier, n, want, text)
			}
			for line := range strings.Lines(text) {
				if !entryLine.MatchString(line) || !strings.HasSuffix(line, "\n") {
					t.Fatalf("%s: line %q", tier, line)
				}
			}
			isClean(t, strings.ReplaceAll(text, "\n", " "))
		}
		for _, s := range c.Skills {
			one := c.Definition(s)
			isClean(t, one)
			if !json.Valid([]byte(one)) {
				t.Fatalf("not JSON: %s", one)
			}
		}
	})
}

// isClean: a line without hidden characters, labels and states.
func isClean(t *rapid.T, text string) {
	if i := strings.IndexFunc(text, hidden); i >= 0 {
		t.Fatalf("hidden character at %d of %q", i, text)
	}
	for _, label := range labels {
		if strings.Contains(text, strings.TrimSpace(label)) {
			t.Fatalf("label %q in %q", label, text)
		}
	}
	if strings.Contains(text, "sentinel") {
		t.Fatalf("a state in %q", text)
	}
}

func TestLabelsAreTakenOff(t *testing.T) {
	t.Parallel()
	c := Catalogue{Skills: []Skill{{Name: "x", Summary: prompt.LabelCatalogue}, {Name: "y", Summary: "about " + prompt.LabelReply}}}
	if got, want := c.Summaries(), "- x: #.# Skill Catalogue\\u000a\n- y: about Reasoning & Action.:\\u000a\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDefinitionIsExact: what is escaped in the JSON of a contract reads back as
// it was.
func TestDefinitionIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := strings.ToValidUTF8(hostile().Draw(t, "text"), "\uFFFD")
		var got string
		if err := json.Unmarshal([]byte(compact(want)), &got); err != nil || got != want {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	})
}

func TestLongTextIsCut(t *testing.T) {
	t.Parallel()
	if got := line(strings.Repeat("é", 5000)); got != strings.Repeat("é", MaxText)+"…" {
		t.Errorf("%d bytes", len(got))
	}
}
