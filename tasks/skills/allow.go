package skills

import (
	"fmt"
	"regexp"
	"strings"
)

// An allowance is a remark of a definition that gives the reason for a finding.
type allowance struct {
	skill, rule, reason string
	line                int
}

var allowText = regexp.MustCompile(`^\s*#\s*lint allow ([a-z]+): (.*\S)\s*$`)

// allowances reads the remarks of a definition that stand on lines of their own.
func allowances(skill string, data []byte) []allowance {
	var found []allowance
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		if m := allowText.FindStringSubmatch(strings.TrimRight(text, "\r\n")); m != nil {
			found = append(found, allowance{skill, m[1], m[2], n})
		}
	}
	return found
}

// allowances finds remarks that allow nothing, this rule's own findings included.
func (x *linter) allowances() {
	for _, s := range x.Skills {
		for _, a := range x.files[s.Name].allowed {
			if x.used[a] {
				continue
			}
			x.found = append(x.found, Finding{
				Rule: x.rule, Skill: s.Name, File: x.files[s.Name].path, Line: a.line,
				What: fmt.Sprintf("the remark allows %q, of which nothing is found", a.rule),
				Mend: "take it out",
			})
		}
	}
}
