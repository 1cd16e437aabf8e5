package routing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
)

// catalogued is a run of n messages for each of the skills s0, s1, …; of each the
// first so many are called, the others declined.
func catalogued(t testing.TB, n int, called ...int) *routing.Result {
	t.Helper()
	b := routing.NewBook()
	for skill, hits := range called {
		for i := range n {
			c := cell("bare", "react", "sim:keyword", 1, uint64(100*skill+i+1))
			r := record.Routing{Case: fmt.Sprintf("s%d-%d", skill, i), Kind: "direct", Split: "test", Last: true, Ended: true, Offered: 10,
				Want: call(fmt.Sprintf("s%d", skill)), Got: do(record.Decline), Resolved: i < hits}
			if i < hits {
				r.Got = r.Want
			}
			b.Add(c, follow(t, c, record.Done, []step{{routing: &r}}))
		}
	}
	return result(t, b)
}

// One ruined description is found though the others make up for it. Nine skills
// changed in so few messages that they could not be found, and do not count: p of
// 7 lost is 2/2⁷, with one more skill to test twice that.
func TestGateFindsOneRuinedDescription(t *testing.T) {
	t.Parallel()
	baseline := file(t, catalogued(t, 12, 9, 2, 5, 5, 5, 5, 5, 5, 5, 5))
	const group = "bare, react, sim:keyword, split test, T=1: "
	const ruined = group + "skill called when wanted: s0 (9 of 12, now 2 of 12): of the same messages 7 got worse and 0 better, McNemar p = "
	const little = group + "skills called when wanted: within chance: s2 (5 of 12, now 4 of 12), s3 (5 of 12, now 4 of 12), s4 (5 of 12, now 4 of 12), s5 (5 of 12, now 4 of 12), s6 (5 of 12, now 4 of 12), 3 more"
	for _, c := range []struct {
		second int
		p      string
	}{{2, "0.01562"}, {9, "0.03125"}} {
		got, err := hold(t, baseline, catalogued(t, 12, 2, c.second, 4, 4, 4, 4, 4, 4, 4, 4))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Failures); n == 0 || got.Failures[n-1] != ruined+c.p+" after Holm's correction" {
			t.Errorf("got %q, want p = %s", got.Failures, c.p)
		}
		if n := len(got.Chance); n == 0 || got.Chance[n-1] != little {
			t.Errorf("got %q", got.Chance)
		}
	}
}

// Of three skills that lost six each none would be left by Bonferroni, nor by Holm:
// 3·2/2⁶ is more than 0.05.
func TestGateCorrectsForTheNumberOfSkills(t *testing.T) {
	t.Parallel()
	got, err := hold(t, file(t, catalogued(t, 12, 9, 9, 9)), catalogued(t, 12, 3, 3, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range got.Failures {
		if strings.Contains(line, "skill called") {
			t.Error(line)
		}
	}
	if len(got.Failures) != 3 || !strings.Contains(got.Failures[1], "called_when_wanted was 27 of 36, is 9 of 36: of the same dialogues 18 got worse") {
		t.Errorf("got %q", got.Failures)
	}
}

// A baseline of before cases had messages is compared by shares.
func TestGateWithoutMessages(t *testing.T) {
	t.Parallel()
	run := catalogued(t, 20, 18)
	for i := range run.Groups[0].Cases {
		run.Groups[0].Cases[i].Messages = nil
	}
	got, err := hold(t, file(t, run), catalogued(t, 20, 12))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Remarks) != 1 || !strings.Contains(got.Remarks[0], "write it anew") {
		t.Errorf("got %q", got.Remarks)
	}
	want := []string{
		"accuracy was 18 of 20, is 12 of 20: difference -0.300, 95 % from -0.543 to -0.003",
		"called_when_wanted was 18 of 20, is 12 of 20: difference -0.300, 95 % from -0.543 to -0.003",
		"first_contact was 18 of 20, is 12 of 20: of the same dialogues 6 got worse and 0 better, McNemar p = 0.03125",
	}
	for i := range want {
		want[i] = "bare, react, sim:keyword, split test, T=1: " + want[i]
	}
	if diff := cmp.Diff(want, got.Failures); diff != "" {
		t.Error(diff)
	}
}
