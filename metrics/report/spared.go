package report

import (
	"strings"

	"skillbench/harness"
	"skillbench/harness/record"
)

// spared counts what models looked at and what a strategy's runtime made of it.
type spared struct {
	reads, reused int // reads and searches asked for, and those answered by an earlier result
	stale         int // of the latter, those whose result would by then have been another
	checks, run   int // checks asked for, and those that were run
	nudged        int // of these, with a remark
	recalled      int // answers from the record
	results       map[int]looked
}

// looked is an action that only looks and what it showed.
type looked struct{ action, result string }

// step takes up one act. Results of looks are kept until the episode is over.
func (s *spared) step(a record.Act) {
	switch harness.EffectKind(a.Looks) {
	case harness.Reads, harness.Searches:
		s.reads++
	case harness.Checks:
		s.checks++
	}
	v := record.Verdict{}
	if a.Verdict != nil {
		v = *a.Verdict
	}
	switch {
	case v.Ruling == record.Recall:
		s.recalled++
	case v.Ruling == record.Reuse:
		s.reused++
		if v.Skipped != nil && v.Skipped.Free && !s.results[v.Step].shows(a.Action, v.Skipped.Result) {
			s.stale++
		}
		return
	case v.Ruling == record.Nudge:
		s.nudged++
	}
	if a.Looks == string(harness.Checks) && v.Ruling != record.Reuse {
		s.run++
	}
	if a.Looks != "" {
		if s.results == nil {
			s.results = map[int]looked{}
		}
		s.results[a.Observation.Step] = looked{a.Action, a.Outcome.Result}
	}
}

// shows reports whether an earlier result is what a later action would show: the
// same for the same action, else every line but the heading, which says what was
// asked for.
func (l looked) shows(action, later string) bool {
	if l.action == action {
		return l.result == later
	}
	_, body, _ := strings.Cut(later, "\n")
	for line := range strings.Lines(body) {
		if !strings.Contains(l.result+"\n", "\n"+strings.TrimSuffix(line, "\n")+"\n") {
			return false
		}
	}
	return true
}

// runtimes says what the runtimes of strategies did on their own.
func runtimes(d *data) []Block {
	blocks := d.each(func(g *group) []Block {
		t := &Table{Name: g.file("runtime"), Caption: "What was looked at and what the strategy's runtime made of it, mean per episode" + g.in(),
			Columns: columns("horizon", "T", "agent", "agent", "n", "n", "reads", "reads asked", "reused", "reads spared", "share", "share spared", "stale", "stale answers (all episodes)",
				"checks", "checks asked", "run", "checks run", "nudged", "with a remark", "recalled", "recalls", "tokens", "total tokens")}
		some := false
		g.rows(func(horizon int, agent string) {
			cells := finished(g.at(horizon, agent))
			var s spared
			tokens := 0
			for _, c := range cells {
				s = s.plus(c.spared)
				tokens += c.total()
			}
			if s.reads+s.checks+s.recalled == 0 {
				return
			}
			some = some || s.reused+s.nudged+s.recalled > 0
			n := len(cells)
			t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), whole(n), meanOf(s.reads, n, 1), meanOf(s.reused, n, 1), meanOf(s.reused, s.reads, 3), whole(s.stale),
				meanOf(s.checks, n, 1), meanOf(s.run, n, 1), meanOf(s.nudged, n, 1), meanOf(s.recalled, n, 1), meanOf(tokens, n, 0)})
		})
		if !some {
			return nil
		}
		t.Notes = []string{"A spared read is also put to the world, without effect and shown to nobody; its answer is stale where the earlier result is not what it would show."}
		return []Block{t}
	})
	if len(blocks) == 0 {
		return nil
	}
	return append([]Block{Paragraph("A strategy may have a runtime that judges an accepted action before it reaches the world, by facts about finished calls and without a model: " +
		"a read that an earlier one covers is answered by pointing to it, a check that is repeated with nothing changed is run with a remark, a recall is answered from the record. All these steps are free.")}, blocks...)
}

func (s spared) plus(o spared) spared {
	s.reads += o.reads
	s.reused += o.reused
	s.stale += o.stale
	s.checks += o.checks
	s.run += o.run
	s.nudged += o.nudged
	s.recalled += o.recalled
	return s
}
