package main

import (
	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/tasks/execution"
	"skillbench/tasks/repo"
	"skillbench/tasks/routing"
	"skillbench/tasks/warehouse"
)

// kit lists everything that an experiment can name. Add a task or a strategy
// here. Endpoint opens model files.
func kit(endpoint func(path string) (harness.Model, error)) harness.Kit {
	return harness.Kit{
		Tasks:      []harness.Task{warehouse.Task(), repo.Task(), routing.Task(), execution.Task()},
		Strategies: append(agents.List(), routing.Strategies()...),
		Files:      configs.FS,
		Endpoint:   endpoint,
	}
}
