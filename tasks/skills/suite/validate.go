package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// Validate holds every case against the library that it is about: skills exist and
// are not absent, params satisfy the contract as they stand, an ask names a
// parameter that the customer gives, and the state has what comes from it. The
// error joins a line for every case at fault.
func (s Suite) Validate(lib skills.Library) error {
	var faults []error
	for _, c := range s.Cases {
		if err := c.against(lib); err != nil {
			faults = append(faults, fmt.Errorf("%s:%d: case %q: %w", s.source, c.line, c.ID, err))
		}
	}
	return errors.Join(faults...)
}

func (c Case) against(lib skills.Library) error {
	for _, name := range c.Absent {
		if _, ok := lib.Find(name); !ok {
			return fmt.Errorf("absent: want skills of %s, got %q", lib.Name, name)
		}
	}
	for i, t := range c.Turns {
		if err := c.judge(t.Expect, lib); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return nil
}

func (c Case) judge(e Expect, lib skills.Library) error {
	if err := c.known(e.Route, lib); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	if err := c.fits(e.Route, e.Params, lib); err != nil {
		return err
	}
	for _, r := range e.Accept {
		if err := c.known(r, lib); err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		if err := c.fits(r, e.Params, lib); err != nil {
			return fmt.Errorf("accept: %w", err)
		}
	}
	for _, name := range e.Forbidden {
		if _, ok := lib.Find(name); !ok {
			return fmt.Errorf("forbidden: want skills of %s, got %q", lib.Name, name)
		}
		if e.Allows(record.Route{Do: record.Call, Skill: name}) {
			return fmt.Errorf("forbidden: %s cannot be right as well", name)
		}
	}
	return nil
}

// known wants the skills of a route in the library and in the catalogue of the
// case; a decline may name one that was taken out.
func (c Case) known(r record.Route, lib skills.Library) error {
	for _, name := range []string{r.Skill, r.Other} {
		if name == "" {
			continue
		}
		if _, ok := lib.Find(name); !ok {
			return fmt.Errorf("want a skill of %s, got %q", lib.Name, name)
		}
		if r.Do != record.Decline && slices.Contains(c.Absent, name) {
			return fmt.Errorf("%s is absent in this case", name)
		}
	}
	if r.Do != record.Ask {
		return nil
	}
	skill, _ := lib.Find(r.Skill)
	if p, ok := skill.Params[r.Param]; !ok || p.Source != skills.FromUser {
		return fmt.Errorf("param: want a parameter of %s that the customer gives, got %q", r.Skill, r.Param)
	}
	return nil
}

// fits holds the params of a call against the contract.
func (c Case) fits(r record.Route, params map[string]any, lib skills.Library) error {
	if r.Do != record.Call {
		return nil
	}
	contract := lib.Contract(r.Skill)
	if params == nil {
		params = map[string]any{}
	}
	args, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("params: want values of JSON: %w", err)
	}
	right, faults := contract.Check(args)
	if len(faults) > 0 {
		return fmt.Errorf("params of %s: want what its contract wants, got %s", r.Skill, strings.Join(faults, ", "))
	}
	if _, faults := contract.Fill(right, c.State); len(faults) > 0 {
		return fmt.Errorf("state: want what %s takes from it, got %s", r.Skill, strings.Join(faults, ", "))
	}
	return nil
}
