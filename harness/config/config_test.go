package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type fruit struct {
	Name  string         `yaml:"name"`
	Sizes []int          `yaml:"sizes"`
	Ripe  bool           `yaml:"ripe"`
	Price *float64       `yaml:"price"`
	Notes map[string]int `yaml:"notes"`
	Core  `yaml:",inline"`
}

type Core struct {
	Seeds uint64 `yaml:"seeds"`
}

func decode(text string) (fruit, error) {
	n, err := Parse("f.yaml", []byte(text))
	if err != nil {
		return fruit{}, err
	}
	f := fruit{Ripe: true}
	return f, n.Decode(&f)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	n, err := Parse("f.yaml", []byte("name: fig\nsizes: 3\nseeds: 7\nprice: 0\nnotes: {a: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, zero := fruit{Ripe: true}, 0.0
	if err := n.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := fruit{Name: "fig", Sizes: []int{3}, Ripe: true, Price: &zero, Notes: map[string]int{"a": 1}, Core: Core{7}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFaultsNameLineKeyAndWish(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "f.yaml:1: the file is empty",
		"# only a remark\n":            "f.yaml:1: the file is empty",
		"name: fig\nsizes: [1, ten]\n": `f.yaml:2: sizes: want a whole number, got "ten"`,
		"name: fig\nsize: 1\n":         "f.yaml:2: size: unknown key; want one of name, sizes, ripe, price, notes, seeds",
		"name: a\nname: b\n":           "f.yaml:2: name: the key stands twice",
		"- a\n":                        "f.yaml:1: want keys and values, got a list",
		"name: [a]\n":                  "f.yaml:1: name: want one value, got a list",
		"name:\n":                      "f.yaml:1: name: want one value, got nothing",
		"ripe: maybe\n":                `f.yaml:1: ripe: want true or false, got "maybe"`,
		"price: .nan\n":                `f.yaml:1: price: want a number, got ".nan"`,
		"seeds: -1\n":                  `f.yaml:1: seeds: want a whole number that is not negative, got "-1"`,
		"notes: 3\n":                   `f.yaml:1: notes: want keys and values, got "3"`,
		"name: a\n---\nname: b\n":      "f.yaml: want one YAML document, found more",
		"name: \"a\n":                  "f.yaml:2: not YAML",
		"a: &x 1\nname: *x\n":          "f.yaml:1: a: unknown key",
	} {
		_, err := decode(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestSetAndAt(t *testing.T) {
	t.Parallel()
	n, err := Parse("f.yaml", []byte("a:\n  b: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range [][2]string{{"a.b", "2"}, {"a.c.d", "[x]"}, {"e", "f"}} {
		if err := n.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	var got map[string]any
	if err := n.YAML.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a": map[string]any{"b": 2, "c": map[string]any{"d": []any{"x"}}}, "e": "f"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n, err = Parse("f.yaml", []byte("a:\n  - b: 1\n  -\n    c: 2\nd: {e: 3}\n")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"a.1.c: no": "f.yaml:4: a.1.c: no",
		"a.2.c: no": "f.yaml:2: a.2.c: no",
		"d.0.e: no": "f.yaml:5: d.0.e: no",
	} {
		if got := n.At(errors.New(text)).Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if err := n.Set("d.e.x", "1"); err == nil {
		t.Error("set below a scalar was taken")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("name: fig\nsizes: 3\n")
	f.Add("a: &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := decode(text); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
	})
}
