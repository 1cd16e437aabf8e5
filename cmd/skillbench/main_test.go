package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// root is the folder of the project.
const root = "../.."

// tidy removes the program that tests have built.
type tidy struct{ *testing.M }

func (t tidy) Run() int {
	code := t.M.Run()
	if built != "" {
		if err := os.RemoveAll(built); err != nil {
			return max(code, 1)
		}
	}
	return code
}

func TestMain(m *testing.M) {
	testscript.Main(tidy{m}, map[string]func(){
		"skillbench": func() { os.Exit(run(context.Background(), os.Args[1:], process())) },
	})
}

// TestScripts runs the real main on real files.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			port, err := freePort()
			if err != nil {
				return err
			}
			env.Setenv("PORT", port)
			for _, name := range []string{"configs", "README.md"} {
				path, err := filepath.Abs(filepath.Join(root, name))
				if err != nil {
					return err
				}
				if err := os.Symlink(path, filepath.Join(env.WorkDir, name)); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// freePort is a port of loopback that nobody listens on.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

var (
	shell = regexp.MustCompile("(?s)```sh\n(.*?)```")
	files = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n```\\w+\n(.*?)```")
)

// TestReadmeCommands: every command that README shows is run by a script.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	var scripts strings.Builder
	err := fs.WalkDir(os.DirFS("testdata/script"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join("testdata/script", path))
		scripts.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	makefile := read(t, "Makefile")
	for _, block := range shell.FindAllStringSubmatch(read(t, "README.md"), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			command := strings.TrimSpace(strings.Split(line, "  #")[0])
			if target, ok := strings.CutPrefix(command, "make "); ok {
				if !strings.Contains(makefile, "\n"+target+":") {
					t.Errorf("README: %q: no such target", command)
				}
				continue
			}
			if !strings.Contains(scripts.String(), "exec "+command+"\n") {
				t.Errorf("README: no script runs %q", command)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReadmeNewcomer does what README tells a newcomer: it adds the strategy and
// the task shown there to a copy of the project, tests and runs them.
func TestReadmeNewcomer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the program again")
	}
	dir := t.TempDir()
	copyProject(t, dir)
	for _, f := range files.FindAllStringSubmatch(read(t, "README.md"), -1) {
		write(t, filepath.Join(dir, f[1]), f[2])
	}
	edit(t, filepath.Join(dir, "agents/agents.go"), "Oracle(),\n", "Oracle(),\n\t\tLastTurn(),\n")
	edit(t, filepath.Join(dir, "cmd/skillbench/kit.go"), "repo.Task()", "lamp.Task(), repo.Task()")
	edit(t, filepath.Join(dir, "cmd/skillbench/kit.go"), `"skillbench/tasks/repo"`, "\"skillbench/tasks/lamp\"\n\t\"skillbench/tasks/repo\"")
	for _, args := range []string{
		"test -run TestLastTurn|TestLamp ./agents ./tasks/lamp",
		"run ./cmd/skillbench run lamp.yaml",
		"run ./cmd/skillbench run example.yaml",
		"run ./cmd/skillbench check --task lamp --agent lastturn",
	} {
		c := exec.Command("go", strings.Fields(args)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	cells := strings.Split(strings.TrimSpace(fileText(t, filepath.Join(dir, "out/lamp/cells.csv"))), "\n")
	if len(cells) != 7 {
		t.Errorf("%d lines of cells, want 7", len(cells))
	}
	for _, line := range cells[1:] {
		if !strings.Contains(line, ",1.000000,") {
			t.Errorf("not all right: %s", line)
		}
	}
}

// copyProject copies what the program is built from.
func copyProject(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"go.mod", "go.sum", "cmd", "harness", "agents", "tasks", "metrics", "configs"} {
		err := fs.WalkDir(os.DirFS(root), name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(root, path))
			if err == nil {
				write(t, filepath.Join(dir, path), string(data))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func edit(t *testing.T, path, old, new string) {
	t.Helper()
	text := fileText(t, path)
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %q", path, old)
	}
	write(t, path, strings.Replace(text, old, new, 1))
}
