package routing

import (
	"maps"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// A conversation is what a player has read of the present dialogue.
type conversation struct {
	*session
	desk    map[string]any // what the back office knows
	known   map[string]any // what earlier messages gave for parameters
	message string
	again   bool     // the message was shown before
	tried   []string // skills that were called for it

	asked, topic string // the question that the last decision asked, and the skill it is about
}

// read takes up an observation.
func (c *conversation) read(text string) {
	said := ""
	again := false
	sim.EachLine(text, prompt.LabelBackground, func(line string, _ int) {
		if strings.HasPrefix(line, newHeading+": ") {
			*c = conversation{session: c.session, desk: map[string]any{}, known: map[string]any{}}
		}
		if _, members, ok := numbered(line, deskHeading); ok {
			if o, err := state.Parse([]byte(members)); err == nil {
				c.desk = o.Root()
			}
		}
		if _, message, ok := numbered(line, customerHeading); ok {
			said = message
		}
		again = again || strings.HasPrefix(line, leftHeading+": ")
	})
	if c.again = again; !again {
		maps.Copy(c.known, c.source.said(c.message))
		c.message, c.tried = said, nil
	}
}

// situation is what rules take into account.
func (c *conversation) situation() rank.Situation {
	text, _ := c.desk[deskTime].(string)
	at, _ := skills.ParseClock(text) // the desk shows it
	offered := []string{}
	for _, one := range c.shown {
		if !c.absent(one.Name) && !slices.Contains(c.tried, one.Name) {
			offered = append(offered, one.Name)
		}
	}
	return rank.Situation{Library: c.library, Offered: offered, At: at, State: c.desk, Known: c.known}
}

// answered reports whether the message gives what was asked for.
func (c *conversation) answered() bool {
	one, ok := c.library.Find(c.topic)
	if !ok {
		return false
	}
	_, given := rank.Extract(one, c.message, nil)[c.asked]
	return given
}

// absent reports whether a skill is not in service in this conversation.
func (c *conversation) absent(name string) bool {
	names, _ := c.desk[deskAbsent].(string)
	return slices.Contains(strings.Split(names, ", "), name)
}

// untried leaves out what is not in service and what was called for this message.
func (c *conversation) untried(ranked []rank.Scored) []rank.Scored {
	return slices.DeleteFunc(slices.Clone(ranked), func(s rank.Scored) bool { return c.absent(s.Name) || slices.Contains(c.tried, s.Name) })
}

// took notes a decision.
func (c *conversation) took(d rank.Decision) {
	c.asked, c.topic = "", ""
	switch d.Do {
	case record.Ask:
		c.asked, c.topic = d.Param, d.About
	case record.Call:
		c.tried = append(c.tried, d.Skill)
	}
}
