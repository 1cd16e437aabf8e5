package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// LockFile stands in the folder of a library and says which text each version of
// a definition had.
const LockFile = "skills.lock"

// A Lock is what LockFile holds: a line "name version hash" for each skill. Lines
// that begin with # are remarks.
type Lock map[string]Locked

// Locked is the text that a version stands for.
type Locked struct {
	Version, Hash string
	line          int
}

// maxLock bounds the file, in bytes.
const maxLock = 256 << 10

var hashText = regexp.MustCompile(`^[0-9a-f]{32}$`)

// ReadLock reads the lock of the library in dir of fsys; it is nil where there is
// none. Source names dir in errors.
func ReadLock(fsys fs.FS, dir, source string) (Lock, error) {
	file := path.Join(source, LockFile)
	data, err := read(fsys, path.Join(dir, LockFile), maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: cannot read the lock: %w", file, err)
	}
	lock := Lock{}
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		fields := strings.Fields(text)
		if len(fields) != 3 || !IsName(fields[0]) || !versions.MatchString(fields[1]) || !hashText.MatchString(fields[2]) {
			return nil, fmt.Errorf("%s:%d: want name, version and hash, got %q; write the lock again with skillbench skills lint --lock", file, n, clip(text))
		}
		if first, twice := lock[fields[0]]; twice {
			return nil, fmt.Errorf("%s:%d: want each skill once, %s stands in line %d already", file, n, fields[0], first.line)
		}
		lock[fields[0]] = Locked{Version: fields[1], Hash: fields[2], line: n}
	}
	return lock, nil
}

// Relock returns the lock that fits the library. A definition that changed without
// a new version keeps its old entry, so that locking never hides the change.
func (l Library) Relock(old Lock) Lock {
	lock := Lock{}
	for _, s := range l.Skills {
		now := Locked{Version: s.Version, Hash: s.Hash()}
		if was, ok := old[s.Name]; ok && !later(s.Version, was.Version) {
			now = was
		}
		lock[s.Name] = now
	}
	return lock
}

// Text is the lock as its file holds it, by name.
func (k Lock) Text() string {
	var b strings.Builder
	b.WriteString("# The text of each version, written by skillbench skills lint --lock.\n")
	names := make([]string, 0, len(k))
	for name := range k {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%s %s %s\n", name, k[name].Version, k[name].Hash)
	}
	return b.String()
}

// later compares versions by their numbers; what is left out is 0.
func later(a, b string) bool { return compareVersions(a, b) > 0 }

func compareVersions(a, b string) int {
	x, y := numbers(a), numbers(b)
	return slices.Compare(x[:], y[:])
}

func numbers(version string) (out [3]int) {
	for i, part := range strings.SplitN(version, ".", 3) {
		out[i], _ = strconv.Atoi(part) // digits, as versions has it
	}
	return out
}
