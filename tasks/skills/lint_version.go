package skills

import (
	"fmt"
	"maps"
	"slices"
)

const again = "run skillbench skills lint --lock"

// versions holds the definitions against what was written down of them.
func (x *linter) versions() {
	for _, s := range x.Skills {
		if x.evidence.Lock != nil {
			x.locked(s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.evidence.Lock)) {
		if _, ok := x.Find(name); !ok {
			x.add(Finding{
				Rule: x.rule, Skill: name, File: x.evidence.LockFile, Line: x.evidence.Lock[name].line,
				What: fmt.Sprintf("%s is locked and not in the library", name), Mend: again,
			})
		}
	}
	for _, v := range x.evidence.Vectors {
		s, ok := x.Find(v.Skill)
		if ok && s.Version == v.Version && TextHash(s.Index()) != v.Hash {
			x.find(s, "version", fmt.Sprintf("the vector of version %s in %s:%d is of another text", v.Version, v.File, v.Line), "give the definition a new version, and embed it again")
		}
	}
}

func (x *linter) locked(s Skill) {
	was, known := x.evidence.Lock[s.Name]
	switch order := compareVersions(s.Version, was.Version); {
	case !known:
		x.find(s, "version", "the skill is not in "+x.evidence.LockFile, again)
	case order < 0:
		x.find(s, "version", fmt.Sprintf("version %s is before %s of %s:%d", s.Version, was.Version, x.evidence.LockFile, was.line), "give the definition a later version")
	case order > 0:
		x.find(s, "version", fmt.Sprintf("version %s is not in %s yet, which has %s", s.Version, x.evidence.LockFile, was.Version), again)
	case s.Hash() != was.Hash:
		x.find(s, "version", fmt.Sprintf("the definition is another one than %s:%d has for version %s", x.evidence.LockFile, was.line, was.Version), "give it a new version, then "+again)
	}
}
