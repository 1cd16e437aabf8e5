// Package config reads YAML files strictly. Every fault is one line: file and
// line, the key, what was found and what is wanted.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Node is a part of a file that is decoded later, once its meaning is known.
type Node struct {
	Source string
	YAML   *yaml.Node
}

// Parse reads one YAML document.
func Parse(source string, data []byte) (Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return Node{}, fmt.Errorf("%s:1: the file is empty", source)
	} else if err != nil {
		return Node{}, syntax(source, err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return Node{}, fmt.Errorf("%s: want one YAML document, found more", source)
	}
	return Node{source, doc.Content[0]}, nil
}

var lineOf = regexp.MustCompile(`^yaml: line (\d+): (.*)$`)

func syntax(source string, err error) error {
	if m := lineOf.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s:%s: not YAML: %s", source, m[1], m[2])
	}
	return fmt.Errorf("%s:1: not YAML: %s", source, strings.TrimPrefix(err.Error(), "yaml: "))
}

// Scalar returns the value of a plain scalar.
func (n Node) Scalar() (string, bool) {
	if n.YAML == nil || n.YAML.Kind != yaml.ScalarNode || n.YAML.Tag == "!!null" {
		return "", false
	}
	return n.YAML.Value, true
}

// Member returns the value of a key of a mapping.
func (n Node) Member(key string) (Node, bool) {
	if n.YAML == nil || n.YAML.Kind != yaml.MappingNode {
		return Node{}, false
	}
	for i := 0; i+1 < len(n.YAML.Content); i += 2 {
		if n.YAML.Content[i].Value == key {
			return Node{n.Source, n.YAML.Content[i+1]}, true
		}
	}
	return Node{}, false
}

// Set replaces the value at a dotted key, making mappings on the way. The
// value is YAML itself. Later faults of it are placed where it was set.
func (n Node) Set(key, value string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%s: want a value after =, got none", n.Source)
	}
	part, err := Parse(n.Source, []byte(value))
	if err != nil {
		return err
	}
	at := n.YAML
	for name, rest, more := strings.Cut(key, "."); ; name, rest, more = strings.Cut(rest, ".") {
		if at.Kind != yaml.MappingNode {
			return fmt.Errorf("%s: %q is not a key here", n.Source, name)
		}
		next, ok := Node{n.Source, at}.Member(name)
		if !ok {
			next.YAML = &yaml.Node{Kind: yaml.MappingNode, Line: at.Line}
			at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name, Line: at.Line}, next.YAML)
		}
		if !more {
			place(part.YAML, next.YAML.Line)
			*next.YAML = *part.YAML
			return nil
		}
		at = next.YAML
	}
}

// place puts a node and all below it on one line.
func place(n *yaml.Node, line int) {
	n.Line = line
	for _, below := range n.Content {
		place(below, line)
	}
}

// Errorf is a fault at a node.
func (n Node) Errorf(format string, args ...any) error {
	line := 1
	if n.YAML != nil {
		line = n.YAML.Line
	}
	return fmt.Errorf("%s:%d: %s", n.Source, line, fmt.Sprintf(format, args...))
}

// At places an error whose text begins with a dotted key: at that key where
// the node has it, else at the nearest above it. See [Node.Find].
func (n Node) At(err error) error {
	if err == nil {
		return nil
	}
	key, _, _ := strings.Cut(err.Error(), ":")
	return n.Find(key).Errorf("%s", err)
}

// Find returns the value at a dotted key, entries of lists numbered from 0, or
// the nearest above it.
func (n Node) Find(key string) Node {
	at := n
	for _, name := range strings.Split(key, ".") {
		next, ok := at.Member(name)
		if !ok {
			next, ok = at.entry(name)
		}
		if !ok {
			break
		}
		at = next
	}
	return at
}

// entry returns an entry of a list. A single value is a list of one.
func (n Node) entry(name string) (Node, bool) {
	i, err := strconv.Atoi(name)
	switch {
	case err != nil || i < 0:
		return Node{}, false
	case n.YAML.Kind == yaml.SequenceNode && i < len(n.YAML.Content):
		return Node{n.Source, n.YAML.Content[i]}, true
	}
	return n, i == 0
}

// Decode fills v, a pointer, from the node. Struct fields are named by their
// yaml tags. Unknown and repeated keys are faults; a single value stands for a
// list of one; what is not mentioned keeps its value.
func (n Node) Decode(v any) error {
	return n.decode("", reflect.ValueOf(v).Elem())
}

