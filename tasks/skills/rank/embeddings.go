package rank

import (
	"cmp"
	"fmt"
	"slices"

	"skillbench/tasks/skills"
)

// Embeddings rank skills by the cosine of their vectors and the message's. A
// cosine below zero is no fit.
type Embeddings struct {
	skills  []embedded // by name
	message func(text string) ([]float64, bool)
	source  string
}

type embedded struct {
	name   string
	vector []float64 // of length 1, or zero
}

// Embed ranks by vectors that are made on the spot.
func Embed(list []skills.Skill, by Embedder) *Embeddings {
	e := &Embeddings{message: func(text string) ([]float64, bool) { return unit(by.Embed(text)), true }}
	for _, s := range list {
		e.skills = append(e.skills, embedded{s.Name, unit(by.Embed(s.Index()))})
	}
	return e.sorted()
}

// Recorded ranks by vectors from a file, which must have one of each skill, of its
// version and its text, and be of the embedder that is named ("": any). Messages
// without a vector are for Covers to find.
func Recorded(list []skills.Skill, v Vectors, embedder string) (*Embeddings, error) {
	if embedder != "" && embedder != v.Embedder {
		return nil, fmt.Errorf("%s: want vectors of %q, found some of %q", v.source, embedder, v.Embedder)
	}
	e := &Embeddings{source: v.source, message: func(text string) ([]float64, bool) {
		vector, ok := v.messages[skills.TextHash(text)]
		return vector, ok
	}}
	for _, s := range list {
		vector, err := v.of(s)
		if err != nil {
			return nil, err
		}
		e.skills = append(e.skills, embedded{s.Name, vector})
	}
	return e.sorted(), nil
}

func (e *Embeddings) sorted() *Embeddings {
	slices.SortFunc(e.skills, func(a, b embedded) int { return cmp.Compare(a.name, b.name) })
	return e
}

// Covers reports the first message that has no vector: Rank finds nothing for it,
// which would look like a message for no skill.
func (e *Embeddings) Covers(messages []string) error {
	for _, m := range messages {
		if _, ok := e.message(m); !ok {
			return fmt.Errorf("%s: no vector of the message %q (hash %s); embed it too", e.source, m, skills.TextHash(m))
		}
	}
	return nil
}

// Rank implements Ranker.
func (e *Embeddings) Rank(message string) []Scored {
	vector, ok := e.message(message)
	if !ok {
		return nil
	}
	list := make([]Scored, len(e.skills))
	for i, s := range e.skills {
		list[i] = Scored{s.name, min(dot(s.vector, vector), 1)}
	}
	return ordered(list)
}
