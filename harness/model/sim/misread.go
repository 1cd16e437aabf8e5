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
// errs, one belief, about what the event names where there is one, takes the
// value that another key of its kind has, or is lost where there is no other
// value. What the model writes into a state is still what it read; only the
// decision suffers.
func (m *Model) misread(text string, sections []Section, r Reading, beliefs Beliefs) Beliefs {
	if m.config.Mechanism != Distractible || len(beliefs) == 0 {
		return beliefs
	}
	draw := m.random(text)
	if draw.Float64() >= 1-math.Exp(-m.config.strength()*float64(idle(text, sections, r))/1000) {
		return beliefs
	}
	keys := slices.Sorted(maps.Keys(beliefs))
	concerned := about(r.Event, keys, beliefs)
	if len(concerned) == 0 {
		concerned = keys
	}
	victim := concerned[draw.IntN(len(concerned))]
	wrong := maps.Clone(beliefs)
	if others := rivals(victim, keys, beliefs); len(others) > 0 {
		wrong[victim] = beliefs[others[draw.IntN(len(others))]]
	} else {
		delete(wrong, victim)
	}
	return wrong
}

// about lists the keys that the event names, alone or with a field, and those
// whose value it names.
func about(e Event, keys []string, beliefs Beliefs) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		name, _ := field(key)
		for _, arg := range e.Args {
			if arg != "" && (name == arg || beliefs[key] == arg) {
				return false
			}
		}
		return true
	})
}

// rivals lists the keys of the same kind that have another value.
func rivals(victim string, keys []string, beliefs Beliefs) []string {
	_, kind := field(victim)
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		_, other := field(key)
		return other != kind || beliefs[key] == "" || beliefs[key] == beliefs[victim]
	})
}

// field splits a key such as pr_3.ci or feature_4/file_7.go into what it is
// about and its field, "" where it has none.
func field(key string) (name, kind string) {
	if i := strings.IndexAny(key, "./"); i >= 0 {
		return key[:i], key[i:]
	}
	return key, ""
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
