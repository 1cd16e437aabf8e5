package harness

import (
	"math/rand/v2"
	"strings"

	"skillbench/harness/prompt"
)

// backgroundSalt keeps the noise of a step apart from the script's source.
const backgroundSalt = 0x6e6f697365

// Background is the block of n background lines of one step (paper §5.3), "" for
// none. The lines come from (seed, step) alone: fewer lines are a prefix of more,
// and nothing else of the episode depends on them. Each of the task's remarks
// makes one line, which tells nothing of the task's world.
func Background(remarks []func(*rand.Rand) string, seed uint64, step, n int) string {
	if n <= 0 {
		return ""
	}
	source := rand.New(rand.NewPCG(seed^backgroundSalt, uint64(step)))
	var b strings.Builder
	b.WriteString(prompt.LabelBackground)
	for range n {
		b.WriteString(remarks[source.IntN(len(remarks))](source))
		b.WriteByte('\n')
	}
	return b.String()
}
