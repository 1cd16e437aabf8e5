// Package filler makes skills that are never right: plausible work of departments
// that have nothing to do with after-sales, to fill a catalogue up with. Each is
// composed of a verb and an object of a department, with its own summary, triggers,
// boundary and parameters.
//
// No text of theirs has a word of the after-sales trade (orders, parcels, refunds,
// …), and no object is one that an out-of-scope message of the after-sales suite
// asks for, so that what was right, or out of scope, stays so.
package filler

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"skillbench/tasks/skills"
)

// pairs are all verbs with the objects that they are for.
var pairs = func() (all []pair) {
	for _, o := range objects {
		for _, v := range verbs {
			if v.on&o.kind != 0 {
				all = append(all, pair{v, o})
			}
		}
	}
	return all
}()

type pair struct {
	verb
	object
}

// Most is how many skills there are.
var Most = len(pairs)

// salt keeps this draw apart from others of the same seed.
const salt = 0xf111e4

// Filler returns n skills, all there are where n is more than [Most]. They depend
// on the seed only, and fewer are the first of more, so that a catalogue grows
// without losing what it had.
func Filler(n int, seed uint64) []skills.Skill {
	draw := rand.New(rand.NewPCG(seed, salt))
	list := make([]skills.Skill, 0, max(0, min(n, Most)))
	for _, i := range draw.Perm(Most) {
		if len(list) >= n {
			break
		}
		list = append(list, pairs[i].skill())
	}
	return list
}

// skill puts verb and object together.
func (p pair) skill() skills.Skill {
	v, o, d := p.verb, p.object, departments[p.dept]
	say := func(format string) string {
		gaps := strings.NewReplacer("{one}", o.one, "{many}", o.many, "{the}", "the "+bare(o.one), "{dept}", d.name, "{for}", o.purpose)
		text := gaps.Replace(format)
		return strings.ToUpper(text[:1]) + text[1:]
	}
	s := skills.Skill{
		Name: v.name + "-" + slug(bare(o.one)), Version: "1.0.0", Group: o.dept,
		Summary:  say(v.summary),
		Boundary: say(v.boundary),
		NotWhen:  []skills.Negative{{Topic: say("It is about something else than {many} of {dept}")}},
		Promise:  say(v.promise),
		Params: map[string]skills.Param{"id": {
			Type: "string", Required: true, Source: skills.FromUser, Pattern: o.prefix + "-[0-9]{5}",
			About: say(fmt.Sprintf("Number of {the}, such as %s-40812", o.prefix)),
		}},
		Output:     skills.Output{Keep: []string{"id", "result"}, Now: []string{"remark"}, Drop: []string{"editor.email", "internal_cost"}},
		Effect:     v.effect,
		Idempotent: true,
		Errors:     map[string]skills.Class{"unknown_id": skills.Semantic, "system_busy": skills.Transient},
	}
	for _, t := range v.triggers {
		s.Triggers = append(s.Triggers, say(t))
	}
	if v.param != "" {
		s.Params[v.param] = v.shape
	}
	return s
}

// bare takes the article off.
func bare(one string) string {
	_, noun, _ := strings.Cut(one, " ")
	return noun
}

func slug(noun string) string { return strings.ReplaceAll(strings.ToLower(noun), " ", "-") }
