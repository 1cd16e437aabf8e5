package skills

import (
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"skillbench/configs"
)

// sound are three skills in which nothing is found.
func sound() []Skill {
	return []Skill{
		{Name: "bill", Version: "1", Summary: "Send a bill again.", Triggers: []string{"lost an invoice"}, Boundary: "Sends.", Effect: NoEffect},
		{
			Name: "pay", Version: "1", Summary: "Pay an order by card.", Triggers: []string{"wants to settle"}, Boundary: "Pays.", Effect: Write, Idempotent: true,
			Params: map[string]Param{"order": {Type: "string", Required: true, Source: FromUser}}, Requires: []string{"bill"},
			NotWhen: []Negative{{State: "paid == true"}},
			Errors:  map[string]Class{"refused": Deterministic, "busy": Transient, "odd": Semantic},
		},
		{Name: "track", Version: "1", Summary: "Find a parcel.", NotWhen: []Negative{{Topic: "wants money"}}, Effect: NoEffect},
	}
}

// TestShippedLibrariesLintClean: what is found in them has a reason beside it.
func TestShippedLibrariesLintClean(t *testing.T) {
	t.Parallel()
	libraries, err := fs.ReadDir(configs.FS, "libraries")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range libraries {
		dir := "libraries/" + entry.Name()
		l, err := Load(configs.FS, dir, "configs/"+dir)
		if err != nil {
			t.Error(err)
			continue
		}
		if found, _ := Lint(l, Evidence{}); len(found) > 0 {
			t.Errorf("found:\n%s", shown(found))
		}
	}
}

