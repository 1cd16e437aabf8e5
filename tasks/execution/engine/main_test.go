package engine_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain has thousands of schedules tried, unless fewer are asked for.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "5000"); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(m.Run())
}