var nodeType = reflect.TypeFor[Node]()

func (n Node) decode(key string, v reflect.Value) error {
	if n.YAML.Kind == yaml.AliasNode {
		return n.Errorf("%saliases are not supported: write the value out", prefix(key))
	}
	switch {
	case v.Type() == nodeType:
		v.Set(reflect.ValueOf(n))
		return nil
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return n.decode(key, v.Elem())
	case v.Kind() == reflect.Struct:
		return n.decodeStruct(key, v)
	case v.Kind() == reflect.Slice:
		return n.decodeList(key, v)
	case v.Kind() == reflect.Map:
		return n.decodeMap(key, v)
	case v.Kind() == reflect.Interface:
		var any any
		if err := n.YAML.Decode(&any); err != nil {
			return n.Errorf("%s%s", prefix(key), strings.Join(strings.Fields(err.Error()), " "))
		}
		v.Set(reflect.ValueOf(&any).Elem())
		return nil
	}
	return n.decodeScalar(key, v)
}

func prefix(key string) string {
	if key == "" {
		return ""
	}
	return key + ": "
}

func (n Node) decodeStruct(key string, v reflect.Value) error {
	if n.YAML.Kind != yaml.MappingNode {
		return n.Errorf("%swant keys and values, got %s", prefix(key), n.describe())
	}
	fields := map[string]reflect.Value{}
	names := collect(v, fields)
	return n.eachMember(func(name string, value Node) error {
		field, ok := fields[name]
		if !ok {
			return value.Errorf("%s: unknown key; want one of %s", name, strings.Join(names, ", "))
		}
		return value.decode(name, field)
	})
}

// collect lists the keys of a struct, those of inlined structs included.
func collect(v reflect.Value, fields map[string]reflect.Value) []string {
	var names []string
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		switch {
		case option == "inline":
			names = append(names, collect(v.Field(i), fields)...)
		case name != "" && name != "-":
			fields[name] = v.Field(i)
			names = append(names, name)
		}
	}
	return names
}

func (n Node) eachMember(f func(name string, value Node) error) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.YAML.Content); i += 2 {
		name, value := n.YAML.Content[i], Node{n.Source, n.YAML.Content[i+1]}
		if seen[name.Value] {
			return Node{n.Source, name}.Errorf("%s: the key stands twice", name.Value)
		}
		seen[name.Value] = true
		if value.YAML.Line == 0 {
			value.YAML.Line = name.Line
		}
		if err := f(name.Value, value); err != nil {
			return err
		}
	}
	return nil
}

func (n Node) decodeList(key string, v reflect.Value) error {
	items := []*yaml.Node{n.YAML}
	if n.YAML.Kind == yaml.SequenceNode {
		items = n.YAML.Content
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := (Node{n.Source, item}).decode(key, list.Index(i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

func (n Node) decodeMap(key string, v reflect.Value) error {
	if n.YAML.Kind != yaml.MappingNode {
		return n.Errorf("%swant keys and values, got %s", prefix(key), n.describe())
	}
	m := reflect.MakeMap(v.Type())
	err := n.eachMember(func(name string, value Node) error {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := value.decode(name, item); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(name), item)
		return nil
	})
	v.Set(m)
	return err
}

func (n Node) decodeScalar(key string, v reflect.Value) error {
	text, ok := n.Scalar()
	if !ok {
		return n.Errorf("%swant one value, got %s", prefix(key), n.describe())
	}
	var err error
	want := ""
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return nil
	case reflect.Bool:
		var b bool
		want, err = "true or false", n.YAML.Decode(&b)
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		var i int64
		want = "a whole number"
		i, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(i)
	case reflect.Uint64:
		var u uint64
		want = "a whole number that is not negative"
		u, err = strconv.ParseUint(text, 10, 64)
		v.SetUint(u)
	case reflect.Float64:
		var f float64
		want = "a number"
		if f, err = strconv.ParseFloat(text, 64); err == nil && (f != f || f > 1e300 || f < -1e300) {
			err = strconv.ErrRange
		}
		v.SetFloat(f)
	default:
		return n.Errorf("%scannot be set in a file", prefix(key))
	}
	if err != nil {
		return n.Errorf("%swant %s, got %q", prefix(key), want, text)
	}
	return nil
}

func (n Node) describe() string {
	switch n.YAML.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.YAML.Tag == "!!null" {
		return "nothing"
	}
	return strconv.Quote(n.YAML.Value)
}
