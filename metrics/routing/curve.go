package routing

import (
	"encoding/json"
	"slices"
)

// options are those of a routing task that metrics know by name.
type options struct {
	Suite string `json:"suite"`
	Split string `json:"split"`
	Arm   string `json:"arm"`
	Gates bool   `json:"gates"`
}

func optionsOf(d Definition) options {
	var o options
	if json.Unmarshal(d.Options, &o) != nil {
		return options{}
	}
	return o
}

// without are the options but for those named, as text that is equal where they
// are.
func without(d Definition, names ...string) string {
	var all map[string]any
	if len(d.Options) > 0 && json.Unmarshal(d.Options, &all) != nil {
		return string(d.Options)
	}
	for _, name := range names {
		delete(all, name)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return string(d.Options)
	}
	return d.Base + d.Hash + string(text)
}

// A Curve is accuracy over what several tasks differ in, and nothing else. A task
// that has no such relatives is a curve of its own.
type Curve struct {
	Key             // of the first task
	Arm    string   `json:"arm"`
	Tasks  []string `json:"tasks"`
	Points []Point  `json:"points"` // by skills offered, or by the place of the right skill
	Fifths []Point  `json:"fifths"` // by that place relative to the catalogue; null in sizes
	Bias   *Bias    `json:"bias"`   // null in sizes
}

// Options of a task over which curves run: how many skills are offered, and
// where the right ones stand.
const (
	overSkills   = "skills"
	overPosition = "position"
)

// curves joins groups whose tasks differ in the options over and nothing else.
func (r *Result) curves(tallies map[Key]*tally, over ...string) []Curve {
	list, joined, place := []Curve{}, []*tally{}, map[Key]int{}
	for _, g := range r.Groups {
		same := g.Key
		same.Task = without(r.Tasks[g.Task], over...)
		i, ok := place[same]
		if !ok {
			i = len(list)
			place[same] = i
			list, joined = append(list, Curve{Key: g.Key, Arm: g.Arm}), append(joined, newTally())
		}
		list[i].Tasks = append(list[i].Tasks, g.Task)
		joined[i].add(tallies[g.Key])
	}
	for i := range list {
		list[i].take(joined[i], over)
	}
	return slices.DeleteFunc(list, func(c Curve) bool { return len(c.Points) == 0 })
}

// take fills a curve in. Places from the top are not told where catalogues of
// several sizes come together: far down there are large ones only.
func (c *Curve) take(t *tally, over []string) {
	c.Points = t.bySize()
	if !slices.Contains(over, overPosition) {
		return
	}
	b := t.bias()
	c.Fifths, c.Bias = t.byFifth(), &b
	if len(over) == 1 {
		c.Points = t.byPlace()
	}
}

// pooled are the curves over places in catalogues of several sizes, where a place
// counts relative to the size.
func (r *Result) pooled(tallies map[Key]*tally) []Curve {
	return slices.DeleteFunc(r.curves(tallies, overSkills, overPosition), func(c Curve) bool {
		return slices.ContainsFunc(r.Positions, func(one Curve) bool { return one.Key == c.Key && len(one.Tasks) == len(c.Tasks) })
	})
}
