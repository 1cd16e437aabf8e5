package tokens

import (
	"fmt"
	"strings"
	"testing"
)

const prose = "The clerk found the ledger open on the long table, its last line unfinished. " +
	"Nobody had touched the ink since Tuesday, when 14 crates of lemons and 3 barrels of salt left the harbour. " +
	"He noted the hour, closed the shutters against the wind, and wrote: \"Stock does not agree; ask the captain.\" " +
	"It wasn't the first time. In March the sums were off by 27, and in May the key to the north store could not be found at all. " +
	"By evening the captain had answered with two words and a seal, and the matter was left as it stood until the autumn count. " +
	"Then it rained for a week or so, and no ship came in at all.\n"

func BenchmarkProse(b *testing.B) {
	for _, name := range Names() {
		e := load(b, name)
		text := prose[:600]
		b.Run(name+"/library", func(b *testing.B) {
			b.SetBytes(600)
			b.ReportAllocs()
			for b.Loop() {
				e.library.EncodeOrdinary(text)
			}
		})
		b.Run(name+"/count", func(b *testing.B) {
			b.SetBytes(600)
			b.ReportAllocs()
			for b.Loop() {
				e.Count(text)
			}
		})
		b.Run(name+"/pieces", func(b *testing.B) {
			b.SetBytes(600)
			b.ReportAllocs()
			for b.Loop() {
				e.NewCounter().Append(text)
			}
		})
	}
}

// BenchmarkAppend compares 600 bytes more on a text of 100 kB with counting
// the whole again.
func BenchmarkAppend(b *testing.B) {
	for _, name := range Names() {
		e := load(b, name)
		text := strings.Repeat(prose, 100_000/len(prose))
		before := e.NewCounter()
		before.Append(text)
		b.Run(name+"/append", func(b *testing.B) {
			for b.Loop() {
				c := before.Clone()
				c.Append(prose[:600])
				c.Count()
			}
		})
		b.Run(name+"/whole", func(b *testing.B) {
			for b.Loop() {
				e.Count(text + prose[:600])
			}
		})
	}
}

// BenchmarkRun counts texts of 16 and 64 KiB that are one run; linear work
// takes four times as long for the second.
func BenchmarkRun(b *testing.B) {
	for _, name := range Names() {
		e := load(b, name)
		for _, run := range runs {
			for _, kib := range []int{16, 64} {
				text := strings.Repeat(run.unit, kib<<10/len(run.unit))
				b.Run(fmt.Sprintf("%s/%s/%dKiB", name, run.name, kib), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					for b.Loop() {
						e.Count(text)
					}
				})
			}
		}
	}
}
