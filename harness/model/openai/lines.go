package openai

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// goTerms are the words of YAML errors that only a reader of the code knows.
var goTerms = strings.NewReplacer(
	" not found in type openai.Config", " is not a key of a model file",
	" not found in type limit.Rates", " is not a key of limits",
	"time.Duration", "a duration such as 90s",
)

// fileError puts a YAML error as file:line: text, its first fault only.
func fileError(name string, err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: want a model file, got an empty one", name)
	}
	text := err.Error()
	if many, ok := errors.AsType[*yaml.TypeError](err); ok {
		text = many.Errors[0]
	}
	text = goTerms.Replace(text)
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s:%s: %s", name, m[1], text[len(m[0]):])
	}
	return fmt.Errorf("%s: %s", name, strings.TrimPrefix(text, "yaml: "))
}

// atLine adds the line of the key that err blames, or of the document where
// the key is absent.
func atLine(name string, data []byte, err error) error {
	line := 1
	var doc yaml.Node
	key, _, _ := strings.Cut(err.Error(), ":")
	if yaml.Unmarshal(data, &doc) == nil && len(doc.Content) == 1 {
		line = lineOf(doc.Content[0], strings.Split(key, "."))
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

func lineOf(node *yaml.Node, path []string) int {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != path[0] {
			continue
		}
		if len(path) > 1 {
			return lineOf(node.Content[i+1], path[1:])
		}
		return node.Content[i].Line
	}
	return node.Line
}
