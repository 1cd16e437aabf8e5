package skills

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"skillbench/configs"
)

func shipped(t *testing.T) Library {
	t.Helper()
	l, err := Load(configs.FS, "libraries/after-sales", "configs/libraries/after-sales")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestShippedLibraryLoads(t *testing.T) {
	t.Parallel()
	l := shipped(t)
	if l.Name != "after-sales" || len(l.Skills) == 0 {
		t.Fatalf("%d skills of library %q", len(l.Skills), l.Name)
	}
	for i, s := range l.Skills {
		if found, ok := l.Find(s.Name); !ok || found.Version != s.Version || l.Contract(s.Name) == nil || s.Body == "" {
			t.Errorf("%s: not found, or no contract or body", s.Name)
		}
		if i > 0 && l.Skills[i-1].Name >= s.Name {
			t.Errorf("%s stands after %s", s.Name, l.Skills[i-1].Name)
		}
	}
	if _, ok := l.Find("nothing"); ok || l.Contract("nothing") != nil {
		t.Error("a skill that is not there was found")
	}
}

const (
	goodYAML = `name: pay
version: 1.0.0
group: money
summary: Pay a bill.
trigger:
  - The customer wants to pay
boundary: Pays. Bills are sent by bill.
not_when:
  - topic: The customer has no bill
    use: bill
  - state: paid == true
    then: ask:order
promise: A receipt.
params:
  order: {type: string, required: true, source: user, pattern: 'A[0-9]{4}', about: 'Order, such as A1047'}
  amount: {type: number, source: user}
  customer: {type: string, required: true, source: context}
  channel: {type: string, source: fixed, default: chat}
output:
  keep: [receipt]
  drop: [card.last4]
effect: write
money: true
idempotent: true
requires: [bill]
reads: [order]
writes: [payment]
errors:
  refused: deterministic
  busy: transient
hours: 22:00-06:00
`
	billYAML = "name: bill\nversion: 1\nsummary: Send a bill.\nboundary: Sends.\neffect: none\n"
	payText  = "---\nname: pay\ndescription: Pay a bill. Use it for money.\n---\nDo it.\n"
	billText = "---\nname: bill\ndescription: Send a bill\n---\nDo it.\n"
)

// folder is a library of two skills.
func folder(yaml, text string) fstest.MapFS {
	return fstest.MapFS{
		"lib/pay/skill.yaml":  {Data: []byte(yaml)},
		"lib/pay/SKILL.md":    {Data: []byte(text)},
		"lib/bill/skill.yaml": {Data: []byte(billYAML)},
		"lib/bill/SKILL.md":   {Data: []byte(billText)},
		"lib/README.md":       {Data: []byte("not a skill")},
		"lib/.git/config":     {Data: []byte("not a skill")},
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	l, err := Load(folder(goodYAML, strings.ReplaceAll(payText, "\n", "\r\n")), "lib", "my/lib")
	if err != nil {
		t.Fatal(err)
	}
	pay, _ := l.Find("pay")
	if l.Name != "lib" || strings.Join(l.Names(), " ") != "bill pay" || pay.Body != "Do it.\n" || !pay.Money {
		t.Errorf("got %+v", l)
	}
	if got := strings.Join(l.Groups(), ","); got != ",money" {
		t.Errorf("groups %q", got)
	}
}

// TestFaultsOfDefinitions: every fault is one line that says file, line, what was
// found and what is wanted.
func TestFaultsOfDefinitions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{"name: pay", "name: Pay", `1: name: want that of the folder, "pay", got "Pay"`},
		{"name: pay", "nam: pay", `1: nam: unknown key; want one of name, version, group, summary, trigger, boundary, not_when, promise, params, output, effect, money, idempotent, requires, reads, writes, errors, enabled, hours`},
		{"version: 1.0.0", "version: new", `2: version: want a version such as 1.0.2, got "new"`},
		{"group: money", "group: Money Matters", `3: group: want 1 to 64 of a-z, 0-9 and -, got "Money Matters"`},
		{"summary: Pay a bill.", "summary: ''", `4: summary: want one line of text, got none`},
		{"summary: Pay a bill.", `summary: "Pay\nthis"`, `4: summary: want one line of printable characters, got "Pay\nthis"`},
		{"summary: Pay a bill.", `summary: "Pay \u202e this"`, `4: summary: want one line of printable characters, got "Pay \u202e this"`},
		{"wants to pay", strings.Repeat("x", 1025), `6: trigger.0: want at most 1024 characters, got 1038`},
		{"- topic: The customer has no bill", "- topic: The customer has no bill\n    state: paid == true", `9: not_when.0: want either topic or state`},
		{"  - topic: The customer has no bill\n    use: bill", "  - use: bill", `9: not_when.0: want either topic or state`},
		{"    use: bill", "    use: bills", `10: not_when.0.use: want another skill of the library, got "bills"`},
		{"    use: bill", "    use: pay", `10: not_when.0.use: want another skill of the library, got "pay"`},
		{"    use: bill", "    then: decline", `10: not_when.0.then: want it with a state only, because nobody evaluates a topic`},
		{"paid == true", "paid", `11: not_when.1.state: want an expression such as paid == false, got "paid": a member by itself may be no truth: compare it, as in paid == true`},
		{"paid == true", "paid ==", `11: not_when.1.state: want an expression such as paid == false, got "paid ==": unexpected token EOF (1:7)`},
		{"paid == true", `"paid == true /* \n## Latest Observation\n */"`, `11: not_when.1.state: want one line of printable characters, got "paid == true /* \n## Latest Observation\n */"`},
		{"paid == true", `"paid == true // \e[2J"`, `11: not_when.1.state: want one line of printable characters, got "paid == true // \x1b[2J"`},
		{"ask:order", "ask:customer", `12: not_when.1.then: want a parameter with source: user after ask:, got "customer"`},
		{"ask:order", "sing", `12: not_when.1.then: want decline or ask:<parameter>, got "sing"`},
		{"  amount:", "  a-mount:", `16: params.a-mount: want a parameter's name of letters, digits and _, got "a-mount"`},
		{"{type: number, source: user}", "{type: date, source: user}", `16: params.amount.type: want string or integer or number or boolean, got "date"`},
		{"{type: number, source: user}", "{type: number, source: model}", `16: params.amount.source: want user or context or fixed, got "model"`},
		{"{type: number, source: user}", "{type: number, source: user, pattern: '1'}", `16: params.amount: want pattern and enum with type: string only, got number`},
		{"{type: number, source: user}", "{type: number, source: user, default: much}", `16: params.amount.default: want what the parameter allows, got "much"`},
		{"{type: number, source: user}", "{type: integer, source: user, default: 1.5}", `16: params.amount.default: want what the parameter allows, got "1.5"`},
		{"{type: number, source: user}", "{type: string, source: user, default: 2024-01-01}", `16: params.amount.default: want what the parameter allows, got "2024-01-01 00:00:00 +0000 UTC"`},
		{"{type: number, source: user}", "{type: number, source: user, required: true, default: 1}", `16: params.amount: want either required or a default, because with a default nobody asks`},
		{"{type: number, source: user}", "{type: string, source: user, enum: [a, b, a]}", `16: params.amount.enum: want each value once, got "a" twice`},
		{"A[0-9]{4}", "A[0-9", "15: params.order.pattern: want an RE2 expression, got \"A[0-9\": error parsing regexp: missing closing ]: `[0-9`"},
		{"A[0-9]{4}", "(?=A)", "15: params.order.pattern: want an RE2 expression, got \"(?=A)\": error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
		{"A[0-9]{4}", `\QA+`, `15: params.order.pattern: want special characters escaped one by one and not with \Q, got "\\QA+"`},
		{"A[0-9]{4}", `(a?){1000}(b?){1000}`, `15: params.order.pattern: want repeats that make at most 2500 instructions, got 8002: allow less of them`},
		{", default: chat", "", `18: params.channel: want a default for a fixed parameter, because nobody else gives its value`},
		{"keep: [receipt]", "keep: [receipt, card.last4]", `21: output.drop.0: want a field in one list, found "card.last4" in output.keep too`},
		{"keep: [receipt]", "keep: [receipt, receipt]", `20: output.keep.1: want each entry once, got "receipt" twice`},
		{"keep: [receipt]", "keep: [re..ceipt]", `20: output.keep.0: want a field such as order.status, got "re..ceipt"`},
		{"effect: write", "effect: writes", `22: effect: want none or write, got "writes"`},
		{"effect: write", "effect: none", `23: money: want effect: write for an effect that costs money, got none`},
		{"requires: [bill]", "requires: [bill, pay]", `25: requires.1: want another skill of the library, got "pay"`},
		{"requires: [bill]", "requires: nobody", `25: requires.0: want another skill of the library, got "nobody"`},
		{"reads: [order]", "reads: [Order]", `26: reads.0: want a slot's name of a-z, 0-9, _, . and -, got "Order"`},
		{"refused: deterministic", "refused: final", `29: errors.refused: want deterministic or transient or semantic, got "final"`},
		{"hours: 22:00-06:00", "hours: 22-6", `31: hours: want hours such as 09:00-18:00, got "22-6"`},
		{"hours: 22:00-06:00", "hours: 25:00-06:00", `31: hours: want a time of day such as 09:30, got "25:00"`},
		{"hours: 22:00-06:00", "hours: 06:00-06:00", `31: hours: want two different times, got "06:00-06:00"; leave hours out for the whole day`},
	} {
		if strings.Count(goodYAML, c.old) < 1 {
			t.Fatalf("%q is not in the definition", c.old)
		}
		_, err := Load(folder(strings.Replace(goodYAML, c.old, c.new, 1), payText), "lib", "my/lib")
		if want := "my/lib/pay/skill.yaml:" + c.want; err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", c.new, err, want)
		}
	}
}

func TestFaultsOfTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Do it.":    "my/lib/pay/SKILL.md:1: want front matter between two lines ---, found none",
		"---\na: b": "my/lib/pay/SKILL.md:1: front matter is not closed: end it with a line ---",
		"---\nname: pay\ndescription: Pay a bill\n---\n \n":  "my/lib/pay/SKILL.md: the body is empty: write the instructions below the front matter",
		"---\nname: bill\ndescription: Pay a bill\n---\nDo.": `my/lib/pay/SKILL.md:2: name: want that of skill.yaml, "pay", got "bill"`,
		"---\nname: pay\ndescription: Pay it\n---\nDo.":      `my/lib/pay/SKILL.md:3: description: want the summary of skill.yaml in it, "Pay a bill", got "Pay it"`,
		"---\nname: pay\n---\nDo.":                           `my/lib/pay/SKILL.md:2: description: want one line of text, got none`,
		"---\nname: pay\ndescripton: Pay\n---\nDo.":          `my/lib/pay/SKILL.md:3: descripton: unknown key; want one of name, description, license, compatibility, metadata, allowed-tools`,
		"\xff": "my/lib/pay/SKILL.md: want UTF-8, found other bytes",
		"---\nname: pay\ndescription: " + strings.Repeat("x", 1025) + "\n---\nDo.": `my/lib/pay/SKILL.md:3: description: want at most 1024 characters, got 1025`,
		strings.Repeat("x", maxMarkdown+1):                                         "my/lib/pay/SKILL.md: want the skill's text: larger than 256 KiB",
	} {
		_, err := Load(folder(goodYAML, text), "lib", "my/lib")
		if err == nil || err.Error() != want {
			t.Errorf("%.60q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestFaultsOfFolders: all that cannot be read is told at once.
func TestFaultsOfFolders(t *testing.T) {
	t.Parallel()
	files := folder(goodYAML, payText)
	delete(files, "lib/pay/skill.yaml")
	delete(files, "lib/bill/SKILL.md")
	_, err := Load(files, "lib", "my/lib")
	want := "my/lib/bill/SKILL.md: want the skill's text: file does not exist\nmy/lib/pay/skill.yaml: want the skill's definition: file does not exist"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Load(files, "nowhere", "nowhere"); err == nil || err.Error() != "nowhere: want a folder of skills: file does not exist" {
		t.Errorf("got %v", err)
	}
	empty := fstest.MapFS{"lib/README.md": {}}
	if _, err := Load(empty, "lib", "lib"); err == nil || err.Error() != "lib: want a folder for each skill, with SKILL.md and skill.yaml, found none" {
		t.Errorf("got %v", err)
	}
}

// TestOddFiles: what is no file of a skill is told, and nobody waits for it.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"pay/skill.yaml": "lib/pay/skill.yaml: want the skill's definition: not a regular file",
		"pay/SKILL.md":   "lib/pay/SKILL.md: want the skill's text: not a regular file",
		LockFile:         "lib/skills.lock: cannot read the lock: not a regular file",
		"gone":           "lib/gone: the link leads nowhere: no such file or directory",
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, folder(goodYAML, payText)); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, "lib", name)
		os.Remove(at) // where it is there
		make := syscall.Mkfifo
		if name == "gone" {
			make = func(path string, _ uint32) error { return os.Symlink("nowhere", path) }
		}
		if err := make(at, 0o600); err != nil {
			t.Skip(err)
		}
		_, err := Load(os.DirFS(dir), "lib", "lib")
		if err == nil {
			_, err = ReadLock(os.DirFS(dir), "lib", "lib")
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", name, err, want)
		}
	}
}

// TestNew: without files, faults name the skill.
func TestNew(t *testing.T) {
	t.Parallel()
	s := Skill{Name: "a", Version: "1", Summary: "A.", Effect: NoEffect}
	if _, err := New("made", []Skill{s}); err != nil {
		t.Error(err)
	}
	if _, err := New("made", []Skill{s, s}); err == nil || err.Error() != `skill a: name: want each skill once, found "a" twice` {
		t.Errorf("got %v", err)
	}
	if _, err := New("made", nil); err == nil || err.Error() != "made: want 1 to 1000 skills, found 0" {
		t.Errorf("got %v", err)
	}
}
