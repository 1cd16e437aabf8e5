package routing

import (
	"slices"

	"skillbench/tasks/skills/rank"
)

// recall brings up the candidates for the present message, best first and then
// the favourites; nil where the arm has none.
func (w *world) recall() []string {
	if w.options.Arm != RecallK {
		return nil
	}
	if w.index == nil {
		w.index = rank.NewBM25(w.shown)
	}
	names := []string{}
	for _, one := range w.index.Rank(w.query()) {
		if len(names) < w.options.K && w.has(w.now(), one.Name) {
			names = append(names, one.Name)
		}
	}
	for _, name := range w.options.Favourites {
		if w.has(w.now(), name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// query is what is searched for: the message, and that which the customer was
// asked about, if the message answers a question.
func (w *world) query() string {
	text := w.message().Say
	if w.asked != "" && w.turn > 0 {
		text = w.now().Turns[w.turn-1].Say + "\n" + text
	}
	return text
}
