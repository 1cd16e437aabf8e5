// Package warehouse is the warehouse task (paper §4.1): 500 shelves, items that
// arrive, are ordered, or must leave a shelf for maintenance. Its memory demand
// is where each item is; its rule is which shelf is the lowest empty one.
//
// What the paper leaves open is decided so: a refused action changes nothing;
// Store takes only what is on the dock; Ship needs an open order; a late Store
// or Ship is valid but not the answer to another event; Receive and Maintenance
// leave the draw while the warehouse is full.
package warehouse

import "skillbench/harness"

// Task is the registration of the warehouse.
func Task() harness.Task {
	return harness.Task{
		Name:     "warehouse",
		Doc:      "500 shelves: store arrivals, ship orders, move items for maintenance",
		Skill:    "warehouse",
		Options:  func() harness.Options { return defaults() },
		Drifts:   scenarios(),
		New:      begin,
		Grammar:  Grammar,
		Language: language{},
		Random:   Random,
	}
}
