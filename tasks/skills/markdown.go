package skills

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"skillbench/harness/config"
)

// A markdown is SKILL.md taken apart.
type markdown struct {
	front frontMatter
	node  config.Node
	body  string // trimmed, ending in a newline
}

// A frontMatter has the keys of the Agent Skills format. Only the first two
// mean anything here.
type frontMatter struct {
	Name          string      `yaml:"name"`
	Description   string      `yaml:"description"`
	License       string      `yaml:"license"`
	Compatibility string      `yaml:"compatibility"`
	Metadata      config.Node `yaml:"metadata"`
	AllowedTools  config.Node `yaml:"allowed-tools"`
}

// maxDescription is that of the Agent Skills format, in code points.
const maxDescription = 1024

func parseMarkdown(source string, data []byte) (markdown, error) {
	var m markdown
	if !utf8.Valid(data) {
		return m, fmt.Errorf("%s: want UTF-8, found other bytes", source)
	}
	data = bytes.TrimPrefix(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\uFEFF"))
	rest, ok := bytes.CutPrefix(data, []byte("---\n"))
	if !ok {
		return m, fmt.Errorf("%s:1: want front matter between two lines ---, found none", source)
	}
	matter, body, ok := bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		return m, fmt.Errorf("%s:1: front matter is not closed: end it with a line ---", source)
	}
	var err error
	// The newline stands for the first ---, so that lines are those of the file.
	if m.node, err = config.Parse(source, append([]byte("\n"), matter...)); err != nil {
		return m, err
	}
	if err := m.node.Decode(&m.front); err != nil {
		return m, err
	}
	if m.body = strings.TrimSpace(string(body)) + "\n"; m.body == "\n" {
		return m, fmt.Errorf("%s: the body is empty: write the instructions below the front matter", source)
	}
	return m, nil
}

// agrees holds the front matter against the definition: it has the same name,
// and its description says the summary, whatever else it says.
func (m markdown) agrees(s Skill) error {
	if m.front.Name != s.Name {
		return m.node.At(fmt.Errorf("name: want that of skill.yaml, %q, got %q", s.Name, m.front.Name))
	}
	if err := text("description", m.front.Description, maxDescription); err != nil {
		return m.node.At(err)
	}
	if text("summary", s.Summary, MaxText) != nil {
		return nil // said of the definition
	}
	if says := strings.TrimRight(s.Summary, ".! "); !strings.Contains(strings.ToLower(m.front.Description), strings.ToLower(says)) {
		return m.node.At(fmt.Errorf("description: want the summary of skill.yaml in it, %q, got %q", says, m.front.Description))
	}
	return nil
}
