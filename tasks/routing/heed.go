package routing

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// left reads of an observation whose message was shown before the line that it
// opens with, and how often something was looked at for the message; of any, that
// it begins a conversation.
func left(sections []sim.Section) (told string, looks int, fresh bool) {
	for _, s := range sections {
		if s.Part != sim.InObservation {
			continue
		}
		sim.EachLine(s.Text, prompt.LabelBackground, func(line string, _ int) {
			fresh = fresh || strings.HasPrefix(line, newHeading+": ")
			if rest, ok := strings.CutPrefix(line, leftHeading+": "); ok {
				told, _, _ = strings.Cut(s.Text, "\n")
				var decisions, remain int
				if _, err := fmt.Sscanf(rest, leftFormat, &decisions, &remain); err == nil {
					looks = maxLooks - remain
				}
			}
		})
	}
	return told, looks, fresh
}

// heed follows what the desk said of the last try at this message: it asks for
// what is missing, goes where it is sent, leaves out what ran and did not settle
// it, and gives up on the rest.
func (c *chooser) heed() (sim.Answer, bool) {
	if rest, ok := strings.CutPrefix(c.told, resultHeading); ok {
		name, _, _ := strings.Cut(rest, ": ")
		c.catalogue = without(c.catalogue, name)
		c.latest = without(c.latest, name)
		return sim.Answer{}, false
	}
	if !strings.HasPrefix(c.told, errorHeading) {
		return sim.Answer{}, false
	}
	if param := after(c.told, "; ask for "); param != "" {
		return c.decide(record.Route{Do: record.Ask, Param: param}, "The desk wants it asked for."), true
	}
	if param := after(c.told, faultMissing); param != "" {
		return c.decide(record.Route{Do: record.Ask, Param: param}, "The desk says it is missing."), true
	}
	if name := after(c.told, "; see "); name != "" {
		e := c.known[name]
		if e == nil {
			e = &entry{name: name}
		}
		return c.take(e, "The desk sends it there."), true
	}
	return c.decide(record.Route{Do: record.Decline}, "The desk does not do it."), true
}

func without(list []*entry, name string) []*entry {
	return slices.DeleteFunc(slices.Clone(list), func(e *entry) bool { return e.name == name })
}

// after is the word that follows a mark, "" where there is none.
func after(text, mark string) string {
	_, rest, ok := strings.Cut(text, mark)
	if !ok {
		return ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if end < 0 {
		end = len(rest)
	}
	return rest[:end]
}
