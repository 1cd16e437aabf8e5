package skills

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The rules that look at one definition by itself.

// parameters: a request in the words of summary and triggers should fill what the
// contract wants, or the one who asks should know what to ask for.
func (x *linter) parameters() {
	for _, s := range x.Skills {
		said := map[string]bool{}
		for _, w := range words(s.Summary + " " + strings.Join(s.Triggers, " ")) {
			said[w] = true
		}
		wanted := x.Contract(s.Name).Required()
		for _, name := range wanted {
			if s.Params[name].About == "" && !mentions(said, name) {
				x.find(s, "params."+name, fmt.Sprintf("parameter %s is required from the user, and neither summary nor trigger nor its about mentions it", name),
					"say in its about what it is, with an example")
			}
		}
		if len(wanted) > MaxAsked {
			x.find(s, "params", fmt.Sprintf("%d parameters are required from the user (%s), more than a typical request fills; want at most %d", len(wanted), strings.Join(wanted, ", "), MaxAsked),
				"take them from the context, give defaults, or split the skill")
		}
	}
}

// mentions reports whether every word of a parameter's name is said, in singular
// or plural.
func mentions(said map[string]bool, name string) bool {
	for _, w := range words(strings.ReplaceAll(name, "_", " ")) {
		if !said[w] && !said[w+"s"] && !said[strings.TrimSuffix(w, "s")] {
			return false
		}
	}
	return true
}

var exampleText = regexp.MustCompile(`such as (\S+)`)

// examples: the example that a model is shown must be a value that it may write.
func (x *linter) examples() {
	for _, s := range x.Skills {
		for _, name := range slices.Sorted(maps.Keys(s.Params)) {
			p := s.Params[name]
			m := exampleText.FindStringSubmatch(p.About)
			if m == nil || p.Type != "string" {
				continue
			}
			value := strings.Trim(m[1], `"'.,;:()`)
			if _, fits := p.Normal(value); !fits {
				x.find(s, "params."+name+".about", fmt.Sprintf("the example %q is not what parameter %s allows", value, name), "mend the example or the pattern")
			}
		}
	}
}

// negatives: what nothing sets apart is taken for its neighbours.
func (x *linter) negatives() {
	pairs := x.Pairs()
	for _, s := range x.Skills {
		if s.Boundary != "" || len(s.topics()) > 0 {
			continue
		}
		what := "neither boundary nor a topic in not_when says when not to use it"
		for _, p := range pairs {
			if p.A == s.Name || p.B == s.Name {
				what += fmt.Sprintf(", and %s is the most alike (%.2f)", p.other(s.Name), p.Similarity)
				break
			}
		}
		x.find(s, "name", what, "write a boundary, or a topic with the skill to use instead")
	}
}

// other is the other skill of a pair.
func (p Pair) other(name string) string {
	if p.A == name {
		return p.B
	}
	return p.A
}

func (x *linter) preconditions() {
	for _, s := range x.Skills {
		states := 0
		for _, n := range s.NotWhen {
			if n.State != "" {
				states++
			}
		}
		if n := len(s.Requires) + states; n > MaxPreconditions {
			x.find(s, "not_when", fmt.Sprintf("%d preconditions (%d in requires, %d states in not_when), want at most %d", n, len(s.Requires), states, MaxPreconditions),
				"split the skill, or let a skill that it requires decide")
		}
	}
}

// branches: transient errors are no branch, because the runtime tries again.
func (x *linter) branches() {
	for _, s := range x.Skills {
		n := 1
		for _, class := range s.Errors {
			if class != Transient {
				n++
			}
		}
		if n > MaxBranches {
			x.find(s, "errors", fmt.Sprintf("%d branches of the result (success and %d errors that are not transient), want at most %d", n, n-1, MaxBranches),
				"put errors together that are answered alike, or split the skill")
		}
	}
}

// repeats: a write that is tried again after a lost answer must not happen twice.
func (x *linter) repeats() {
	for _, s := range x.Skills {
		p, ok := s.Params["request_id"]
		kept := ok && p.Source != FromUser
		if s.Effect == Write && !s.Idempotent && !s.Money && !kept {
			x.find(s, "effect", "the effect is written, and nothing says that a second try does not write it twice",
				"say idempotent: true if it is, or take a request_id from the context")
		}
	}
}
