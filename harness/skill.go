package harness

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"skillbench/harness/state"
)

// A Skill is what a strategy is told to do: the immutable text P, and the
// shape and first value of Σ. It is a folder with SKILL.md (Agent Skills front
// matter, the body is P), state.schema.json (JSON Schema 2020-12) and
// state.initial.json.
type Skill struct {
	Name         string
	Description  string
	Instructions string // P: the body of SKILL.md, trimmed, ending in a newline
	Catalogue    string // what follows P in episodes of a Briefer; "" or ends in a newline
	Schema       *state.Schema
	Initial      state.Object
	Hash         string // of the three files
}

// LoadSkill reads the skill in dir of fsys. Source names the folder in errors.
func LoadSkill(fsys fs.FS, dir, source string) (Skill, error) {
	sum := sha256.New()
	read := func(name string) ([]byte, string, error) {
		file := path.Join(source, name)
		data, err := fs.ReadFile(fsys, path.Join(dir, name))
		if err != nil {
			return nil, file, fmt.Errorf("%s: want a skill's %s, found none: %w", file, name, unwrapPath(err))
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
		return data, file, nil
	}
	var s Skill
	text, file, err := read("SKILL.md")
	if err != nil {
		return s, err
	}
	if err := s.parse(text, file); err != nil {
		return s, err
	}
	schema, file, err := read("state.schema.json")
	if err != nil {
		return s, err
	}
	if s.Schema, err = state.Compile(file, schema); err != nil {
		return s, err
	}
	initial, file, err := read("state.initial.json")
	if err != nil {
		return s, err
	}
	if s.Initial, err = state.Parse(initial); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if v := s.Schema.Check(s.Initial); len(v) > 0 {
		return s, fmt.Errorf("%s: the first state breaks its schema at %q: %s", file, v[0].Path, v[0].Hint)
	}
	s.Hash = hex.EncodeToString(sum.Sum(nil)[:16])
	return s, nil
}

// parse splits SKILL.md into front matter and body.
func (s *Skill) parse(text []byte, file string) error {
	if !utf8.Valid(text) {
		return fmt.Errorf("%s: want UTF-8, found other bytes", file)
	}
	text = bytes.TrimPrefix(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\uFEFF"))
	rest, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return fmt.Errorf("%s:1: want front matter between two lines ---, found none", file)
	}
	matter, body, ok := bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		return fmt.Errorf("%s:1: front matter is not closed: end it with a line ---", file)
	}
	var front struct{ Name, Description string }
	if err := yaml.Unmarshal(matter, &front); err != nil {
		return fmt.Errorf("%s:1: front matter: %s", file, strings.Join(strings.Fields(err.Error()), " "))
	}
	if front.Name == "" || front.Description == "" {
		return fmt.Errorf("%s:1: front matter wants name and description", file)
	}
	s.Name, s.Description = front.Name, front.Description
	s.Instructions = strings.TrimSpace(string(body)) + "\n"
	if s.Instructions == "\n" {
		return fmt.Errorf("%s: the body is empty: write the instructions below the front matter", file)
	}
	return nil
}

// Shape is the state as a contract shows it: the first of the schema's
// `examples`, or else the schema itself, on one line.
func (s Skill) Shape() string {
	var schema struct{ Examples []state.Object }
	if err := json.Unmarshal(s.Schema.Raw(), &schema); err == nil && len(schema.Examples) > 0 {
		return schema.Examples[0].Compact()
	}
	var line bytes.Buffer
	if err := json.Compact(&line, s.Schema.Raw()); err != nil {
		return string(s.Schema.Raw())
	}
	return line.String()
}
