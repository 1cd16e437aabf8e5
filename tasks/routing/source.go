package routing

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"strings"
	"sync"

	"skillbench/configs"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/suite"
)

// A source is what the dialogues of an episode are drawn from.
type source struct {
	suite   suite.Suite
	library skills.Library
	filled  sync.Map // libraries filled up, by size
	heard   sync.Map // parameters that messages give, by message
}

// shipped holds the sources that are embedded, by the name of the suite: every
// episode begins with one, and they never change. Files of users are not kept.
var shipped sync.Map

func openSource(name string) (*source, error) {
	if s, ok := shipped.Load(name); ok {
		return s.(*source), nil
	}
	cases, library, err := suite.Open(name, configs.FS)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, firstLine(first)
	}
	s := &source{suite: cases, library: library}
	if skills.IsName(name) {
		shipped.Store(name, s)
	}
	return s, nil
}

// firstLine is an error of one line.
type firstLine string

func (f firstLine) Error() string { return string(f) }

// Digest is a hash of what the options name by file or by name: equal options
// with other cases, skills or vectors are another task.
func (o *Options) Digest() (string, error) {
	src, err := openSource(o.Suite)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(src.suite.Cases); err != nil {
		return "", err
	}
	for _, s := range src.library.Skills {
		io.WriteString(sum, s.Name+" "+s.Version+" "+s.Hash()+"\n") // a hash takes every write
	}
	if o.Vectors != "" {
		data, err := os.ReadFile(o.Vectors)
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
