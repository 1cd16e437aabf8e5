package rank

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// Rules decide on a message by how it was ranked. In this order:
//
//  1. No skill fits: decline. The best one is disabled or out of its hours:
//     decline, and say so.
//  2. A state negative of the best one holds: take the skill that it names in its
//     stead, once; else ask for the parameter that it names, unless the message
//     gives it; else decline. Only the state is looked at, never the text.
//  3. The best score is below Floor: decline. It is below Threshold: clarify.
//  4. The next skill that could be used is within Margin: offer both.
//  5. A parameter is missing that the customer has to give: ask for it, the first
//     by name.
//  6. Else call.
type Rules struct {
	Threshold float64 `yaml:"threshold" json:"threshold"` // 0 to 1
	Floor     float64 `yaml:"floor" json:"floor"`         // 0 to Threshold: below it a message is for no skill
	Margin    float64 `yaml:"margin" json:"margin"`       // 0 or more; 0 never offers
}

// The rules of each ranker. Those of BM25 and Trigrams are round numbers near the
// best on the dev split of the after-sales suite, with its fifteen skills; nothing
// was tuned on the test split.
var (
	// BM25Rules are for scores of BM25, which are shares of a whole message and
	// small: most words of a chatty message are about nothing.
	BM25Rules = Rules{Threshold: 0.06, Floor: 0.05, Margin: 0.002}

	// TrigramRules are for cosines of Trigrams.
	TrigramRules = Rules{Threshold: 0.22, Floor: 0.20, Margin: 0.002}

	// CosineRules are for cosines of a trained embedder. The threshold is the one
	// in use in the practice that the experiment follows; the others are guesses.
	CosineRules = Rules{Threshold: 0.62, Floor: 0.45, Margin: 0.03}
)

// Validate reports the first impossible value.
func (r Rules) Validate() error {
	switch {
	case !(r.Threshold >= 0 && r.Threshold <= 1):
		return fmt.Errorf("threshold: want a number from 0 to 1, got %g", r.Threshold)
	case !(r.Floor >= 0 && r.Floor <= r.Threshold):
		return fmt.Errorf("floor: want a number from 0 to the threshold, %g, got %g", r.Threshold, r.Floor)
	case !(r.Margin >= 0 && r.Margin <= 1):
		return fmt.Errorf("margin: want a number from 0 to 1, got %g", r.Margin)
	}
	return nil
}

// A Situation is what a decision takes into account beside the message.
type Situation struct {
	Library skills.Library
	Offered []string // the skills that are in the catalogue; nil: all of the library
	At      skills.Clock
	State   map[string]any // what the back office knows
	Known   map[string]any // what the customer said earlier, by parameter
}

// offers reports whether a skill is in the catalogue.
func (s Situation) offers(name string) bool {
	return s.Offered == nil || slices.Contains(s.Offered, name)
}

// A Decision is a route and what led to it.
type Decision struct {
	record.Route
	About  string         // the skill that an ask or a decline is about, "" for none
	Params map[string]any // of a call
	Reason string         // one line
}

// Decide applies the rules. Ranked is what a Ranker found for the message, among
// the skills that are in the catalogue.
func (r Rules) Decide(message string, ranked []Scored, s Situation) Decision {
	if len(ranked) == 0 {
		return decline("", "no skill shares a word with the message")
	}
	best, score := ranked[0].Name, ranked[0].Score
	skill, d, use := s.gate(best, message)
	if use != "" && s.offers(use) {
		skill, d, _ = s.gate(use, message)
	}
	if d != nil {
		return *d
	}
	if score < r.Floor {
		return decline("", fmt.Sprintf("the best score, %.3f of %s, is below %.3f", score, best, r.Floor))
	}
	if score < r.Threshold {
		return Decision{Route: record.Route{Do: record.Clarify}, Reason: fmt.Sprintf("the best score, %.3f of %s, is below %.3f", score, best, r.Threshold)}
	}
	if next, ok := s.next(ranked, message, best, skill.Name); ok && score-next.Score < r.Margin {
		return Decision{
			Route:  record.Route{Do: record.Offer, Skill: skill.Name, Other: next.Name},
			Reason: fmt.Sprintf("%s and %s are within %.3f", skill.Name, next.Name, r.Margin),
		}
	}
	return s.call(skill, message)
}

func decline(about, reason string) Decision {
	return Decision{Route: record.Route{Do: record.Decline}, About: about, Reason: reason}
}

// gate returns the skill of a name, or the decision where it may not be used, and
// then the skill that is to be used in its stead, "" for none.
func (s Situation) gate(name, message string) (skills.Skill, *Decision, string) {
	skill, ok := s.Library.Find(name)
	why := s.closed(skill)
	if !ok {
		why = name + " is not in the library"
	}
	if why != "" {
		d := decline(name, why)
		return skill, &d, ""
	}
	n := s.negative(skill, message)
	if n == nil {
		return skill, nil, ""
	}
	d := negated(skill, *n)
	return skill, &d, n.Use
}

func (s Situation) closed(skill skills.Skill) string {
	switch {
	case skill.Open(s.At):
		return ""
	case !skill.On():
		return skill.Name + " is disabled"
	}
	return skill.Name + " is open " + skill.Hours + " only"
}

// negative is the first state negative that holds. One that asks for a parameter
// which is given does not count. One that cannot be compared does not hold.
func (s Situation) negative(skill skills.Skill, message string) *skills.Negative {
	given := Extract(skill, message, s.Known)
	for i, n := range skill.NotWhen {
		param, asks := strings.CutPrefix(n.Then, "ask:")
		if _, known := given[param]; asks && known {
			continue
		}
		if holds, err := n.Holds(s.State); err == nil && holds {
			return &skill.NotWhen[i]
		}
	}
	return nil
}

// negated is the decision that a negative asks for.
func negated(skill skills.Skill, n skills.Negative) Decision {
	if param, asks := strings.CutPrefix(n.Then, "ask:"); asks {
		return Decision{Route: record.Route{Do: record.Ask, Param: param}, About: skill.Name, Reason: n.State}
	}
	return decline(skill.Name, n.State)
}

// next is the best of the other skills that could be used.
func (s Situation) next(ranked []Scored, message string, but ...string) (Scored, bool) {
	for _, one := range ranked {
		skill, ok := s.Library.Find(one.Name)
		if ok && !slices.Contains(but, one.Name) && skill.Open(s.At) && s.negative(skill, message) == nil {
			return one, true
		}
	}
	return Scored{}, false
}

// call calls a skill, or asks for what is missing.
func (s Situation) call(skill skills.Skill, message string) Decision {
	params := Extract(skill, message, s.Known)
	for _, name := range s.Library.Contract(skill.Name).Required() {
		if _, ok := params[name]; !ok {
			return Decision{Route: record.Route{Do: record.Ask, Param: name}, About: skill.Name, Reason: skill.Name + " needs it"}
		}
	}
	return Decision{Route: record.Route{Do: record.Call, Skill: skill.Name}, Params: params, Reason: "the best score"}
}
