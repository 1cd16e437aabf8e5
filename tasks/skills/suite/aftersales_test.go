package suite_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"skillbench/configs"
	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/suite"
)

func afterSales(t testing.TB) (suite.Suite, skills.Library) {
	t.Helper()
	s, lib, err := suite.Open("after-sales", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	return s, lib
}

// gated says why a skill may not be used in a case, "" where it may.
func gated(t *testing.T, c suite.Case, s skills.Skill) string {
	at, err := skills.ParseClock(c.At)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Open(at) {
		return "closed"
	}
	for _, n := range s.NotWhen {
		if holds, err := n.Holds(c.State); err != nil {
			t.Fatal(err)
		} else if holds {
			return n.State
		}
	}
	return ""
}

// A state negative of the library may not forbid what the suite calls right, save
// one that asks for a parameter which the call then has; a decline for a skill
// that is there must have a reason in state or clock.
func TestRightAnswersFitStateAndClock(t *testing.T) {
	t.Parallel()
	s, lib := afterSales(t)
	for _, c := range s.Cases {
		for i, turn := range c.Turns {
			for _, r := range append([]record.Route{turn.Expect.Route}, turn.Expect.Accept...) {
				skill, _ := lib.Find(r.Skill)
				why := gated(t, c, skill)
				switch {
				case r.Do == record.Call && why != "" && turn.Expect.Params["iban"] == nil:
					t.Errorf("%s, turn %d: %s is called right, but %s", c.ID, i+1, r.Skill, why)
				case r.Do == record.Decline && r.Skill != "" && why == "" && !slices.Contains(c.Absent, r.Skill):
					t.Errorf("%s, turn %d: nothing speaks against %s", c.ID, i+1, r.Skill)
				}
			}
		}
	}
}

// What a call wants must have been said before, in this turn or an earlier one.
func TestParametersWereSaid(t *testing.T) {
	t.Parallel()
	s, _ := afterSales(t)
	for _, c := range s.Cases {
		said := ""
		for i, turn := range c.Turns {
			said += " " + strings.ToLower(turn.Say)
			for name, value := range turn.Expect.Params {
				if !strings.Contains(said, strings.ToLower(fmt.Sprint(value))) {
					t.Errorf("%s, turn %d: nobody said %s %v", c.ID, i+1, name, value)
				}
			}
			if turn.Expect.Do == record.Ask && turn.Expect.Params != nil {
				t.Errorf("%s, turn %d: an ask with params", c.ID, i+1)
			}
		}
	}
}

// guessed is how many first turns have the deed that most others of equal looks
// have; without equals, the deed that most of all have.
func guessed(cases []suite.Case, looks func(suite.Case) string) int {
	counts := map[string]map[record.Deed]int{}
	for _, c := range cases {
		key := looks(c)
		if counts[key] == nil {
			counts[key] = map[record.Deed]int{}
		}
		counts[key][c.Turns[0].Expect.Do]++
	}
	right := 0
	for _, c := range cases {
		deed, most := record.Call, 0 // that most have, as TestDeskTellsNoDeed counts
		for _, d := range []record.Deed{record.Call, record.Ask, record.Decline, record.Clarify, record.Offer} {
			n := counts[looks(c)][d]
			if d == c.Turns[0].Expect.Do {
				n-- // it does not vote for itself
			}
			if n > most {
				deed, most = d, n
			}
		}
		if deed == c.Turns[0].Expect.Do {
			right++
		}
	}
	return right
}

// What a desk shows beside the message must not give away what to do: whether
// skills are not in service, and which facts there are (not what they say), guess
// no better than always the same deed.
func TestDeskTellsNoDeed(t *testing.T) {
	t.Parallel()
	s, _ := afterSales(t)
	names := func(c suite.Case) string { return fmt.Sprint(slices.Sorted(maps.Keys(c.State))) }
	absent := func(c suite.Case) string { return fmt.Sprint(len(c.Absent)) }
	handoff := func(c suite.Case) string { return fmt.Sprint(slices.Contains(c.Absent, "human-handoff")) }
	chance := guessed(s.Cases, func(suite.Case) string { return "" })
	for what, looks := range map[string]func(suite.Case) string{
		"facts": names, "how many": func(c suite.Case) string { return fmt.Sprint(len(c.State)) }, "not in service": absent, "human-handoff": handoff,
		"time": func(c suite.Case) string { return c.At }, "all": func(c suite.Case) string { return names(c) + absent(c) + handoff(c) },
	} {
		const most = 4 // of 300
		if n := guessed(s.Cases, looks); n > chance+most {
			t.Errorf("%s: %d deeds of %d are guessed, by chance %d", what, n, len(s.Cases), chance)
		}
	}
}

func TestSuiteIsLargeAndStratified(t *testing.T) {
	t.Parallel()
	s, lib := afterSales(t)
	if len(s.Cases) < 260 {
		t.Errorf("%d cases, want 260 or more", len(s.Cases))
	}
	balanced := func(what string, most int, holds func(suite.Case) bool) {
		n := map[string]int{}
		for _, c := range s.Cases {
			if holds(c) {
				n[c.Split]++
			}
		}
		if all := n[suite.Dev] + n[suite.Test]; all < most || 3*n[suite.Dev] < all || 3*n[suite.Test] < all {
			t.Errorf("%s: %d dev and %d test; want %d cases or more, a third of them in each", what, n[suite.Dev], n[suite.Test], most)
		}
	}
	balanced("all", 260, func(suite.Case) bool { return true })
	for _, kind := range suite.Kinds {
		balanced(kind, 15, func(c suite.Case) bool { return c.Kind == kind })
	}
	for _, skill := range lib.Skills {
		if skill.On() {
			balanced(skill.Name, 20, func(c suite.Case) bool { return c.Calls(skill.Name) })
		}
	}
}

// Sentences are not spun: outside the pairs that differ by state only, no message
// is another one with its numbers changed.
func TestMessagesAreWrittenOneByOne(t *testing.T) {
	t.Parallel()
	s, _ := afterSales(t)
	seen := map[string]string{}
	for _, c := range s.Cases {
		if c.Kind == suite.StateDependent {
			continue
		}
		for _, turn := range c.Turns {
			words := strings.Fields(strings.Map(func(r rune) rune {
				if strings.ContainsRune("0123456789", r) {
					return -1
				}
				return r
			}, strings.ToLower(turn.Say)))
			bare := strings.Join(words, " ")
			if first, twice := seen[bare]; twice && len(words) > 3 {
				t.Errorf("%s says what %s says: %q", c.ID, first, turn.Say)
			}
			seen[bare] = c.ID
		}
	}
}
