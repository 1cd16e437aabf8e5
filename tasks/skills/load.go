package skills

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"skillbench/harness/config"
)

// Files of a skill's folder, and how large they may be.
const (
	definitionFile = "skill.yaml"
	markdownFile   = "SKILL.md"
	maxDefinition  = 64 << 10 // bytes
	maxMarkdown    = 256 << 10
)

// A file is the definition as it stands on disk.
type file struct {
	path    string // in errors and findings
	node    config.Node
	allowed []allowance
}

// Load reads the library in dir of fsys: each sub-folder is a skill, with
// SKILL.md and skill.yaml; files beside them, and folders whose name begins with a
// dot, are left alone. Source names dir in errors.
// The error joins a line for every fault, file and line first.
func Load(fsys fs.FS, dir, source string) (Library, error) {
	folders, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return Library{}, fmt.Errorf("%s: want a folder of skills: %w", source, bare(err))
	}
	var list []Skill
	var faults []error
	files := map[string]file{}
	for _, folder := range folders {
		if strings.HasPrefix(folder.Name(), ".") {
			continue
		}
		is, err := isFolder(fsys, dir, folder)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: the link leads nowhere: %w", path.Join(source, folder.Name()), err))
		}
		if !is {
			continue
		}
		if len(list) == MaxSkills {
			return Library{}, fmt.Errorf("%s: want at most %d skills", source, MaxSkills)
		}
		s, f, err := loadSkill(fsys, path.Join(dir, folder.Name()), path.Join(source, folder.Name()))
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list, files[s.Name] = append(list, s), f
	}
	if len(faults) == 0 && len(list) == 0 {
		return Library{}, fmt.Errorf("%s: want a folder for each skill, with %s and %s, found none", source, markdownFile, definitionFile)
	}
	l, err := build(path.Base(source), list, files)
	if len(faults) > 0 {
		// What is missing may be named by what is there, so only what could not be
		// read is told.
		return Library{}, errors.Join(faults...)
	}
	return l, err
}

// isFolder follows a link. One that leads nowhere is an error, for it may have led
// to a skill.
func isFolder(fsys fs.FS, dir string, entry fs.DirEntry) (bool, error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.IsDir(), nil
	}
	info, err := fs.Stat(fsys, path.Join(dir, entry.Name()))
	if err != nil {
		return false, bare(err)
	}
	return info.IsDir(), nil
}

// loadSkill reads one folder, whose name is that of the skill.
func loadSkill(fsys fs.FS, dir, source string) (Skill, file, error) {
	var s Skill
	f := file{path: path.Join(source, definitionFile)}
	data, err := read(fsys, path.Join(dir, definitionFile), maxDefinition)
	if err != nil {
		return s, f, fmt.Errorf("%s: want the skill's definition: %w", f.path, err)
	}
	if f.node, err = config.Parse(f.path, data); err != nil {
		return s, f, err
	}
	if err := f.node.Decode(&s); err != nil {
		return s, f, err
	}
	if folder := path.Base(dir); s.Name != folder {
		return s, f, f.node.At(fmt.Errorf("name: want that of the folder, %q, got %q", folder, s.Name))
	}
	f.allowed = allowances(s.Name, data)
	text := path.Join(source, markdownFile)
	if data, err = read(fsys, path.Join(dir, markdownFile), maxMarkdown); err != nil {
		return s, f, fmt.Errorf("%s: want the skill's text: %w", text, err)
	}
	m, err := parseMarkdown(text, data)
	if err != nil {
		return s, f, err
	}
	s.Body = m.body
	return s, f, m.agrees(s)
}

// read reads a regular file of at most so many bytes. It looks before it opens: to
// open a pipe is to wait for somebody who writes to it.
func read(fsys fs.FS, name string, most int64) ([]byte, error) {
	if info, err := fs.Stat(fsys, name); err != nil {
		return nil, bare(err)
	} else if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close() // only read from
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("larger than %d KiB", most>>10)
	}
	return data, err
}

// bare drops operation and path of a file error: callers name the file.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
