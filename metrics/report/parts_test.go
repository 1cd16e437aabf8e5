package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

func announcement(n int, correct bool, used string) record.Act {
	return record.Act{
		Observation: record.Observation{Drift: "move#1", Announced: n, Free: true},
		Outcome:     record.Outcome{Correct: correct, Used: used},
	}
}

func TestDriftFollowsItsAnnouncements(t *testing.T) {
	t.Parallel()
	alert := record.Act{Observation: record.Observation{Drift: "move#1"}}
	relapse := record.Act{Observation: record.Observation{Drift: "move#1"}, Outcome: record.Outcome{Used: "obsolete"}}
	hopeless := announcement(1, true, "")
	hopeless.Observation.Impossible = true
	for name, c := range map[string]struct {
		acts []record.Act
		want drift
	}{
		"at once":  {[]record.Act{alert, announcement(1, true, "current")}, drift{announced: 1, trail: []answer{answerRight}, recovered: true}},
		"feedback": {[]record.Act{announcement(1, false, "obsolete"), announcement(2, true, "")}, drift{announced: 2, trail: []answer{answerObsolete, answerRight}, recovered: true, obsolete: true}},
		"alert":    {[]record.Act{announcement(1, false, ""), announcement(2, true, "")}, drift{announced: 2, trail: []answer{answerOther, answerRight}, recovered: true}},
		"never":    {[]record.Act{announcement(1, false, ""), announcement(2, false, "obsolete")}, drift{announced: 2, trail: []answer{answerOther, answerObsolete}, obsolete: true}},
		"relapse":  {[]record.Act{announcement(1, true, ""), relapse}, drift{announced: 1, trail: []answer{answerRight}, recovered: true, relapses: 1}},
		"hopeless": {[]record.Act{hopeless}, drift{announced: 1, trail: []answer{answerOther}, impossible: true}},
	} {
		var d drifts
		for _, a := range c.acts {
			d.step(a)
		}
		c.want.name = "move#1"
		if diff := cmp.Diff(&c.want, d[0], cmp.AllowUnexported(drift{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestStepsOfADriftThatIsNotRecoveredAreThoseWatched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d    drift
		want int
	}{{drift{announced: 3, recovered: true}, 2}, {drift{announced: 3}, 3}} {
		if got := c.d.steps(); got != c.want {
			t.Errorf("%+v: want %d, got %d", c.d, c.want, got)
		}
	}
}

func TestPlacesOfBuckets(t *testing.T) {
	t.Parallel()
	for v, want := range map[int]string{0: "0–1", 1: "0–1", 2: "2–4", 4: "2–4", 5: "5–9", 19: "10–19", 20: "20+", 1000: "20+"} {
		if got := ages[place(v, ages)].name; got != want {
			t.Errorf("age %d: want %s, got %s", v, want, got)
		}
	}
	var s strata
	for i := range 8 {
		s.add(record.Observation{Load: i}, i, 8, i%2 == 0)
	}
	if want := [4]hits{{1, 2}, {1, 2}, {1, 2}, {1, 2}}; s.quarter != want {
		t.Errorf("quarters: want %v, got %v", want, s.quarter)
	}
	if want := (hits{4, 8}); s.age[0] != want {
		t.Errorf("no fact needed: want %v, got %v", want, s.age[0])
	}
}

func TestCellsAreShown(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]Cell{
		"–":                   {},
		"9999":                whole(9999),
		"-12,345.7":           number(stats.Of(-12345.67), 1),
		"1,234,567 ± 0":       spread(stats.Of(1234567), stats.Of(0), 0),
		"=1+1":                text("=1+1"),
		"0.500 ± 123,456.000": spread(stats.Of(0.5), stats.Of(123456), 3),
	} {
		if got := c.shown(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

func TestNumbersAreNoFormulas(t *testing.T) {
	t.Parallel()
	table := &Table{Columns: columns("a", "a", "b±", "b"), Rows: [][]Cell{
		{text("-x"), spread(stats.Of(-1), stats.Of(0.25), 0)},
		{text("plain"), {}},
	}}
	got, err := table.csv()
	if err != nil {
		t.Fatal(err)
	}
	if want := "a,b,b_sd\n'-x,-1.000000,0.250000\nplain,,\n"; string(got) != want {
		t.Errorf("want %q, got %q", want, got)
	}
}

func TestMarkdownEscapesNoMoreThanItMust(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"secret_move":   "secret_move",
		"_x_ *y*":       `\_x\_ \*y\*`,
		"a|b`c":         "a\\|b\\`c",
		"<b>&amp;":      "&lt;b&gt;&amp;amp;",
		"# no heading":  `\# no heading`,
		"-5 and 3 - 2":  "-5 and 3 - 2",
		"- no item":     `\- no item`,
		"http://x [l]":  `http\://x \[l\]`,
		"![p](q)":       `\!\[p\](q)`,
		`back\slash $x`: `back\\slash \$x`,
	} {
		if got := escapeMarkdown(in); got != want {
			t.Errorf("%q: want %q, got %q", in, want, got)
		}
	}
}

func TestPlainNamesWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	if got := plain("a\x1b\u200bb\nc\xff"); got != "a<U+001B><U+200B>b c<U+FFFD>" {
		t.Errorf("got %q", got)
	}
	if got := []rune(plain(strings.Repeat("é", 5000))); len(got) != maxText+1 {
		t.Errorf("want %d characters and a mark, got %d", maxText, len(got))
	}
}

func TestNumbersListed(t *testing.T) {
	t.Parallel()
	set := map[int]bool{1: true, 2: true, 3: true, 7: true, 9: true, 10: true}
	if got, want := numbers(set), "1–3, 7, 9, 10"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

func TestFilesHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := Document{Blocks: []Block{&Table{Name: "a"}, Paragraph("a"), &Table{Name: "A"}, &Figure{Name: "a"}, &Table{Name: "a_2"}}}
	d.tellApart()
	var names []string
	for _, b := range d.Blocks {
		switch b := b.(type) {
		case *Table:
			names = append(names, "tables/"+b.Name)
		case *Figure:
			names = append(names, "plots/"+b.Name)
		}
	}
	if diff := cmp.Diff([]string{"tables/a", "tables/A_2", "plots/a", "tables/a_2_2"}, names); diff != "" {
		t.Error(diff)
	}
}
