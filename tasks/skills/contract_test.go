package skills

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// contractOf makes a contract of one of each.
func contractOf(t testing.TB) *Contract {
	t.Helper()
	c, err := NewContract(Skill{Name: "pay", Params: map[string]Param{
		"order":    {Type: "string", Required: true, Source: FromUser, Pattern: "A[0-9]{4}|B[0-9]"},
		"size":     {Type: "string", Source: FromUser, Enum: []string{"S", "M"}, About: "Size wanted"},
		"count":    {Type: "integer", Required: true, Source: FromUser},
		"price":    {Type: "number", Source: FromUser},
		"gift":     {Type: "boolean", Source: FromUser, Default: false},
		"customer": {Type: "string", Required: true, Source: FromContext, Pattern: "C-[0-9]+"},
		"channel":  {Type: "string", Source: Fixed, Default: "chat"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestContractSchema(t *testing.T) {
	t.Parallel()
	c := contractOf(t)
	want := `{"type":"object","properties":{"count":{"type":"integer"},"gift":{"type":"boolean","default":false},"order":{"type":"string","pattern":"^(?:A[0-9]{4}|B[0-9])$"},"price":{"type":"number"},"size":{"type":"string","description":"Size wanted","enum":["S","M"]}},"required":["count","order"],"additionalProperties":false}`
	if got := c.Schema(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := strings.Join(c.Required(), " "); got != "count order" {
		t.Errorf("required %s", got)
	}
}

func TestContractCheck(t *testing.T) {
	t.Parallel()
	c := contractOf(t)
	many := `{"order":"B1","count":1,"price":"x"`
	for _, r := range "abcdefghijkl" {
		many += `,"` + string(r) + `":0`
	}
	for _, tt := range []struct {
		args   string
		want   map[string]any
		faults string
	}{
		{`{"order":"A1047","count":3}`, map[string]any{"order": "A1047", "count": int64(3)}, ""},
		{`{"order":"B1","count":2e0,"price":2,"gift":true,"size":"M"}`, map[string]any{"order": "B1", "count": int64(2), "price": 2.0, "gift": true, "size": "M"}, ""},
		{`{}`, map[string]any{}, "missing:count missing:order"},
		{`{"order":"xA1047x","count":"3","size":"L","price":null,"gift":0}`, map[string]any{}, "invalid:count invalid:gift invalid:order invalid:price invalid:size"},
		{`{"order":"B1\n","count":1.5}`, map[string]any{}, "invalid:count invalid:order"},
		{`{"order":"B1","count":9007199254740993}`, map[string]any{"order": "B1", "count": int64(9007199254740993)}, ""},
		{`{"order":"B1","count":1e300}`, map[string]any{"order": "B1"}, "invalid:count"},
		{`{"order":"B1","count":1,"price":1e999}`, map[string]any{"order": "B1", "count": int64(1)}, "invalid:price"},
		{`{"order":{"a":[1]},"count":1}`, map[string]any{"count": int64(1)}, "invalid:order"},
		{`{"order":"B1","count":1,"customer":"C-1","channel":"mail","Order":"B2","a\nb":1}`, map[string]any{"order": "B1", "count": int64(1)},
			`unknown:Order unknown:a\u000ab unknown:channel unknown:customer`},
		{`{"order":"B1","order":"B2","count":1}`, nil, "invalid:json"},
		{`{"order":"B1","count":1} x`, nil, "invalid:json"},
		{`["B1"]`, nil, "invalid:json"},
		{``, nil, "invalid:json"},
		{`{"order":"` + strings.Repeat("B", MaxArguments) + `"}`, nil, "invalid:json"},
		{many + `}`, map[string]any{"order": "B1", "count": int64(1)}, "invalid:price unknown:a unknown:b unknown:c unknown:d unknown:e unknown:f unknown:g unknown:h unknown:i unknown:j"},
	} {
		got, faults := c.Check([]byte(tt.args))
		if d := cmp.Diff(tt.want, got); d != "" || strings.Join(faults, " ") != tt.faults {
			t.Errorf("%.80s: faults %v, want %s%s", tt.args, faults, tt.faults, d)
		}
	}
}

// TestPatternsAreOfWholeTexts: no alternative and no flag of a pattern reaches
// beyond it.
func TestPatternsAreOfWholeTexts(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"a|b", "(?m)a", "(?s)a", "(?i)A|x", "^a$", "(?m:^a$)", "a(?m)", "(?U)a+"} {
		p := Param{Type: "string", Source: FromUser, Pattern: pattern}
		c, err := NewContract(Skill{Name: "pay", Params: map[string]Param{"p": p}})
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{"a": true, "a\nb": false, "b\na": false, "xa": false, "ax": false} {
			_, faults := c.Check(fmt.Appendf(nil, `{"p":%q}`, text))
			if _, normal := p.Normal(text); normal != want || (len(faults) == 0) != want {
				t.Errorf("%s matches %q: %t, %v; want %t", pattern, text, normal, faults, want)
			}
		}
	}
}

func TestContractFill(t *testing.T) {
	t.Parallel()
	c := contractOf(t)
	given := map[string]any{"order": "B1", "channel": "mail", "customer": "C-666"}
	got, faults := c.Fill(given, map[string]any{"customer": "C-1", "order": "B2", "other": 1})
	want := map[string]any{"order": "B1", "gift": false, "customer": "C-1", "channel": "chat"}
	if d := cmp.Diff(want, got); d != "" || faults != nil {
		t.Errorf("%v %s", faults, d)
	}
	if given["channel"] != "mail" {
		t.Error("the arguments were changed")
	}
	for want, state := range map[string]map[string]any{"missing:customer": nil, "invalid:customer": {"customer": json.Number("7")}} {
		got, faults := c.Fill(given, state)
		if _, there := got["customer"]; there || strings.Join(faults, " ") != want {
			t.Errorf("customer %v, faults %v, want %s", got["customer"], faults, want)
		}
	}
}

func TestNewContractRefusesFaults(t *testing.T) {
	t.Parallel()
	_, err := NewContract(Skill{Name: "pay", Params: map[string]Param{"a": {Type: "text", Source: FromUser}}})
	if err == nil || err.Error() != `skill pay: params.a.type: want string or integer or number or boolean, got "text"` {
		t.Errorf("got %v", err)
	}
}

// FuzzContractCheck: whatever a model writes, each parameter is right or has a
// fault, never both, and the faults are bounded lines.
func FuzzContractCheck(f *testing.F) {
	c := contractOf(f)
	for _, seed := range []string{`{"order":"A1047","count":3}`, `{"count":1e5,"x":{"y":[null]}}`, `{"order":"A1047\ud800"}`, `{`, "\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		right, faults := c.Check(args)
		if len(faults) > MaxParams+MaxUnknown {
			t.Errorf("%d faults", len(faults))
		}
		for _, fault := range faults {
			class, name, _ := strings.Cut(fault, ":")
			if strings.IndexFunc(fault, hidden) >= 0 || class != "missing" && class != "invalid" && class != "unknown" {
				t.Errorf("fault %q", fault)
			}
			if _, ok := right[name]; ok {
				t.Errorf("%s is right and has the fault %s", name, fault)
			}
		}
		if len(faults) > 0 {
			return
		}
		again, err := json.Marshal(right)
		if err != nil {
			t.Fatal(err)
		}
		if same, faults := c.Check(again); len(faults) > 0 || !cmp.Equal(same, right) {
			t.Errorf("%s is not right again: %v %v", again, same, faults)
		}
	})
}
