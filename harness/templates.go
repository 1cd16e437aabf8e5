package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"skillbench/harness/state"
)

// Templates are the connecting texts of prompts, by name. Labels are not among
// them (see package prompt). A reader who holds the paper replaces any of them
// by files of his own.
type Templates struct {
	parsed map[string]*template.Template
	Hash   string // of all the texts
	Own    string // hash of those that replace shipped ones, "" for none; part of a cell's identity
}

// Wording is what a template may refer to.
type Wording struct {
	Shape      string            // an example of the state, one line
	Merge      string            // the merge rule, "" where the contract does not tell it
	Violations []state.Violation // why the last attempt was refused
}

// sample fills every branch of a template, so that a wrong name in one is found
// when it is loaded.
var sample = Wording{Shape: "{}", Merge: "deep", Violations: []state.Violation{{Class: "empty", Path: "/a", Hint: "want text"}}}

const templateSuffix = ".txt"

// LoadTemplates reads every template in base, each replaced by the file of the
// same name in own where there is one. Own may be nil; a file in it that
// replaces nothing is an error, because it would silently do nothing.
func LoadTemplates(base, own fs.FS, ownName string) (Templates, error) {
	texts, err := readTexts(base)
	if err != nil {
		return Templates{}, err
	}
	t := Templates{parsed: map[string]*template.Template{}}
	if own != nil {
		replacing, err := readTexts(own)
		if err != nil {
			return Templates{}, fmt.Errorf("%s: %w", ownName, err)
		}
		for name, text := range replacing {
			if _, ok := texts[name]; !ok {
				return Templates{}, fmt.Errorf("%s: no template has this name; want one of %s", path.Join(ownName, name), strings.Join(slices.Sorted(maps.Keys(texts)), ", "))
			}
			texts[name] = text
		}
		if len(replacing) > 0 {
			t.Own = hashTexts(replacing)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		parsed, err := template.New(name).Parse(texts[name])
		if err != nil {
			return t, fmt.Errorf("%s: %w", path.Join(ownName, name), err)
		}
		for _, w := range []Wording{{}, sample} {
			if err := parsed.Execute(new(strings.Builder), w); err != nil {
				return t, fmt.Errorf("%s: %w", path.Join(ownName, name), err)
			}
		}
		t.parsed[strings.TrimSuffix(name, templateSuffix)] = parsed
	}
	t.Hash = hashTexts(texts)
	return t, nil
}

func hashTexts(texts map[string]string) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(sum, "%s %d %s\n", name, len(texts[name]), texts[name])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Has reports whether there is a template of this name.
func (t Templates) Has(name string) bool { return t.parsed[name] != nil }

// Text fills in the template of this name. It ends in exactly one newline. A
// name that does not exist gives an error text of its own: it is a fault of
// the program, and the conformance kit finds it.
func (t Templates) Text(name string, w Wording) string {
	parsed, ok := t.parsed[name]
	if !ok {
		return "no template " + name + "\n"
	}
	var b strings.Builder
	if err := parsed.Execute(&b, w); err != nil {
		return "template " + name + ": " + err.Error() + "\n"
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func readTexts(fsys fs.FS) (map[string]string, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, unwrapPath(err)
	}
	texts := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), templateSuffix) {
			continue
		}
		data, err := fs.ReadFile(fsys, e.Name())
		if err != nil {
			return nil, unwrapPath(err)
		}
		if !utf8.Valid(data) {
			return nil, fmt.Errorf("%s: want UTF-8, found other bytes", e.Name())
		}
		texts[e.Name()] = strings.ReplaceAll(string(data), "\r\n", "\n")
	}
	return texts, nil
}

// unwrapPath drops the operation and path of a file error, for messages that
// name the file themselves.
func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Line fills in a template that is one line.
func (t Templates) Line(name string) string {
	return strings.TrimSuffix(t.Text(name, Wording{}), "\n")
}
