package configs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/harness/model/openai"
)

// TestModelFilesAreRead holds the examples to what a run accepts.
func TestModelFilesAreRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("models/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 7 {
		t.Fatalf("found %q", files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := openai.Parse(file, data)
		if err != nil {
			t.Error(err)
			continue
		}
		// go-openai adds the path, so a slash at the end would double.
		if strings.HasSuffix(c.BaseURL, "/") {
			t.Errorf("%s: base_url %s ends in a slash", file, c.BaseURL)
		}
		if local := strings.HasPrefix(c.BaseURL, "http://"); local != (c.KeyEnv == "") {
			t.Errorf("%s: want a key for hosted models and none for local ones", file)
		}
	}
}
