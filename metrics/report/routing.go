package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

// A scene is the routing groups that stand in one table: one model, and the
// players, which no model plays, under the same conditions. Arms are rows.
type scene struct {
	routing.Key // without task and agent
	groups      []routing.Group
	result      *routing.Result
	title, slug string
	never       []string // names of agents that never call
}

// alwaysNone is the player that never calls a skill.
const alwaysNone = "always_none"

const routingWords = "A dialogue is one or more messages of a customer; each is to go to one skill, or to be asked about, or declined. " +
	"Right is a first decision that the suite wants or accepts; parameters are counted apart. " +
	"Intervals are at 95 % and over sessions, whose dialogues share a catalogue: Wilson's for shares, widened for what a session has in common. k/n are the counts that a share is made of; all figures with their counts are in routing.json. Agents and arms that show the same figures share a row; the CSV files keep them apart."

const mechanismWords = "These are simulated models: they pick by the words of the prompt, so the tables show what a prompt makes readable and that the measures work. They are a mechanism and no evidence of what a language model does."

// routed is what the run says of routing.
func routed(d *data) []Block {
	if d.routing == nil {
		return nil
	}
	out := []Block{Paragraph(routingWords)}
	scenes := d.scenes()
	for _, s := range scenes {
		if len(scenes) > 1 {
			out = append(out, Heading{3, s.title})
		}
		if s.Kind == record.Simulated {
			out = append(out, Paragraph(mechanismWords))
		}
		out = append(out, s.blocks()...)
	}
	return out
}

func (s *scene) blocks() []Block {
	out := s.glance()
	for _, t := range []*Table{s.five(), s.decisions(), s.refusals(), s.poisoned(), s.recall(), s.kinds(), s.skills(), s.confused()} {
		if t != nil && len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	out = append(out, s.heats()...)
	out = append(out, s.curves()...)
	for _, t := range []*Table{s.sizes(), s.bias(), s.tokens(), s.gates(), s.pairs(routing.Arms), s.pairs(routing.Floors), s.directions()} {
		if t != nil && len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// scenes parts the groups by model and condition. Players stand in every scene of
// their condition.
func (d *data) scenes() []*scene {
	var list []*scene
	for _, g := range d.routing.Groups {
		k := sceneKey(g.Key)
		if g.Kind == record.NoModel && d.modelled(k) || slices.ContainsFunc(list, func(s *scene) bool { return s.Key == k }) {
			continue
		}
		list = append(list, &scene{Key: k, result: d.routing, never: d.never()})
	}
	for _, s := range list {
		for _, g := range d.routing.Groups {
			if s.holds(g.Key) {
				s.groups = append(s.groups, g)
			}
		}
		s.name(list)
	}
	return list
}

// never are the agents that never call a skill.
func (d *data) never() []string {
	var names []string
	for _, a := range d.manifest.Agents {
		if a.Base == alwaysNone {
			names = append(names, a.Name)
		}
	}
	return names
}

func sceneKey(k routing.Key) routing.Key {
	k.Task, k.Agent = "", ""
	return k
}

// holds reports whether a group belongs to the scene.
func (s *scene) holds(k routing.Key) bool {
	k = sceneKey(k)
	if k.Kind == record.NoModel {
		k.Model, k.Kind = s.Model, s.Kind
	}
	return k == s.Key
}

// modelled reports whether some model played under a player's condition.
func (d *data) modelled(player routing.Key) bool {
	return slices.ContainsFunc(d.routing.Groups, func(g routing.Group) bool {
		k := sceneKey(g.Key)
		k.Model, k.Kind = player.Model, player.Kind
		return g.Kind != record.NoModel && k == player
	})
}

// first is the first agent that a model plays, "" where none does: what all agents
// have stands in the tables, the rest is shown for it alone.
func (s *scene) first() string {
	for _, g := range s.groups {
		if g.Kind != record.NoModel {
			return g.Agent
		}
	}
	return ""
}

// name says what tells the scene from the others.
func (s *scene) name(all []*scene) {
	var words, varying []string
	for _, part := range []struct {
		word string
		of   func(*scene) string
	}{
		{plain(s.Model), func(o *scene) string { return o.Model }},
		{"split " + plain(s.Split), func(o *scene) string { return o.Split }},
		{fmt.Sprintf("T=%d", s.Horizon), func(o *scene) string { return fmt.Sprintf("T%d", o.Horizon) }},
		{string(s.World) + " world", func(o *scene) string { return string(o.World) }},
		{noiseWords(s.Noise), func(o *scene) string { return fmt.Sprintf("noise%d", o.Noise) }},
		{driftWords(s.Drift), func(o *scene) string { return o.Drift }},
	} {
		if part.word != "" && slices.ContainsFunc(all, func(o *scene) bool { return part.of(o) != part.of(s) }) {
			words, varying = append(words, part.word), append(varying, part.of(s))
		}
	}
	if s.title = strings.Join(words, ", "); len(varying) > 0 {
		s.slug = "_" + slug(varying)
	}
}

// table begins a table whose rows are groups.
func (s *scene) table(name, caption string, pairs ...string) *Table {
	return &Table{Name: "routing_" + name + s.slug, Caption: caption + s.in(), Shared: []string{"agent", "arm"}, Columns: columns(append([]string{"arm", "arm", "agent", "agent"}, pairs...)...)}
}

// in ends a caption where there are several scenes.
func (s *scene) in() string {
	if s.title == "" {
		return ""
	}
	return ": " + s.title
}

func armCells(k routing.Key) []Cell { return []Cell{text(plain(k.Task)), text(plain(k.Agent))} }

func rowName(k routing.Key) string { return plain(k.Task) + " " + plain(k.Agent) }

// rate are a share, its counts and its interval.
func rate(p stats.Proportion) []Cell {
	return append(count(p), text(interval(p.Interval, 3)))
}

// count are a share and its counts.
func count(p stats.Proportion) []Cell {
	return []Cell{number(p.Share, 3), text(fmt.Sprintf("%d/%d", p.K, p.N))}
}

// interval shows both ends. The minus is the typographic one, which no spreadsheet
// takes for the begin of a formula.
func interval(i stats.Interval, decimals int) string {
	if !i.OK() {
		return absent
	}
	return strings.ReplaceAll(grouped(i.Low.Format(decimals))+" … "+grouped(i.High.Format(decimals)), "-", "−")
}

// rateColumns name the cells of rate.
func rateColumns(key, head string) []string {
	return []string{key, head, key + "_counts", "k/n", key + "_interval", "95 %"}
}

func countColumns(key, head string) []string { return []string{key, head, key + "_counts", "k/n"} }

func flat(lists ...[]string) []string { return slices.Concat(lists...) }
