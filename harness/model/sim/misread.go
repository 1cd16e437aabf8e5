package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// misread is what a distractible reader takes for its beliefs. The probability
// that it errs is 1 - exp(-strength · n/1000), where n is the number of bytes
// of text on lines that say nothing: noise, and reasoning of the past. When it
// errs, one belief, of something that the event names where there is one, takes
// the value of another key, or is lost where there is no other. What the model
// writes into a state is still what it read; only the decision suffers.
func (m *Model) misread(text string, sections []Section, r Reading, beliefs Beliefs) Beliefs {
	if m.config.Mechanism != Distractible || len(beliefs) == 0 {
		return beliefs
	}
	draw := m.random(text)
	if draw.Float64() >= 1-math.Exp(-m.config.strength()*float64(idle(text, sections, r))/1000) {
		return beliefs
	}
	wrong := maps.Clone(beliefs)
	keys := slices.Sorted(maps.Keys(beliefs))
	victim := keys[draw.IntN(len(keys))]
	for _, name := range slices.Sorted(maps.Keys(r.Event.Args)) {
		if arg := r.Event.Args[name]; beliefs[arg] != "" {
			victim = arg
			break
		}
	}
	other := keys[draw.IntN(len(keys))]
	if other == victim {
		delete(wrong, victim)
	} else {
		wrong[victim] = beliefs[other]
	}
	return wrong
}

// idle counts the bytes of lines in which nothing is said.
func idle(text string, sections []Section, r Reading) int {
	n := 0
	for _, s := range sections {
		if s.Part != inContract {
			n += len(s.Text)
		}
	}
	counted := -1 // begin of the last line that was taken off
	for _, m := range append(slices.Clone(r.Mentions), Mention{At: r.Event.At}) {
		begin := strings.LastIndexByte(text[:m.At], '\n') + 1
		if begin == counted {
			continue
		}
		counted = begin
		size := strings.IndexByte(text[begin:], '\n')
		if size < 0 {
			size = len(text) - begin
		}
		n -= size
	}
	return max(0, n)
}

// random is the source of everything drawn at one prompt: it depends on the
// seed and the text alone, so that resumed, parallel and remote runs agree.
func (m *Model) random(text string) *rand.Rand {
	sum := sha256.Sum256([]byte(text))
	return rand.New(rand.NewPCG(m.config.Seed, binary.BigEndian.Uint64(sum[:8])))
}
