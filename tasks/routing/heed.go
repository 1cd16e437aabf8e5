package routing

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A notice is what the latest observation says of its message.
type notice struct {
	told  string   // the line that it opens with; "" where the message is new
	tried []string // skills that were called for the message
	looks int      // at something, for the message
	fresh bool     // it begins a conversation
}

func noticeIn(sections []sim.Section) notice {
	var n notice
	for _, s := range sections {
		if s.Part != sim.InObservation {
			continue
		}
		sim.EachLine(s.Text, prompt.LabelBackground, func(line string, _ int) {
			n.fresh = n.fresh || strings.HasPrefix(line, newHeading+": ")
			if rest, ok := strings.CutPrefix(line, triedHeading+": "); ok {
				n.tried = strings.Split(rest, ", ")
			}
			if rest, ok := strings.CutPrefix(line, leftHeading+": "); ok {
				n.told, _, _ = strings.Cut(s.Text, "\n")
				var decisions, remain int
				if _, err := fmt.Sscanf(rest, leftFormat, &decisions, &remain); err == nil {
					n.looks = maxLooks - remain
				}
			}
		})
	}
	return n
}

// heed follows what the desk said of the last try at this message: it asks for
// what is missing, goes where it is sent, leaves out what was called and did not
// settle it, and gives up on the rest.
func (c *chooser) heed() (sim.Answer, bool) {
	for _, name := range c.tried {
		c.catalogue, c.latest = without(c.catalogue, name), without(c.latest, name)
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
