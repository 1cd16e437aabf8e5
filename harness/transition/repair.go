package transition

import "skillbench/harness/state"

// mended repairs the syntax of a block, if that is all that was found wrong and
// the text does not end in it.
func (r reader) mended(b block, found []state.Violation) (state.Object, bool) {
	if r.repair != Lenient || found[0].Class != JSONSyntax || b.end == cutOff {
		return state.Object{}, false
	}
	text, ok := mend(r.text[b.from:b.to])
	if !ok {
		return state.Object{}, false
	}
	o, err := state.Parse(text)
	return o, err == nil
}

func mendedFlags() []string { return []string{Repaired, Repaired + ":" + JSONSyntax} }
