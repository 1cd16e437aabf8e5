package skills

import (
	"fmt"
	"strings"
)

// How many content words a text has at the least.
const (
	minInSummary = 2
	minInTrigger = 1
)

// empty are words that say nothing of what a skill is for.
var empty = setOf(`a an and any anything are as at be by can customer customers do does everything for from
	handle handles has have help helps how if in is issue issues it its kind manage manages matter matters need
	needs not of on one or other others please problem problems properly question questions right see some
	something stuff support that the them these they thing things this those to use user users various want
	wants what when where which who with wrong you your`)

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// content are the words of a text that say what it is about, without the s of
// plurals and verbs.
func content(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range words(text) {
		if !empty[w] {
			found[strings.TrimSuffix(w, "s")] = true
		}
	}
	return found
}

// vague: what says nothing of a subject is chosen by chance, and a boundary that
// speaks neither of the skill nor of a neighbour sets nothing apart.
func (x *linter) vague() {
	for _, s := range x.Skills {
		x.thin(s, "summary", s.Summary, minInSummary)
		for i, t := range s.Triggers {
			x.thin(s, fmt.Sprintf("trigger.%d", i), t, minInTrigger)
		}
		if s.Boundary != "" && len(x.Skills) > 1 && !x.namesNeighbour(s) && !shares(content(s.Boundary), s.besideBoundary()) {
			x.find(s, "boundary", fmt.Sprintf("the boundary %q names no other skill, and no word of it is in the other layers", clip(s.Boundary)),
				"say where the skill ends, and which one begins there")
		}
	}
}

func (x *linter) thin(s Skill, key, text string, least int) {
	n := len(content(text))
	if n >= least {
		return
	}
	layer, _, _ := strings.Cut(key, ".")
	x.find(s, key, fmt.Sprintf("content words in the %s %q: %d, want at least %d", layer, clip(text), n, least),
		"say what is done to what, or what the customer asks for")
}

func (x *linter) namesNeighbour(s Skill) bool {
	for _, other := range x.Skills {
		if other.Name != s.Name && strings.Contains(strings.ToLower(s.Boundary), other.Name) {
			return true
		}
	}
	return false
}

// besideBoundary is all that a definition says of itself but in its boundary.
func (s Skill) besideBoundary() map[string]bool {
	parts := append([]string{s.Name, s.Group, s.Summary, s.Promise}, s.Triggers...)
	parts = append(parts, s.topics()...)
	for name, p := range s.Params {
		parts = append(parts, strings.ReplaceAll(name, "_", " "), p.About)
	}
	return content(strings.Join(parts, " "))
}

func shares(a, b map[string]bool) bool {
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}
