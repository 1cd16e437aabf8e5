package skills

import (
	"fmt"
	"strings"
)

// Holds reports whether the case is given in a state of JSON or YAML kinds. A
// topic never holds, because nobody evaluates it. The error says that the state
// has a value of a kind that cannot be compared.
func (n Negative) Holds(state map[string]any) (bool, error) {
	if n.State == "" {
		return false, nil
	}
	held := n.held
	if held == nil {
		var err error
		if held, err = compile(n.State); err != nil {
			return false, err
		}
	}
	return held.in(state)
}

// checkNegative prepares a negative and says what is wrong with it.
func (s *Skill) checkNegative(i int) error {
	n, key := &s.NotWhen[i], fmt.Sprintf("not_when.%d", i)
	switch {
	case (n.Topic == "") == (n.State == ""):
		return fmt.Errorf("%s: want either topic or state", key)
	case n.Topic != "" && n.Then != "":
		return fmt.Errorf("%s.then: want it with a state only, because nobody evaluates a topic", key)
	case n.Topic != "":
		return text(key+".topic", n.Topic, MaxText)
	}
	if err := text(key+".state", n.State, MaxText); err != nil {
		return err // remarks and white space of the language could hold lines of a prompt
	}
	held, err := compile(n.State)
	if err != nil {
		return fmt.Errorf("%s.state: %w", key, err)
	}
	n.held = held
	param, asks := strings.CutPrefix(n.Then, "ask:")
	switch p, known := s.Params[param]; {
	case !asks && n.Then != "" && n.Then != "decline":
		return fmt.Errorf("%s.then: want decline or ask:<parameter>, got %q", key, n.Then)
	case asks && (!known || p.Source != FromUser):
		return fmt.Errorf("%s.then: want a parameter with source: user after ask:, got %q", key, param)
	}
	return nil
}
