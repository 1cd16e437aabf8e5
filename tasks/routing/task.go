// Package routing is a desk of an after-sales team, or of any other suite of
// dialogues: customers write, and each message is to go to the one skill that
// settles it, with the right parameters, or to be asked about, or declined. One
// episode is a session of dialogues, one after another; what varies is how the
// agent comes to know the skills.
package routing

import (
	"maps"
	"math/rand/v2"
	"slices"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills"
)

const taskName = "routing"

// Task is the routing task. The horizon counts dialogues; the last message of a
// dialogue is a base event, those before it are free. A wrong call that changes
// nothing leaves a message open, as `Load` and `Open` do; see Options.
func Task() harness.Task {
	return harness.Task{
		Name:     taskName,
		Doc:      "a service desk: send each message of a customer to the right skill of a library",
		Skill:    "routing",
		Options:  func() harness.Options { o := defaults(); return &o },
		New:      begin,
		Grammar:  Grammar,
		Effects:  Effects,
		Language: language{},
		Random:   func(r *rand.Rand, truth state.Object) string { return drawn(r, defaultSkills(), truth) },
		RandomIn: randomIn,
	}
}

// Effects says that Load and Open look at the catalogue, which never changes
// within a conversation. What a call does is not in its words.
func Effects(action string) []harness.Effect {
	c, err := parse(action)
	if err != nil || c.route.Do.Decides() {
		return nil
	}
	return []harness.Effect{{Kind: harness.Reads, On: action}}
}

func defaultSkills() []skills.Skill {
	src, err := openSource(defaults().Suite)
	if err != nil {
		return nil
	}
	return src.library.Skills
}

// randomIn draws from the catalogue of an episode.
func randomIn(spec harness.Spec) (func(*rand.Rand, state.Object) string, error) {
	s, err := newSession(spec)
	if err != nil {
		return nil, err
	}
	return func(r *rand.Rand, truth state.Object) string { return drawn(r, s.shown, truth) }, nil
}

// drawn is a call of one of the skills with the facts that are known, an
// offer, a question, or a refusal; each skill is as likely as each of the others.
func drawn(r *rand.Rand, list []skills.Skill, truth state.Object) string {
	if len(list) == 0 {
		return verbDecline
	}
	n := r.IntN(len(list) + 3)
	if n < len(list) {
		return written(record.Route{Do: record.Call, Skill: list[n].Name}, known(list[n], truth))
	}
	one := list[r.IntN(len(list))]
	switch asked := askable(one); {
	case n == len(list):
		return verbDecline
	case n == len(list)+1 || len(asked) == 0:
		return verbClarify
	default:
		return written(record.Route{Do: record.Ask, Param: asked[r.IntN(len(asked))]}, state.Object{})
	}
}

// askable are the parameters of a skill that a customer can be asked for.
func askable(one skills.Skill) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(one.Params)), func(name string) bool {
		return one.Params[name].Source != skills.FromUser
	})
}

// known are the parameters of a skill that are facts.
func known(one skills.Skill, truth state.Object) state.Object {
	args := map[string]any{}
	for _, name := range askable(one) {
		if v, ok := truth.Get(memberFacts, name); ok {
			args[name] = v
		}
	}
	return state.From(args)
}
