package main

import (
	"runtime"
	"runtime/debug"

	"skillbench/harness/journal"
)

// made says which build of the program made a run.
func made() journal.Made {
	m := journal.Made{Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return m
	}
	m.Skillbench = info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			m.Skillbench = s.Value
		}
	}
	return m
}
