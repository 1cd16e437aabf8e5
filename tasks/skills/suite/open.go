package suite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"skillbench/tasks/skills"
)

var shipped = regexp.MustCompile(`^[a-z0-9-]+$`)

// Open returns a suite and the library that it is about, the one valid against
// the other. A name of letters, digits and dashes is one of those that ship with
// skillbench (suites/<name>.yaml and libraries/<library>/ of fsys); anything else
// is the path of a file:
//
//   - .yaml or .yml: a suite of the form above; its library is one that ships, or
//     a folder, seen from the file;
//   - .csv, or .json with a list: MetaTool, with plugin_des.json beside it or one
//     folder up (see [LoadMetaTool]);
//   - .json with an object: CLINC150 (see [LoadCLINC150]).
func Open(name string, fsys fs.FS) (Suite, skills.Library, error) {
	open := openFile
	if shipped.MatchString(name) {
		open = openShipped
	}
	s, lib, err := open(name, fsys)
	if err == nil {
		err = s.Validate(lib)
	}
	return s, lib, err
}

func openShipped(name string, fsys fs.FS) (Suite, skills.Library, error) {
	source := "suites/" + name + ".yaml"
	if _, err := fs.Stat(fsys, source); err != nil {
		return Suite{}, skills.Library{}, fmt.Errorf("suite: want one of %q or the path of a file, got %q", ships(fsys), name)
	}
	s, err := Load(fsys, source, source)
	if err != nil {
		return s, skills.Library{}, err
	}
	lib, err := library(s.Library, ".", fsys)
	return s, lib, err
}

// ships lists the suites that come with skillbench.
func ships(fsys fs.FS) []string {
	files, _ := fs.Glob(fsys, "suites/*.yaml") // the pattern is well formed
	for i, f := range files {
		files[i] = stem(f)
	}
	return files
}

// library loads the library of a name: one that ships, or a folder seen from dir.
func library(name, dir string, fsys fs.FS) (skills.Library, error) {
	if within := "libraries/" + name; shipped.MatchString(name) {
		if _, err := fs.Stat(fsys, within); err == nil {
			return skills.Load(fsys, within, within)
		}
	}
	folder := filepath.FromSlash(name)
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(dir, folder)
	}
	return skills.Load(os.DirFS(folder), ".", filepath.ToSlash(folder))
}
