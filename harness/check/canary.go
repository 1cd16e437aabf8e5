package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"strings"
)

// A Canary is a text that occurs nowhere but where it was planted, so that a
// later prompt that holds it has it from there.
type Canary struct {
	Text string
	Step int    // at which it was planted
	In   string // observation, reasoning, thinking, refused reply, state, summary
}

const canaryPrefix = "canary-"

// canaryWidth is the length of every canary, so that none is part of another.
const canaryWidth = len(canaryPrefix) + 16

// NewCanary returns the canary of a place and step; equal arguments give equal
// texts.
func NewCanary(seed uint64, in string, step int) Canary {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d", seed, in, step))
	return Canary{Text: canaryPrefix + hex.EncodeToString(sum[:8]), Step: step, In: in}
}

// canariesIn yields the offset and text of everything in a text that looks like
// a canary.
func canariesIn(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for at := 0; ; {
			i := strings.Index(text[at:], canaryPrefix)
			if i < 0 || at+i+canaryWidth > len(text) {
				return
			}
			if at += i; !yield(at, text[at:at+canaryWidth]) {
				return
			}
			at += len(canaryPrefix)
		}
	}
}
