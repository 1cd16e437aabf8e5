package simserver

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"skillbench/harness/model/sim"
)

const idPrefix = "sim:"

func idOf(mechanism, task string) string { return idPrefix + mechanism + "/" + task }

// simulated finds the model that an id names and sets it as the id says.
func (s *Server) simulated(id string) (*sim.Model, *apiError) {
	name, settings, _ := strings.Cut(id, "?")
	mechanism, task, _ := strings.Cut(strings.TrimPrefix(name, idPrefix), "/")
	language, known := s.o.Languages[task]
	if !known || !slices.Contains(s.Models(), name) {
		param, code := "model", "model_not_found"
		return nil, &apiError{status: http.StatusNotFound, Kind: "invalid_request_error", Param: &param, Code: &code,
			Message: fmt.Sprintf("the model %.100q does not exist; want one of %s", id, strings.Join(s.Models(), ", "))}
	}
	c := sim.Config{Mechanism: mechanism}
	err := set(&c, settings)
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		return nil, badRequest("model", fmt.Sprintf("model %.100q: %s", id, err))
	}
	return sim.New(c, language), nil
}

// set applies settings written as the query of a URL.
func set(c *sim.Config, settings string) error {
	values, err := url.ParseQuery(settings)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if len(values[key]) != 1 {
			return fmt.Errorf("%s: want it once, got it %d times", key, len(values[key]))
		}
		if err := setOne(c, key, values[key][0]); err != nil {
			return err
		}
	}
	return nil
}

func setOne(c *sim.Config, key, value string) error {
	var err error
	want := ""
	switch key {
	case "guess":
		c.Guess = sim.Guess(value)
	case "strength":
		want, c.Strength = "a number", new(0.0)
		*c.Strength, err = strconv.ParseFloat(value, 64)
		if *c.Strength != *c.Strength {
			err = strconv.ErrRange
		}
	case "verbosity":
		n := 0
		want = "a number of characters"
		n, err = strconv.Atoi(value)
		c.Verbosity = map[string]int{"": n}
	case "restates":
		want = "true or false"
		c.Restates, err = strconv.ParseBool(value)
	case "seed":
		want = "a whole number that is not negative"
		c.Seed, err = strconv.ParseUint(value, 10, 64)
	default:
		return fmt.Errorf("%s: want one of guess, strength, verbosity, restates, seed", key)
	}
	if err != nil {
		return fmt.Errorf("%s: want %s, got %q", key, want, value)
	}
	return nil
}
