package warehouse

import (
	"fmt"
	"testing"

	"skillbench/harness"
	"skillbench/harness/model/sim"
)

// BenchmarkStep is the cost of one step of the world; it must not grow with T.
func BenchmarkStep(b *testing.B) {
	for _, horizon := range []int{100, 10000} {
		for _, lines := range []int{0, 50} {
			b.Run(fmt.Sprintf("T=%d/noise=%d", horizon, lines), func(b *testing.B) {
				w := start(b, harness.Spec{Horizon: horizon, Seed: 1, Noise: lines})
				for b.Loop() {
					o, ok := w.Observe()
					if !ok {
						b.StopTimer()
						w = start(b, harness.Spec{Horizon: horizon, Seed: 1, Noise: lines})
						o, _ = w.Observe()
						b.StartTimer()
					}
					w.Act(o.Oracle)
				}
			})
		}
	}
}

// BenchmarkRead is the cost of reading a whole history, per step of it.
func BenchmarkRead(b *testing.B) {
	const horizon = 1000
	var sections []sim.Section
	for _, s := range play(b, harness.Spec{Horizon: horizon, Seed: 1}, oracle) {
		sections = append(sections, sim.Section{Part: sim.InHistory, Text: s.o.Text},
			sim.Section{Part: sim.InReply, Text: "It is on that shelf.\nAction: " + s.action + "\n"})
	}
	for b.Loop() {
		language{}.Read(sections)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/horizon, "ns/turn")
}
