package skills

import (
	"testing"

	"skillbench/configs"
)

func shipped(t *testing.T) Library {
	t.Helper()
	l, err := Load(configs.FS, "libraries/after-sales", "configs/libraries/after-sales")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestShippedLibraryLoads(t *testing.T) {
	t.Parallel()
	l := shipped(t)
	for _, s := range l.Skills {
		if l.Contract(s.Name) == nil || s.Body == "" {
			t.Errorf("%s: no contract or no body", s.Name)
		}
	}
}
