package suite_test

import (
	"testing"

	"skillbench/configs"
	"skillbench/tasks/skills/suite"
)

func TestShippedSuiteIsValid(t *testing.T) {
	t.Parallel()
	s, lib, err := suite.Open("after-sales", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases of %d skills", len(s.Cases), len(lib.Skills))
}
