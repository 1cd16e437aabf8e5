package routing

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"skillbench/configs"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
	"skillbench/tasks/skills/suite"
)

// A source is what the dialogues of an episode are drawn from.
type source struct {
	suite   suite.Suite
	library skills.Library
	filled  sync.Map // libraries filled up, by size
	heard   sync.Map // parameters that messages give, by message
}

// Sources and vectors are read once in a process, or as often as a digest is
// taken of them, so that all episodes of a run play what its digest is of,
// whatever becomes of the files meanwhile. By name, of files the full path.
var sources, vectors sync.Map

func openSource(name string) (*source, error) {
	if s, ok := sources.Load(full(name)); ok {
		return s.(*source), nil
	}
	return readSource(name)
}

// full tells names of shipped suites and paths of files apart.
func full(name string) string {
	if path, err := filepath.Abs(name); err == nil && !skills.IsName(name) {
		return path
	}
	return name
}

func readSource(name string) (*source, error) {
	cases, library, err := suite.Open(name, configs.FS)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, firstLine(first)
	}
	s := &source{suite: cases.Sorted(), library: library}
	sources.Store(full(name), s)
	return s, nil
}

// firstLine is an error of one line.
type firstLine string

func (f firstLine) Error() string { return string(f) }

func openVectors(name string) (rank.Vectors, error) {
	if v, ok := vectors.Load(full(name)); ok {
		return v.(rank.Vectors), nil
	}
	return readVectors(name, io.Discard)
}

// readVectors writes what it reads to a hash, which takes every write.
func readVectors(name string, sum io.Writer) (rank.Vectors, error) {
	data, err := rank.ReadFile(name)
	if err != nil {
		return rank.Vectors{}, fmt.Errorf("vectors: %s: %w", name, err)
	}
	sum.Write(data)
	v, err := rank.ReadVectors(name, data)
	if err == nil {
		vectors.Store(full(name), v)
	}
	return v, err
}

// Digest is two hashes of what the options name by file or by name, joined by a
// dash: of the dialogues of the split, and of skills and vectors. Equal options
// with others are another task; which of the two differs tells what changed.
func (o *Options) Digest() (string, error) {
	read := readSource
	if skills.IsName(o.Suite) {
		read = openSource // embedded: it never changes
	}
	src, err := read(o.Suite)
	if err != nil {
		return "", err
	}
	cases, sum := sha256.New(), sha256.New()
	if err := json.NewEncoder(cases).Encode(src.suite.Order(o.Split)); err != nil {
		return "", err
	}
	for _, s := range src.library.Skills {
		io.WriteString(sum, s.Name+" "+s.Version+" "+s.Hash()+"\n")
	}
	if o.Vectors != "" {
		if _, err := readVectors(o.Vectors, sum); err != nil {
			return "", err
		}
	}
	return digest(cases) + "-" + digest(sum), nil
}

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }
