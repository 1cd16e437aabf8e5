package repo

import (
	"fmt"
	"strconv"
	"strings"
)

// A command is one action of the task, taken apart.
type command struct {
	verb string
	args []string
}

// Verbs. The last three are free: they answer and cost no base event.
const (
	verbCommit   = "Commit"
	verbCreatePR = "CreatePR"
	verbMerge    = "Merge"
	verbFixCI    = "FixCI"
	verbWait     = "Wait"
	verbRead     = "Read"
	verbSearch   = "Search"
	verbRunTests = "RunTests"
)

func (c command) String() string { return strings.Join(append([]string{c.verb}, c.args...), " ") }

func (c command) free() bool {
	return c.verb == verbRead || c.verb == verbSearch || c.verb == verbRunTests
}

func commit(branch, file string) command { return command{verbCommit, []string{branch, file}} }
func createPR(branch string) command     { return command{verbCreatePR, []string{branch}} }
func merge(pr string) command            { return command{verbMerge, []string{pr}} }
func fixCI(branch string) command        { return command{verbFixCI, []string{branch}} }

var wait = command{verb: verbWait}

// A word is what a command expects at one place.
type word struct {
	name string
	fits func(string) bool
}

var (
	branchWord = word{"a branch such as feature_3", func(s string) bool { return numbered(s, "feature_", "") }}
	fileWord   = word{"a file such as file_7.go", func(s string) bool { return numbered(s, "file_", ".go") }}
	prWord     = word{"a pull request such as pr_12", func(s string) bool { return numbered(s, "pr_", "") }}
)

// usage lists what follows each verb of a fixed number of words.
var usage = map[string][]word{
	verbCommit:   {branchWord, fileWord},
	verbCreatePR: {branchWord},
	verbMerge:    {prWord},
	verbFixCI:    {branchWord},
	verbWait:     {},
	verbRunTests: {branchWord},
}

// Grammar reports why an action is none of the commands Commit, CreatePR,
// Merge, FixCI and Wait.
func Grammar(action string) error {
	c, err := parse(action)
	if err == nil && c.free() {
		return unknownVerb(c.verb)
	}
	return err
}

// parse takes an action apart; the free commands are among those it knows.
// Words are parted by single spaces, and letter case counts. Text is hostile:
// it is bounded before it is split.
func parse(action string) (command, error) {
	if len(action) > maxAction {
		return command{}, fmt.Errorf("want a command of at most %d bytes, got %d", maxAction, len(action))
	}
	words := strings.Split(action, " ")
	c := command{verb: words[0], args: words[1:]}
	switch c.verb {
	case verbRead:
		return c, checkRead(c)
	case verbSearch:
		return checkSearch(c)
	}
	want, ok := usage[c.verb]
	if !ok {
		return c, unknownVerb(c.verb)
	}
	if len(c.args) != len(want) {
		return c, fmt.Errorf("%s: want %s, got %d words", c.verb, wanted(want), len(c.args))
	}
	for i, w := range want {
		if !w.fits(c.args[i]) {
			return c, fmt.Errorf("%s: want %s, got %s", c.verb, w.name, excerpt(c.args[i]))
		}
	}
	return c, nil
}

func unknownVerb(verb string) error {
	return fmt.Errorf("want Commit, CreatePR, Merge, FixCI or Wait, got %s", excerpt(verb))
}

func wanted(words []word) string {
	if len(words) == 0 {
		return "nothing after it"
	}
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.name
	}
	return strings.Join(names, " and ")
}

// checkRead checks `Read <file> [from-to]`, lines counted from 1.
func checkRead(c command) error {
	if len(c.args) == 0 || len(c.args) > 2 || !fileWord.fits(c.args[0]) {
		return fmt.Errorf("%s: want %s and perhaps lines such as 1-10", c.verb, fileWord.name)
	}
	if len(c.args) == 2 {
		if _, _, ok := lines(c.args[1]); !ok {
			return fmt.Errorf("%s: want lines such as 1-10, got %s", c.verb, excerpt(c.args[1]))
		}
	}
	return nil
}

// checkSearch joins the words of `Search <text>` to one argument.
func checkSearch(c command) (command, error) {
	text := strings.Join(c.args, " ")
	if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\r\n") {
		return c, fmt.Errorf("%s: want a text on one line, got %s", c.verb, excerpt(text))
	}
	c.args = []string{text}
	return c, nil
}

// maxAction bounds an action, in bytes.
const maxAction = 100

func lines(s string) (from, to int, ok bool) {
	a, b, cut := strings.Cut(s, "-")
	if !cut || !plain(a) || !plain(b) {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(a)
	to, _ = strconv.Atoi(b)
	return from, to, 1 <= from && from <= to
}

// numbered reports whether s is a number between prefix and suffix, written
// as the task writes numbers.
func numbered(s, prefix, suffix string) bool {
	s, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return false
	}
	s, ok = strings.CutSuffix(s, suffix)
	return ok && plain(s)
}

// plain reports whether s is a decimal of at most six digits without leading
// zeros.
func plain(s string) bool {
	if len(s) == 0 || len(s) > 6 || len(s) > 1 && s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

func excerpt(s string) string {
	const limit = 40
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return strconv.Quote(s)
}
