package warehouse

import (
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
)

// language is what simulated models know of the task. The key of a belief is an
// item, its value a shelf; or the key is a code and its value an item. Read and the observations share one list of
// sentences; a line that is not wholly one of them says nothing, so neither
// noise nor reasoning is taken up.
type language struct{}

// Read takes one pass over each section. The action of a past reply counts as
// tried unless the next section is an observation that opens with an error.
func (language) Read(sections []sim.Section) sim.Reading {
	r := sim.Reading{Exclusive: true} // a shelf holds one item
	for i, s := range sections {
		l := listener{part: s.Part, at: s.At}
		switch s.Part {
		case sim.InState:
			l.state(s.Text)
		case sim.InReply:
			if i+1 == len(sections) || !failed(sections[i+1]) {
				l.reply(s.Text)
			}
		default:
			l.lines(s.Text)
		}
		r.Mentions = append(r.Mentions, l.mentions...)
		if s.Part == sim.InObservation && l.event.Kind != "" {
			r.Event = l.event
		}
	}
	return r
}

func failed(next sim.Section) bool {
	observed := next.Part == sim.InHistory || next.Part == sim.InObservation
	return observed && strings.HasPrefix(strings.TrimLeft(next.Text, "\n"), errorHeading)
}

// A listener collects what one section says.
type listener struct {
	part     sim.Part
	at       int // byte offset of the section in the prompt
	mentions []sim.Mention
	event    sim.Event
}

func (l *listener) mention(stance sim.Stance, key, value string, at int) {
	l.mentions = append(l.mentions, sim.Mention{Key: key, Value: value, Part: l.part, Stance: stance, At: l.at + at})
}

// lines reads sentences up to the noise block.
func (l *listener) lines(text string) { sim.EachLine(text, prompt.LabelBackground, l.line) }

func (l *listener) line(said string, at int) {
	if rest, ok := strings.CutPrefix(said, stockHeading); ok {
		l.stock(rest, at+len(stockHeading))
		return
	}
	for _, e := range announcements {
		if names, ok := e.says.heard(said); ok {
			l.event = sim.Event{Kind: e.kind, Args: map[string]string{e.arg: names[0]}, At: l.at + at}
			return
		}
	}
	for _, m := range statements {
		if names, ok := m.says.heard(said); ok {
			for _, f := range m.facts {
				value := ""
				if f.value != nowhere {
					value = names[f.value]
				}
				l.mention(f.stance, names[f.key], value, at)
			}
			return
		}
	}
}

// stock reads the opening line, "item_1 on shelf_0, item_2 on shelf_1."
func (l *listener) stock(text string, at int) {
	for pair := range strings.SplitSeq(strings.TrimSuffix(text, "."), ", ") {
		if names, ok := stockPair.heard(pair); ok {
			l.mention(sim.Says, names[0], names[1], at)
		}
		at += len(pair) + len(", ")
	}
}

// The arguments of events.
const (
	argItem  = "item"
	argShelf = "shelf"
	argCode  = "code"
)

var announcements = []struct {
	says      sentence
	kind, arg string
}{
	{saysReceived, kindReceive, argItem},
	{saysOrdered, kindOrder, argItem},
	{saysOrderedCode, kindOrder, argCode},
	{saysMaintenance, kindMaintenance, argShelf},
}

// A fact of a sentence: the places of its key and of its value.
type fact struct {
	stance sim.Stance
	key    int
	value  int
}

const nowhere = -1

var statements = []struct {
	says  sentence
	facts []fact
}{
	{saysStored, []fact{{sim.Says, 0, 1}}},
	{saysShipped, []fact{{sim.Says, 0, nowhere}}},
	{saysMoved, []fact{{sim.Says, 0, 2}}},
	{saysHeld, []fact{{sim.Denies, 0, 1}, {sim.Says, 2, 1}}},
	{saysNoDock, []fact{{sim.Denies, 0, 1}}},
	{saysNotThere, []fact{{sim.Denies, 0, 1}}},
	{saysNoOrder, []fact{{sim.Says, 0, 1}}},
	{saysBlocked, []fact{{sim.Denies, 0, 2}, {sim.Says, 0, 1}, {sim.Says, 3, 2}}},
	{saysNowOn, []fact{{sim.Says, 0, 1}}},
	{saysLost, []fact{{sim.Says, 1, nowhere}}},
	{saysRelabel, []fact{{sim.Says, 0, nowhere}, {sim.Says, 2, 1}}},
	{saysCanceled, []fact{{sim.Says, 0, nowhere}}},
	{saysWillMean, []fact{{sim.Says, 0, 1}}},
	{saysVoid, []fact{{sim.Says, 0, 1}}},
	{saysMeans, []fact{{sim.Says, 0, 1}}},
	{saysIsOn, []fact{{sim.Says, 0, 1}}},
	{saysNowhere, []fact{{sim.Says, 0, nowhere}}},
}
