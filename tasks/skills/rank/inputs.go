package rank

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"skillbench/tasks/skills"
)

// A Subject is what a vector of the file is of: a skill in one version, or where
// that is "" a message.
type Subject struct {
	Skill   string `json:"skill,omitzero"`
	Version string `json:"version,omitzero"`
	Hash    string `json:"hash"` // skills.TextHash of the text
}

// Compare orders the lines of a file: skills by name and version, then messages
// by hash.
func (s Subject) Compare(o Subject) int {
	kind := func(s Subject) int {
		if s.Skill == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(kind(s), kind(o)), cmp.Compare(s.Skill, o.Skill), cmp.Compare(s.Version, o.Version), cmp.Compare(s.Hash, o.Hash))
}

// An Input is a text to be embedded, and what it is of.
type Input struct {
	Subject
	Text string
}

// Inputs lists what a file of vectors has to hold for skills and messages, each
// once, in the order of the file.
func Inputs(list []skills.Skill, messages []string) []Input {
	var inputs []Input
	for _, s := range list {
		inputs = append(inputs, Input{Subject{s.Name, s.Version, skills.TextHash(s.Index())}, s.Index()})
	}
	for _, m := range messages {
		inputs = append(inputs, Input{Subject{Hash: skills.TextHash(m)}, m})
	}
	slices.SortFunc(inputs, func(a, b Input) int { return a.Compare(b.Subject) })
	return slices.CompactFunc(inputs, func(a, b Input) bool { return a.Subject == b.Subject })
}

// A Line is a line of a file of vectors, with its end.
type Line struct {
	Subject
	Text []byte
}

// NewLine is the line for a vector. Numbers are written with the digits that 32
// bits need.
func NewLine(embedder string, s Subject, vector []float32) (Line, error) {
	text, err := json.Marshal(struct {
		Embedder string `json:"embedder"`
		Subject
		Vector []float32 `json:"vector"`
	}{embedder, s, vector})
	return Line{s, append(text, '\n')}, err
}

// ReadLines reads a file of vectors as ReadVectors does, for more lines to be
// added: size is the numbers of each vector. A file of nothing is no error, and
// what an interruption left of a last line is dropped.
func ReadLines(source string, data []byte) (lines []Line, embedder string, size int, err error) {
	data = whole(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, "", 0, nil
	}
	v, err := ReadVectors(source, data)
	if err != nil {
		return nil, "", 0, err
	}
	for text := range bytes.Lines(data) {
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		var one vector
		if err := json.Unmarshal(text, &one); err != nil {
			return nil, "", 0, fmt.Errorf("%s: %w", source, err) // ReadVectors has read it
		}
		lines = append(lines, Line{Subject{one.Skill, one.Version, one.Hash}, append(bytes.Clone(text), '\n')})
	}
	return lines, v.Embedder, v.size, nil
}

// whole is data without a last line that has neither an end nor all its JSON.
func whole(data []byte) []byte {
	end := bytes.LastIndexByte(data, '\n') + 1
	if json.Unmarshal(data[end:], new(vector)) != nil {
		return data[:end]
	}
	return data
}
