package suite

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"skillbench/harness/config"
	"skillbench/tasks/skills"
)

// openFile tells the formats apart by the file's extension and first character.
func openFile(name string, fsys fs.FS) (Suite, skills.Library, error) {
	data, err := config.ReadFile(name)
	if err != nil {
		return Suite{}, skills.Library{}, fmt.Errorf("%s: want a suite: %w", name, err)
	}
	source := filepath.ToSlash(name)
	data = bytes.TrimPrefix(data, byteOrder)
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case ext == ".yaml" || ext == ".yml":
		s, err := Parse(data, source)
		if err != nil {
			return s, skills.Library{}, err
		}
		lib, err := library(s.Library, filepath.Dir(name), fsys)
		return s, lib, err
	case ext == ".csv", ext == ".json" && bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")):
		descriptions, at, err := plugins(filepath.Dir(name))
		if err != nil {
			return Suite{}, skills.Library{}, fmt.Errorf("%s: %w", source, err)
		}
		return LoadMetaTool(source, data, at, descriptions)
	case ext == ".json":
		return LoadCLINC150(source, data)
	}
	return Suite{}, skills.Library{}, fmt.Errorf("%s: want a suite: .yaml of our own form, .csv or .json of MetaTool, .json of CLINC150", source)
}

// byteOrder is the mark that some programs put before UTF-8.
var byteOrder = []byte("\uFEFF")

// pluginFile holds MetaTool's descriptions.
const pluginFile = "plugin_des.json"

// plugins finds the descriptions where the benchmark's repository has them.
func plugins(dir string) (data []byte, source string, err error) {
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		at := filepath.Join(folder, pluginFile)
		if data, err = config.ReadFile(at); err == nil {
			return bytes.TrimPrefix(data, byteOrder), filepath.ToSlash(at), nil
		}
	}
	return nil, "", fmt.Errorf("want %s, the tools' descriptions, beside it or one folder up: %w", pluginFile, err)
}