// TestLintRules breaks one thing at a time.
func TestLintRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(list []Skill) []Skill
		e      Evidence
		want   string // one finding a line; "" for none
	}{
		{change: func(l []Skill) []Skill { return l }},
		{change: func(l []Skill) []Skill {
			l[1].Params = map[string]Param{"card_number": {Type: "string", Required: true, Source: FromUser}}
			return l
		}, want: "skill pay: parameters: parameter card_number is required from the user, and neither summary nor trigger nor its about mentions it; say in its about what it is, with an example"},
		{change: func(l []Skill) []Skill {
			l[1].Params = map[string]Param{"card_number": {Type: "string", Required: true, Source: FromUser, About: "Sixteen digits"}}
			return l
		}},
		{change: func(l []Skill) []Skill {
			l[1].Params = map[string]Param{}
			for _, name := range []string{"orders", "card", "b", "c"} {
				l[1].Params[name] = Param{Type: "string", Required: true, Source: FromUser, About: "Thing"}
			}
			return l
		}, want: "skill pay: parameters: 4 parameters are required from the user (b, c, card, orders), more than a typical request fills; want at most 3; take them from the context, give defaults, or split the skill"},
		{change: func(l []Skill) []Skill {
			l[1].Params = map[string]Param{"order": {Type: "string", Source: FromUser, Pattern: "A[0-9]", About: `Number, such as "B7", of an order`}}
			return l
		}, want: `skill pay: example: the example "B7" is not what parameter order allows; mend the example or the pattern`},
		{change: func(l []Skill) []Skill {
			l[1].Params = map[string]Param{"order": {Type: "string", Source: FromUser, Pattern: "A[0-9]", About: `Number, such as A7; of an order`}}
			return l
		}},
		{change: func(l []Skill) []Skill {
			l[2].Summary = "Handle things."
			return l
		}, want: `skill track: vague: content words in the summary "Handle things.": 0, want at least 2; say what is done to what, or what the customer asks for`},
		{change: func(l []Skill) []Skill {
			l[0].Triggers = []string{"Something is not right", "lost a bill"}
			return l
		}, want: `skill bill: vague: content words in the trigger "Something is not right": 0, want at least 1; say what is done to what, or what the customer asks for`},
		{change: func(l []Skill) []Skill {
			l[0].Boundary = "See the handbook."
			return l
		}, want: `skill bill: vague: the boundary "See the handbook." names no other skill, and no word of it is in the other layers; say where the skill ends, and which one begins there`},
		{change: func(l []Skill) []Skill {
			l[0].Boundary = "See track."
			return l
		}},
		{change: func(l []Skill) []Skill {
			l[0].Boundary, l[2].Summary = "Only of invoices.", "找包裹"
			return l
		}},
		{change: func(l []Skill) []Skill {
			l[2].NotWhen = []Negative{{State: "paid == true"}}
			return l
		}, want: "skill track: negatives: neither boundary nor a topic in not_when says when not to use it, and bill is the most alike (0.15); write a boundary, or a topic with the skill to use instead"},
		{change: func(l []Skill) []Skill {
			l[1].NotWhen = append(l[1].NotWhen, Negative{State: "paid == nil"})
			return l
		}, want: "skill pay: preconditions: 3 preconditions (1 in requires, 2 states in not_when), want at most 2; split the skill, or let a skill that it requires decide"},
		{change: func(l []Skill) []Skill {
			l[1].Errors["other"] = Deterministic
			return l
		}, want: "skill pay: branches: 4 branches of the result (success and 3 errors that are not transient), want at most 3; put errors together that are answered alike, or split the skill"},
		{change: func(l []Skill) []Skill {
			l[1].Triggers = []string{"Lost an  invoice."}
			return l
		}, want: `skill pay: trigger: the trigger "Lost an  invoice." stands in bill already; say what sets it apart, or take it out`},
		{change: func(l []Skill) []Skill {
			l[2].Summary, l[2].Triggers = "Send the bill again.", []string{"lost an invoice again"}
			return l
		}, e: Evidence{Similar: 0.7}, want: "skill bill: similar: the description is 0.76 alike to that of track, want at most 0.70; say what sets them apart, or make one skill of both"},
		{change: func(l []Skill) []Skill {
			l[2].Summary, l[2].Triggers = "Send the bill again.", []string{"lost an invoice again"}
			return l
		}},
		{change: func(l []Skill) []Skill {
			l[0].Requires, l[2].Requires, l[1].Requires = []string{"pay"}, []string{"bill"}, []string{"track"}
			return l
		}, want: "skill bill: cycle: the skills require each other: bill → pay → track → bill; take one of them out of requires"},
		{change: func(l []Skill) []Skill {
			l[1].Idempotent = false
			return l
		}, want: "skill pay: repeat: the effect is written, and nothing says that a second try does not write it twice; say idempotent: true if it is, or take a request_id from the context"},
		{change: func(l []Skill) []Skill {
			l[1].Idempotent, l[1].Money = false, true
			return l
		}},
		{change: func(l []Skill) []Skill {
			l[1].Idempotent = false
			l[1].Params["request_id"] = Param{Type: "string", Source: FromContext}
			return l
		}},
	} {
		l, err := New("made", c.change(sound()))
		if err != nil {
			t.Fatal(err)
		}
		found, _ := Lint(l, c.e)
		if got := shown(found); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

func shown(found []Finding) string {
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// TestLintConfused: pairs are judged by the group that confused them most, and
// only where there are enough messages.
func TestLintConfused(t *testing.T) {
	t.Parallel()
	l, err := New("made", sound())
	if err != nil {
		t.Fatal(err)
	}
	at := func(group string, right, wrong int) []Confusion {
		return []Confusion{{group, "bill", "bill", right - 2}, {group, "track", "track", 1}, {group, "track", "(ask)", 1}, {group, "bill", "track", wrong}, {group, "pay", "bill", 1}}
	}
	const mend = "; say in boundary and not_when of both where one ends and the other begins"
	for _, c := range []struct {
		measured []Confusion
		want     string
	}{
		{at("a", 9, 1), ""}, // 10 % is not over 10 %
		{at("a", 8, 2), "skill bill: confused: 2 of 10 messages for it or track were taken for the other one (a), want at most 10 %" + mend},
		{at("a", 7, 2), ""}, // 9 messages
		{append(at("a", 8, 2), at("b", 7, 3)...), "skill bill: confused: 3 of 10 messages for it or track were taken for the other one (b), want at most 10 %" + mend},
		{append(at("a", 7, 3), at("b", 8, 2)...), "skill bill: confused: 3 of 10 messages for it or track were taken for the other one (a), want at most 10 %" + mend},
		{[]Confusion{{"a", "track", "bill", 10}}, "skill bill: confused: 10 of 10 messages for it or track were taken for the other one (a), want at most 10 %" + mend},
		{[]Confusion{{"a", "track", "gone", 10}}, ""},
	} {
		found, _ := Lint(l, Evidence{Measured: c.measured})
		if got := shown(found); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// TestLintPlacesFindings: file and line, in their order, and remarks that allow.
func TestLintPlacesFindings(t *testing.T) {
	t.Parallel()
	yaml := strings.NewReplacer(
		"idempotent: true\n", "", "money: true\n", "",
		"  busy: transient\n", "  busy: transient\n  a: semantic\n  b: semantic\n",
	).Replace(goodYAML)
	repeat := "lib/pay/skill.yaml:22: repeat: "
	branches := "lib/pay/skill.yaml:27: branches: "
	for _, c := range []struct {
		remark  string
		want    []string
		allowed []string
	}{
		{"", []string{repeat, branches}, nil},
		{"# lint allow branches: there are so many\n", []string{repeat}, []string{branches}},
		{"  # lint allow branches: many\r\n# lint allow repeat: ids\n", nil, []string{repeat, branches}},
		{"# lint allow cycle: none\n", []string{repeat, branches, `lib/pay/skill.yaml:32: allow: the remark allows "cycle", of which nothing is found; take it out`}, nil},
		{"# lint allow branches:\n", []string{repeat, branches}, nil},
	} {
		l, err := Load(folder(yaml+c.remark, payText), "lib", "lib")
		if err != nil {
			t.Fatal(err)
		}
		found, allowed := Lint(l, Evidence{})
		begins(t, c.remark, found, c.want)
		begins(t, c.remark, allowed, c.allowed)
	}
}

func begins(t *testing.T, what string, found []Finding, want []string) {
	t.Helper()
	if len(found) != len(want) {
		t.Errorf("%s: %d findings, want %d:\n%s", what, len(found), len(want), shown(found))
		return
	}
	for i, f := range found {
		if !strings.HasPrefix(f.String(), want[i]) {
			t.Errorf("%s: got %s, want %s", what, f, want[i])
		}
	}
}

// TestLintVersions: a change without a new version is found, and locking again
// does not hide it.
func TestLintVersions(t *testing.T) {
	t.Parallel()
	changed := strings.Replace(goodYAML, "A receipt.", "A receipt by mail.", 1)
	bumped := strings.Replace(changed, "1.0.0", "1.0.1", 1)
	lock := mustLoad(t, folder(goodYAML, payText)).Relock(nil)
	for _, c := range []struct {
		what  string
		files fstest.MapFS
		lock  Lock
		want  string // begin of the one finding
		after string // the same, locked again
	}{
		{"as locked", folder(goodYAML, payText), lock, "", ""},
		{"no lock", folder(changed, payText), nil, "", ""},
		{"remark", folder("# a remark\n"+goodYAML, payText), lock, "", ""},
		{"changed", folder(changed, payText), lock, "lib/pay/skill.yaml:2: version: the definition is another one than lib/skills.lock:3 has for version 1.0.0; give it a new version, then run skillbench skills lint --lock", "lib/pay/skill.yaml:2: version: the definition is another one"},
		{"body changed", folder(goodYAML, payText+"More.\n"), lock, "lib/pay/skill.yaml:2: version: the definition is another one", "lib/pay/skill.yaml:2: version: the definition is another one"},
		{"bumped", folder(bumped, payText), lock, "lib/pay/skill.yaml:2: version: version 1.0.1 is not in lib/skills.lock yet, which has 1.0.0; run skillbench skills lint --lock", ""},
		{"older", folder(strings.Replace(goodYAML, "1.0.0", "0.9.10", 1), payText), lock, "lib/pay/skill.yaml:2: version: version 0.9.10 is before 1.0.0 of lib/skills.lock:3; give the definition a later version", "lib/pay/skill.yaml:2: version: version 0.9.10 is before"},
		{"not locked", folder(goodYAML, payText), Lock{"bill": lock["bill"]}, "lib/pay/skill.yaml:2: version: the skill is not in lib/skills.lock; run skillbench skills lint --lock", ""},
		{"gone", folder(goodYAML, payText), Lock{"bill": lock["bill"], "pay": lock["pay"], "sing": lock["pay"]}, "lib/skills.lock:4: version: sing is locked and not in the library; run skillbench skills lint --lock", ""},
	} {
		l := mustLoad(t, c.files)
		for want, k := range map[string]Lock{c.want: c.lock, c.after: reread(t, l.Relock(c.lock))} {
			if k != nil && c.lock != nil {
				k = reread(t, k)
			}
			found, _ := Lint(l, Evidence{Lock: k, LockFile: "lib/skills.lock"})
			if got := shown(found); (got == "") != (want == "") || !strings.HasPrefix(got, want) {
				t.Errorf("%s: got %q, want %q", c.what, got, want)
			}
		}
	}
}

// TestLintVectors: a vector is of the index of its version.
func TestLintVectors(t *testing.T) {
	t.Parallel()
	l := mustLoad(t, folder(goodYAML, payText))
	pay, _ := l.Find("pay")
	right := VectorOf{Skill: "pay", Version: "1.0.0", Hash: TextHash(pay.Index()), File: "v.jsonl", Line: 2}
	wrong, old, gone := right, right, right
	wrong.Hash, old.Hash, old.Version, gone.Hash, gone.Skill = pay.Hash(), "x", "0.9", "x", "sing"
	for want, v := range map[string][]VectorOf{
		"": {right, old, gone},
		"lib/pay/skill.yaml:2: version: the vector of version 1.0.0 in v.jsonl:2 is of another text; give the definition a new version, and embed it again": {old, wrong},
	} {
		found, _ := Lint(l, Evidence{Vectors: v})
		if got := shown(found); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func mustLoad(t *testing.T, files fstest.MapFS) Library {
	t.Helper()
	l, err := Load(files, "lib", "lib")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// reread takes a lock through its file.
func reread(t *testing.T, k Lock) Lock {
	t.Helper()
	got, err := ReadLock(fstest.MapFS{"lib/skills.lock": {Data: []byte(k.Text())}}, "lib", "lib")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestHash: everything counts but the version.
func TestHash(t *testing.T) {
	t.Parallel()
	hash := two()[0].Hash()
	for what, change := range map[string]func(*Skill){
		"summary": func(s *Skill) { s.Summary += "!" },
		"body":    func(s *Skill) { s.Body = "x" },
		"state":   func(s *Skill) { s.NotWhen[2].State = "secret == false" },
		"pattern": func(s *Skill) {
			s.Params["order"] = Param{Type: "string", Required: true, Source: FromUser, Pattern: "A[1-9]"}
		},
		"enabled": func(s *Skill) { s.Enabled = new(bool) },
	} {
		s := two()[0]
		if change(&s); s.Hash() == hash {
			t.Errorf("%s does not count", what)
		}
	}
	s := two()[0]
	if s.Version = "2"; s.Hash() != hash {
		t.Error("the version counts")
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"order": true, "orders": true, "card": true, "cards": true, "order_card": true, "order_number": false, "number": false} {
		if mentions(map[string]bool{"orders": true, "card": true}, name) != want {
			t.Errorf("%s: mentioned %v", name, !want)
		}
	}
}

func TestReadLockFaults(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("a", 32)
	for text, want := range map[string]string{
		"# x\npay 1.0\n":                      `lib/skills.lock:2: want name, version and hash, got "pay 1.0"; write the lock again with skillbench skills lint --lock`,
		"pay one " + hash:                     `lib/skills.lock:1: want name, version and hash, got "pay one ` + hash + `"; write the lock again with skillbench skills lint --lock`,
		"pay 1 " + hash + "\n\npay 2 " + hash: "lib/skills.lock:3: want each skill once, pay stands in line 1 already",
		strings.Repeat("x", maxLock+1):        "lib/skills.lock: cannot read the lock: larger than 256 KiB",
	} {
		_, err := ReadLock(fstest.MapFS{"lib/skills.lock": {Data: []byte(text)}}, "lib", "lib")
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if lock, err := ReadLock(fstest.MapFS{}, "lib", "lib"); lock != nil || err != nil {
		t.Errorf("no file: %v, %v", lock, err)
	}
}

func TestVersionsCompare(t *testing.T) {
	t.Parallel()
	order := []string{"0", "0.0.1", "0.9", "0.10", "1", "1.0.1", "2", "10.0"}
	for i, a := range order {
		for j, b := range order {
			if later(a, b) != (i > j) {
				t.Errorf("%s later than %s: %v", a, b, later(a, b))
			}
		}
	}
	if later("1", "1.0.0") || later("1.0.0", "1") {
		t.Error("1 and 1.0.0 differ")
	}
}

// TestPairs: the cosine by hand, for two words of which one is shared.
func TestPairs(t *testing.T) {
	t.Parallel()
	l, err := New("made", []Skill{
		{Name: "a", Version: "1", Summary: "red apple", Effect: NoEffect},
		{Name: "b", Version: "1", Summary: "Apple, green!", Effect: NoEffect, Boundary: "red", NotWhen: []Negative{{Topic: "red"}}},
		{Name: "c", Version: "1", Summary: "!?", Effect: NoEffect},
	})
	if err != nil {
		t.Fatal(err)
	}
	shared, own := 1+math.Log(4.0/3), 1+math.Log(4.0/2)
	want := []Pair{{"a", "b", shared * shared / (shared*shared + own*own)}, {"a", "c", 0}, {"b", "c", 0}}
	got := l.Pairs()
	if d := math.Abs(got[0].Similarity - want[0].Similarity); d > 1e-12 {
		t.Errorf("got %v, want %v", got[0], want[0])
	}
	got[0].Similarity = want[0].Similarity
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	if d := cmp.Diff([]string{"pay", "a1047", "退", "款", "now", "s"}, words("Pay A1047: 退款now's")); d != "" {
		t.Error(d)
	}
}

// A finding is one line, whatever its folder is called.
func TestFindingsStayOnTheirLine(t *testing.T) {
	t.Parallel()
	f := Finding{Rule: "example", Skill: "pay\n", File: "my\nlib\x1b[2J/skill.yaml", Line: 3, What: "x\u2028y", Mend: "z\r"}
	if got, want := f.String(), `my\u000alib\u001b[2J/skill.yaml:3: example: x\u2028y; z\u000d`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
