package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skillbench/configs"
	"skillbench/tasks/skills"
)

func skillsCommand(s system) *cobra.Command {
	c := &cobra.Command{
		Use:   "skills",
		Short: "Check a library of skills, see what a prompt shows of it, and embed it",
		Args:  cobra.NoArgs,
	}
	c.AddCommand(skillsLintCommand(s), skillsListCommand(s), skillsEmbedCommand(s))
	return c
}

// A place is where the files of a library lie.
type place struct {
	fs.FS
	dir    string // in FS
	source string // for people
	disk   bool
}

// shippedLibraries lists the embedded libraries.
func shippedLibraries() []string {
	entries, err := fs.ReadDir(configs.FS, "libraries")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// defaultLibrary is what commands on skills look at without an argument.
const defaultLibrary = "after-sales"

// placeOf finds a folder, or else an embedded library by its name.
func placeOf(args []string) (place, error) {
	name := defaultLibrary
	if len(args) == 1 {
		name = args[0]
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return place{os.DirFS(name), ".", filepath.ToSlash(filepath.Clean(name)), true}, nil
		}
	}
	shipped := shippedLibraries()
	for _, n := range shipped {
		if n == name {
			return place{configs.FS, "libraries/" + n, "configs/libraries/" + n, false}, nil
		}
	}
	return place{}, fmt.Errorf("%s: want the folder of a library, or one of %s", name, strings.Join(shipped, ", "))
}

// load reads the library. Of several faults, all but the last are told on stderr.
func (p place) load(s system) (skills.Library, error) {
	l, err := skills.Load(p.FS, p.dir, p.source)
	if err == nil {
		if abs, err := filepath.Abs(p.source); p.disk && err == nil {
			l.Name = filepath.Base(abs) // of "." too
		}
		return l, nil
	}
	faults := strings.Split(err.Error(), "\n")
	last := len(faults) - 1
	for _, f := range faults[:last] {
		fmt.Fprintln(s.stderr, "skillbench: "+plain(f))
	}
	return l, errors.New(faults[last])
}
