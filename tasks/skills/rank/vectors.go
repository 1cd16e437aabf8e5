package rank

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-json-experiment/json"

	"skillbench/tasks/skills"
)

// Vectors are embeddings that a user made, of skills and of messages.
type Vectors struct {
	Embedder string // of all of them

	source   string // of the file, for errors
	size     int    // numbers of each vector
	skills   map[string][]vector
	messages map[string][]float64 // by skills.TextHash of the message
}

// A vector is one line of the file: of a skill, or where that is "" of a message.
type vector struct {
	Embedder string    `json:"embedder"`
	Skill    string    `json:"skill"`
	Version  string    `json:"version"`
	Hash     string    `json:"hash"`
	Vector   []float64 `json:"vector"`

	line int
}

// maxSize bounds how many numbers a vector can have.
const maxSize = 16_384

// ReadVectors reads a file of vectors: a JSON object on each line, either of a
// skill
//
//	{"embedder": "…", "skill": "logistics", "version": "1.0.0", "hash": "…", "vector": [0.1, …]}
//
// or of a message, without skill and version. Hash is skills.TextHash of what was
// embedded: of the skill's Index, or of the message as the customer wrote it.
// Vectors need not be of length 1. All are of one embedder and of one size; a
// vector of nothing but zeros, or with a number that is none, is an error, and so
// is a second vector for the same. Source names the file in errors, which are one
// line.
func ReadVectors(source string, data []byte) (Vectors, error) {
	v := Vectors{source: source, skills: map[string][]vector{}, messages: map[string][]float64{}}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 4<<20)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := v.add(lines.Bytes(), n); err != nil {
			return Vectors{}, fmt.Errorf("%s:%d: %w", source, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return Vectors{}, fmt.Errorf("%s:%d: want lines of at most 4 MiB: %w", source, n+1, err)
	}
	if v.Embedder == "" {
		return Vectors{}, fmt.Errorf("%s: want vectors, found none", source)
	}
	return v, nil
}

func (v *Vectors) add(text []byte, line int) error {
	one := vector{line: line}
	if err := json.Unmarshal(text, &one, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("want a vector as JSON: %w", err)
	}
	if v.Embedder == "" {
		v.Embedder, v.size = one.Embedder, len(one.Vector)
	}
	if err := v.fits(one); err != nil {
		return err
	}
	unit(one.Vector)
	if one.Skill == "" {
		if _, twice := v.messages[one.Hash]; twice {
			return fmt.Errorf("hash: want one vector of a message, found %s twice", one.Hash)
		}
		v.messages[one.Hash] = one.Vector
		return nil
	}
	for _, other := range v.skills[one.Skill] {
		if other.Version == one.Version {
			return fmt.Errorf("skill: want one vector of %s %s, found another in line %d", one.Skill, one.Version, other.line)
		}
	}
	v.skills[one.Skill] = append(v.skills[one.Skill], one)
	return nil
}

// fits holds a vector against those before it.
func (v *Vectors) fits(one vector) error {
	switch {
	case one.Embedder == "":
		return fmt.Errorf("embedder: want the name of what made the vector, found none")
	case one.Embedder != v.Embedder:
		return fmt.Errorf("embedder: want %q as in the lines before, got %q", v.Embedder, one.Embedder)
	case one.Hash == "":
		return fmt.Errorf("hash: want that of the text, found none")
	case (one.Skill == "") != (one.Version == ""):
		return fmt.Errorf("version: want skill and version of a skill's vector, neither of a message's, got %q and %q", one.Skill, one.Version)
	case len(one.Vector) == 0 || len(one.Vector) > maxSize:
		return fmt.Errorf("vector: want 1 to %d numbers, got %d", maxSize, len(one.Vector))
	case len(one.Vector) != v.size:
		return fmt.Errorf("vector: want %d numbers as in the lines before, got %d", v.size, len(one.Vector))
	}
	sum := 0.0
	for _, x := range one.Vector {
		sum += x * x
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("vector: want one of a length between 0 and infinity, got %g", math.Sqrt(sum))
	}
	return nil
}

// Texts says which text each vector of a skill is of, by skill and line.
func (v Vectors) Texts() []skills.VectorOf {
	var list []skills.VectorOf
	for _, name := range slices.Sorted(maps.Keys(v.skills)) {
		for _, one := range v.skills[name] {
			list = append(list, skills.VectorOf{Skill: name, Version: one.Version, Hash: one.Hash, File: v.source, Line: one.line})
		}
	}
	return list
}

// of is the vector of a skill, which must be of this version and this text.
func (v Vectors) of(s skills.Skill) ([]float64, error) {
	var last *vector
	for i, one := range v.skills[s.Name] {
		last = &v.skills[s.Name][i]
		if one.Version != s.Version {
			continue
		}
		if want := skills.TextHash(s.Index()); one.Hash != want {
			return nil, fmt.Errorf("%s:%d: the vector of %s %s is of another text: its hash is %s, that of the definition %s; embed it again", v.source, one.line, s.Name, s.Version, one.Hash, want)
		}
		return one.Vector, nil
	}
	if last != nil {
		return nil, fmt.Errorf("%s:%d: the vector of %s is of version %s, the definition is of %s; embed it again", v.source, last.line, s.Name, last.Version, s.Version)
	}
	return nil, fmt.Errorf("%s: no vector of %s %s; embed it with %s", v.source, s.Name, s.Version, v.Embedder)
}
