package suite

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// LoadMetaTool makes a suite of the ToolE data of MetaTool (Huang et al. 2023).
// Queries are either CSV with columns Query and Tool (all_clean_data.csv), or a
// JSON list of {"query": …, "tool": [names]} (multi_tool_query_golden.json);
// descriptions are a JSON object of tools (plugin_des.json). The sources name the
// two in errors.
//
// Each tool becomes a skill without parameters whose summary is its description.
// Each query becomes a case of one turn and kind direct; where it is for several
// tools, of kind multi, and a call of any of them is right. The data has no splits:
// every other query is dev, the rest is test. A query for a tool without a
// description is an error, because no answer to it would be right.
func LoadMetaTool(source string, queries []byte, descriptionSource string, descriptions []byte) (Suite, skills.Library, error) {
	var tools map[string]string
	if err := json.Unmarshal(descriptions, &tools); err != nil {
		return Suite{}, skills.Library{}, fmt.Errorf("%s: want an object of tool: description: %w", descriptionSource, err)
	}
	f, err := newForeign(source, tools)
	if err != nil {
		return f.suite, skills.Library{}, err
	}
	read := f.csv
	if bytes.HasPrefix(bytes.TrimSpace(queries), []byte("[")) {
		read = f.queries
	}
	if err := read(queries, descriptionSource); err != nil {
		return f.suite, skills.Library{}, err
	}
	return f.done()
}

func (f *foreign) csv(data []byte, descriptions string) error {
	r := csv.NewReader(bytes.NewReader(data))
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s:1: want CSV with columns Query and Tool: %w", f.suite.source, err)
	}
	query, tool := slices.Index(head, "Query"), slices.Index(head, "Tool")
	if query < 0 || tool < 0 {
		return fmt.Errorf("%s:1: want columns Query and Tool, got %q", f.suite.source, head)
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: not CSV: %w", f.suite.source, err)
		}
		if err := f.query(row[query], row[tool:tool+1], descriptions); err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("%s:%d: %w", f.suite.source, line, err)
		}
	}
}

func (f *foreign) queries(data []byte, descriptions string) error {
	var list []struct {
		Query string   `json:"query"`
		Tool  []string `json:"tool"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf(`%s: want a list of {"query": …, "tool": [names]}: %w`, f.suite.source, err)
	}
	for i, q := range list {
		if err := f.query(q.Query, q.Tool, descriptions); err != nil {
			return fmt.Errorf("%s: entry %d: %w", f.suite.source, i+1, err)
		}
	}
	return nil
}

func (f *foreign) query(say string, tools []string, descriptions string) error {
	if len(tools) == 0 {
		return errors.New("want a tool, found none")
	}
	kind, routes := Direct, make([]record.Route, len(tools))
	if len(tools) > 1 {
		kind = Multi
	}
	for i, tool := range tools {
		var ok bool
		if routes[i], ok = f.call(tool); !ok {
			return fmt.Errorf("tool %q has no description in %s: add one, or take the query out", tool, descriptions)
		}
	}
	split := Dev
	if len(f.suite.Cases)%2 == 1 {
		split = Test
	}
	return f.add(kind, split, say, Expect{Route: routes[0], Accept: routes[1:]})
}
