package state_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"skillbench/harness/state"
)

// shelves is a warehouse state with n occupied shelves.
func shelves(n int) state.Object {
	inventory := map[string]string{}
	for i := range n {
		inventory[fmt.Sprintf("shelf_%d", i)] = fmt.Sprintf("item_%d", i)
	}
	return state.From(map[string]any{"inventory": inventory})
}

const move = `{"inventory":{"shelf_42":null,"shelf_499":"item_42"}}`

func BenchmarkApply(b *testing.B) {
	s, p := shelves(500), mustParse(b, move)
	for b.Loop() {
		state.Deep.Apply(s, p)
	}
}

// BenchmarkApplyBaseline is the same merge as one finds it in scripts: parse
// state and patch with encoding/json, merge in place, marshal.
func BenchmarkApplyBaseline(b *testing.B) {
	text := []byte(shelves(500).Compact())
	for b.Loop() {
		var s, p map[string]any
		if json.Unmarshal(text, &s) != nil || json.Unmarshal([]byte(move), &p) != nil {
			b.Fatal("bad JSON")
		}
		mergeInPlace(s, p)
		if _, err := json.Marshal(s); err != nil {
			b.Fatal(err)
		}
	}
}

func mergeInPlace(s, p map[string]any) {
	for name, v := range p {
		inner, isObject := v.(map[string]any)
		old, both := s[name].(map[string]any)
		switch {
		case v == nil:
			delete(s, name)
		case isObject && both:
			mergeInPlace(old, inner)
		default:
			s[name] = v
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	schema := mustCompile(b, warehouse)
	for _, n := range []int{100, 500} {
		o := shelves(n)
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			for b.Loop() {
				if found := schema.Check(o); found != nil {
					b.Fatal(found)
				}
			}
		})
	}
}

func BenchmarkCompact(b *testing.B) {
	o := shelves(500)
	for b.Loop() {
		o.Compact()
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte(shelves(500).Compact())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := state.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
