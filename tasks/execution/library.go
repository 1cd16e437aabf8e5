package execution

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"skillbench/configs"
	"skillbench/tasks/execution/engine"
	"skillbench/tasks/skills"
)

// Goals of requests that are no skill of that name.
const (
	goalShip = "ship"
	goalSell = "sell"
)

// library is the shipped one, read once, with its fixed flows.
var library = sync.OnceValues(func() (*engine.Library, error) {
	l, err := skills.Load(configs.FS, "libraries/execution", "configs/libraries/execution")
	if err != nil {
		return nil, err
	}
	return &engine.Library{
		Library: l,
		Flows:   flows,
		Parts:   map[string]int{goalReport: 5},
		About:   []string{"order", "week"},
	}, nil
})

// catalogue is what every prompt says of skills and flows.
func catalogue(l *engine.Library) string {
	var b strings.Builder
	b.WriteString(skills.Catalogue{Skills: l.Skills}.Bare())
	b.WriteString("\nFlows, for Plan; steps count from 1, and the second has \"depends_on\":[1]:\n")
	for _, goal := range slices.Sorted(maps.Keys(l.Flows)) {
		b.WriteString("- " + goal + ": " + strings.Join(l.Flows[goal], ", ") + "\n")
	}
	return b.String()
}
