package routing

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"skillbench/harness/record"
)

// TestTranscript holds every word of two dialogues of each arm, with looks and
// wrong decisions among the right ones.
func TestTranscript(t *testing.T) {
	t.Parallel()
	tried := map[string][]string{
		"money-then-number": {"Load refund", "Open money", `Call track {"order":"A9"}`},
		"where":             {"Load track", "Open parcels", `Call track {"order":"A7777"}`},
	}
	for _, arm := range Arms() {
		t.Run(string(arm), func(t *testing.T) {
			t.Parallel()
			w := start(t, shop(6, 1, func(o *Options) { o.Arm, o.K, o.Favourites = arm, 2, []string{"person"} }))
			var b strings.Builder
			b.WriteString(w.Catalogue() + "\n")
			left := map[string][]string{}
			for id, actions := range tried {
				left[id] = actions
			}
			for _, s := range play(t, w, func(o record.Observation) string {
				if rest := left[o.Item]; len(rest) > 0 {
					left[o.Item] = rest[1:]
					return rest[0]
				}
				return o.Oracle
			}) {
				if tried[s.o.Item] == nil {
					continue
				}
				o, _ := json.Marshal(s.o)
				out, _ := json.Marshal(s.out)
				fmt.Fprintf(&b, "%s> %s\n# %s\n# later: %q\n# %s\n\n", s.o.Text, s.action, o, s.o.Later, out)
			}
			golden(t, "testdata/"+string(arm)+".golden", b.String())
		})
	}
}
