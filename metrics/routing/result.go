package routing

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"skillbench/harness/journal"
	"skillbench/metrics/stats"
)

// A Result is routing.json: what a run says of routing.
type Result struct {
	Version   int       `json:"version"`
	Name      string    `json:"name"` // of the experiment
	Tokenizer string    `json:"tokenizer"`
	Templates string    `json:"templates"` // hash
	Measures  []Measure `json:"measures"`  // what the names in a group mean

	Tasks  map[string]Definition `json:"tasks"`  // by label
	Models map[string]Definition `json:"models"` // by name

	Groups    []Group      `json:"groups"`    // in the order of the manifest
	Sizes     []Curve      `json:"sizes"`     // over tasks that differ in the number of skills only
	Positions []Curve      `json:"positions"` // over tasks that differ in the place of the right skills only
	Pooled    []Curve      `json:"pooled"`    // over tasks that differ in both; places relative to the catalogue
	Pairs     []Pair       `json:"pairs"`     // two groups on the same cases
	Gates     []Effect     `json:"gates"`     // what the gates of the runtime do
	Published []Comparison `json:"published"` // beside what others report
}

// Version of the format of routing.json.
const Version = 1

// A Definition is what a label stands for.
type Definition struct {
	Base    string          `json:"base"`
	Hash    string          `json:"hash"`    // of the skill files
	Options json.RawMessage `json:"options"` // of the task, or what shapes a model's replies
}

// A Group is the cells of one key with all that they come to. What is not known
// is null.
type Group struct {
	Key
	Arm       string      `json:"arm"` // option of the task; "" where it has none
	Cells     Cells       `json:"cells"`
	Sessions  int         `json:"sessions"` // or cases, where a session is one dialogue: what intervals are clustered by
	Dialogues int         `json:"dialogues"`
	Lost      int         `json:"lost"` // of these, not reached: unresolved, each with one wrong message
	Harms     int         `json:"harms"`
	Suite     stats.Value `json:"suite"` // dialogues of the split, of which cases were played; null where the journals do not say

	Rates  map[string]stats.Proportion `json:"rates"`
	Means  map[string]stats.Ratio      `json:"means"`
	Faults Faults                      `json:"faults"`

	MacroF1 Score `json:"macro_f1"` // over skills, and all that calls none as one
	Kappa   Score `json:"kappa"`    // over skills and deeds

	Recall    []Recall    `json:"recall"`
	Kinds     []Kind      `json:"kinds"`
	Skills    []Skill     `json:"skills"`
	Confusion []Confusion `json:"confusion"`
	Sizes     []Point     `json:"sizes"`
	Places    []Point     `json:"places"`
	Fifths    []Point     `json:"fifths"`
	Bias      Bias        `json:"bias"`
	Cases     []Case      `json:"cases"`
}

// Faults count calls of a right skill by what is wrong with their parameters; a
// call may have several.
type Faults struct {
	Missing int `json:"missing"`
	Invalid int `json:"invalid"`
	Wrong   int `json:"wrong"`
	Unknown int `json:"unknown"`
}

// A Kind is the cases of one kind.
type Kind struct {
	Kind  string                      `json:"kind"`
	Rates map[string]stats.Proportion `json:"rates"`
}

// A Case is what became of one case, over all times it was played. Wanted is a
// fingerprint of its kind and of what its first turn wants.
type Case struct {
	Case     string `json:"case"`
	Wanted   string `json:"wanted"`
	Plays    int    `json:"plays"`
	Right    int    `json:"right"` // plays whose every first decision was right
	Resolved int    `json:"resolved"`

	WrongCalls    int       `json:"wrong_calls"`    // in all plays, of a skill that is neither wanted nor accepted
	FalseTriggers int       `json:"false_triggers"` // first decisions that call a skill where none is right
	Messages      []Message `json:"messages"`       // in their order; null in files that do not have them yet
}

