package check

import (
	"fmt"
	"strings"
	"unicode"
)

// A Result is the verdict on one invariant.
type Result struct {
	Invariant string
	Pass      bool
	Evidence  []string           // at most MaxEvidence facts, one line each; failures come first
	Measured  map[string]float64 // by name; sizes are code points
}

// MaxEvidence bounds the lines of evidence of a result.
const MaxEvidence = 20

// maxLine bounds a line of evidence, in code points.
const maxLine = 400

// A verdict gathers evidence. It passes until something fails.
type verdict struct {
	invariant string
	failures  int
	lines     []string // the first failures
	notes     []string
	measured  map[string]float64
}

func begin(invariant string) *verdict {
	return &verdict{invariant: invariant, measured: map[string]float64{}}
}

// fail adds a fact that breaks the invariant.
func (v *verdict) fail(format string, args ...any) {
	if v.failures++; v.failures < MaxEvidence {
		v.lines = append(v.lines, oneLine(fmt.Sprintf(format, args...)))
	}
}

// note adds a fact that breaks nothing.
func (v *verdict) note(format string, args ...any) {
	v.notes = append(v.notes, oneLine(fmt.Sprintf(format, args...)))
}

func (v *verdict) result() Result {
	lines := v.lines
	if more := v.failures - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more like these", more))
	}
	lines = append(lines, v.notes...)
	return Result{Invariant: v.invariant, Pass: v.failures == 0, Evidence: lines[:min(len(lines), MaxEvidence)], Measured: v.measured}
}

// Join makes one result of several on the same invariant. It passes if all do;
// of each measured number it holds the largest.
func Join(results ...Result) Result {
	joined := Result{Pass: true, Measured: map[string]float64{}}
	var notes []string
	for _, r := range results {
		joined.Invariant = r.Invariant
		if r.Pass {
			notes = append(notes, r.Evidence...)
		} else {
			joined.Pass = false
			joined.Evidence = append(joined.Evidence, r.Evidence...)
		}
		for name, value := range r.Measured {
			if old, ok := joined.Measured[name]; !ok || value > old {
				joined.Measured[name] = value
			}
		}
	}
	joined.Evidence = append(joined.Evidence, notes...)
	joined.Evidence = joined.Evidence[:min(len(joined.Evidence), MaxEvidence)]
	return joined
}

// oneLine makes text safe to show: printable, bounded.
func oneLine(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > maxLine {
			return b.String() + "…"
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// around is the text near a byte offset, as evidence shows it.
func around(text string, at int) string {
	const before, after = 40, 80
	from, to := max(0, at-before), min(len(text), at+after)
	return fmt.Sprintf("%q", strings.ToValidUTF8(text[from:to], ""))
}
