package engine

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"skillbench/tasks/skills"
)

// A Library is the skills that a runtime runs, and what else it must know of
// them. It is not changed once made.
type Library struct {
	skills.Library
	Flows map[string][]string // fixed flow by goal; a goal that is no flow is the skill of that name
	Parts map[string]int      // calls that a skill takes, where more than one: long work
	About []string            // parameters that name what a call is about; slots are kept for each such name
}

// flow is the fixed flow of a goal; nil where there is none.
func (l *Library) flow(goal string) []string {
	if f, ok := l.Flows[goal]; ok {
		return f
	}
	if _, ok := l.Find(goal); ok {
		return []string{goal}
	}
	return nil
}

func (l *Library) parts(skill string) int { return max(1, l.Parts[skill]) }

// version of a skill as it is now.
func (l *Library) version(skill string) string {
	s, _ := l.Find(skill)
	return s.Version
}

// subject is what a call is about.
func (l *Library) subject(params map[string]any) string {
	for _, name := range l.About {
		if s, ok := params[name].(string); ok {
			return s
		}
	}
	return ""
}

// fits picks from params those that a skill's contract knows.
func (l *Library) fits(skill string, params map[string]any) map[string]any {
	s, _ := l.Find(skill)
	own := map[string]any{}
	for name := range s.Params {
		if v, ok := params[name]; ok {
			own[name] = v
		}
	}
	return own
}

// A Request is what somebody asks for. The runtime sees it arrive, whatever a
// model makes of it later.
type Request struct {
	ID     string
	Goal   string         // a flow or a skill
	Params map[string]any // of all skills of the goal, each by its name
	Fault  Fault          // seen by the back office alone
}

// A Call is a skill with its parameters, as a flow holds it.
type Call struct {
	Skill   string
	Part    int // how often the skill stands before it in the flow
	Params  map[string]any
	Planned bool // by a model's plan
}

// A spot is a place in the flow of a request.
type spot struct {
	request, skill string
	part           int
}

func (c Call) at(request string) spot { return spot{request, c.Skill, c.Part} }

func (s spot) String() string { return fmt.Sprintf("%s/%s/%d", s.request, s.skill, s.part) }

// compact is JSON on one line with keys in order, of values that came from JSON.
func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("a value of JSON kinds only: %v", err))
	}
	return string(data)
}

// luck is a number drawn from a seed and what it is for, the same however often
// it is asked for.
func luck(seed uint64, words ...any) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, seed)
	for _, w := range words {
		fmt.Fprint(h, "/", w)
	}
	x := h.Sum64() // FNV mixes its last bytes little
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}