// Result derives all that a book says, or nil where it has nothing on routing.
// Kinds are those of the models by name.
func (b *Book) Result(m journal.Manifest, kinds map[string]string) *Result {
	keys, tallies := b.groups(kinds)
	if len(keys) == 0 {
		return nil
	}
	r := &Result{Version: Version, Name: m.Name, Tokenizer: m.Tokenizer, Templates: m.Templates, Measures: Measures(),
		Tasks: map[string]Definition{}, Models: map[string]Definition{}}
	tasks, models := index(m.Tasks), index(m.Models)
	agents := index(m.Agents)
	slices.SortStableFunc(keys, func(a, b Key) int {
		return cmp.Or(tasks[a.Task]-tasks[b.Task], models[a.Model]-models[b.Model], agents[a.Agent]-agents[b.Agent])
	})
	for _, k := range keys {
		r.define(r.Tasks, k.Task, m.Tasks)
		r.define(r.Models, k.Model, m.Models)
		whole := k
		whole.Split, whole.Kind = "", ""
		g := tallies[k].group(k)
		g.Cells, g.Arm = b.cells[whole], optionsOf(r.Tasks[k.Task]).Arm
		r.Groups = append(r.Groups, g)
	}
	r.Sizes, r.Positions = r.curves(tallies, overSkills), r.curves(tallies, overPosition)
	r.Pooled = r.pooled(tallies)
	r.Pairs, r.Gates = r.pairs(), r.gates()
	r.Published = r.published()
	return r
}

// index numbers definitions from 1 in their order; what is not among them comes
// first.
func index(list []journal.Definition) map[string]int {
	out := map[string]int{}
	for i, d := range list {
		out[d.Name] = i + 1
	}
	return out
}

func (r *Result) define(to map[string]Definition, name string, list []journal.Definition) {
	for _, d := range list {
		if d.Name == name {
			to[name] = Definition{Base: d.Base, Hash: d.Hash, Options: d.Keys}
		}
	}
}

// group measures one tally.
func (t *tally) group(k Key) Group {
	c := t.total()
	g := Group{
		Key: k, Dialogues: c[dialogues], Lost: c[lost], Suite: t.all(), Harms: c[harms], Sessions: t.sessions(),
		Rates: map[string]stats.Proportion{}, Means: map[string]stats.Ratio{},
		Faults:  Faults{c[missing], c[invalid], c[wrongValue], c[unknown]},
		MacroF1: t.score(coarse, (*margins).macroF1), Kappa: t.score(asIs, (*margins).kappa),
		Recall: t.recall(), Kinds: t.kinds(), Skills: t.skills(), Confusion: t.confusion(),
		Sizes: t.bySize(), Places: t.byPlace(), Fifths: t.byFifth(), Bias: t.bias(),
	}
	for _, m := range rates {
		g.Rates[m.Name] = t.rate(m, every)
	}
	for _, m := range means {
		g.Means[m.Name] = t.mean(m)
	}
	for _, name := range slices.Sorted(maps.Keys(t.cases)) {
		p := t.cases[name]
		g.Cases = append(g.Cases, Case{name, p.print, p.plays, p.routed, p.resolved, p.wrong, p.triggered, p.list()})
	}
	return g
}

func (t *tally) sessions() int {
	clusters := map[string]bool{}
	for key := range t.lots {
		clusters[key.cluster] = true
	}
	return len(clusters)
}

// perKind are the measures that are taken for each kind of case.
var perKind = []string{Accuracy, DialoguesRight, FirstContact, WrongTool, ParamFaults, Harmed}

func (t *tally) kinds() []Kind {
	names := map[string]bool{}
	for key := range t.lots {
		names[key.kind] = true
	}
	var list []Kind
	for _, name := range slices.Sorted(maps.Keys(names)) {
		k := Kind{name, map[string]stats.Proportion{}}
		for _, m := range rates {
			if slices.Contains(perKind, m.Name) {
				k.Rates[m.Name] = t.rate(m, func(k lotKey) bool { return k.kind == name })
			}
		}
		list = append(list, k)
	}
	return list
}

// all is how many dialogues the split has.
func (t *tally) all() stats.Value {
	if t.suite < 1 {
		return stats.Value{}
	}
	return stats.Of(float64(t.suite))
}
