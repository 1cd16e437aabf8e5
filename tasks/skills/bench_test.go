package skills

import "testing"

func BenchmarkHolds(b *testing.B) {
	n := Negative{State: "days_since_delivery > 30"}
	held, err := compile(n.State)
	if err != nil {
		b.Fatal(err)
	}
	n.held = held
	state := map[string]any{"paid": true, "shipped": true, "delivered": true, "days_since_delivery": 12, "refund": "none"}
	for b.Loop() {
		if holds, err := n.Holds(state); holds || err != nil {
			b.Fatal(holds, err)
		}
	}
}

func BenchmarkContractCheck(b *testing.B) {
	c := contractOf(b)
	args := []byte(`{"order":"A1047","count":3,"price":12.5}`)
	for b.Loop() {
		if _, faults := c.Check(args); faults != nil {
			b.Fatal(faults)
		}
	}
}

// BenchmarkBoundaries is of one skill.
func BenchmarkBoundaries(b *testing.B) {
	c := Catalogue{Skills: two()[:1]}
	for b.Loop() {
		c.Boundaries()
	}
}
