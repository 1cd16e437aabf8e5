package transition

import (
	"github.com/kaptinlin/jsonrepair"

	"skillbench/harness/state"
)

// maxMend is the longest object that is mended, in bytes: the repair takes
// quadratic time on some texts.
const maxMend = 8 << 10

// mend repairs the syntax of an object, if that is all that was found wrong.
// What it returns has passed the strict parser, so that a duplicate key stays an
// error.
func (r reader) mend(b block, found []state.Violation) (state.Object, bool) {
	if r.repair != Lenient || len(found) != 1 || found[0].Class != JSONSyntax ||
		b.end == cutOff || b.to-b.from > maxMend || b.depth > state.MaxDepth {
		return state.Object{}, false
	}
	mended, err := jsonrepair.Repair(r.text[b.from:b.to])
	if err != nil {
		return state.Object{}, false
	}
	o, err := state.Parse([]byte(mended))
	return o, err == nil
}

func mendedFlags() []string { return []string{Repaired, Repaired + ":" + JSONSyntax} }
