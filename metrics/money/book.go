package money

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"skillbench/configs"
	"skillbench/harness/config"
)

// A Book is a price file.
type Book struct {
	Policies []Policy  // ways of caching to compare, whoever may offer them
	HitRates []float64 // shares of what could be reused that is, to compare
	Prices   []Price
}

const pricesFile = "prices.yaml"

// Shipped is the price file that comes with the program. That it parses is
// this package's test.
var Shipped = sync.OnceValue(func() Book {
	data, err := configs.FS.ReadFile(pricesFile)
	if err != nil {
		panic(err)
	}
	b, err := Parse("configs/"+pricesFile, data)
	if err != nil {
		panic(err)
	}
	return b
})

// Parse reads a price file. Faults are one line with file and line. Unknown
// keys are faults, and so are prices without source and day.
func Parse(source string, data []byte) (Book, error) {
	node, err := config.Parse(source, data)
	if err != nil {
		return Book{}, err
	}
	var file struct {
		Policies []config.Node `yaml:"policies"`
		HitRates []float64     `yaml:"hit_rates"`
		Prices   []config.Node `yaml:"prices"`
	}
	if err := node.Decode(&file); err != nil {
		return Book{}, err
	}
	b := Book{HitRates: file.HitRates}
	for _, h := range b.HitRates {
		if !(h >= 0 && h <= 1) {
			return b, node.At(fmt.Errorf("hit_rates: want shares from 0 to 1, got %g", h))
		}
	}
	for _, n := range file.Policies {
		var p Policy
		if err := n.Decode(&p); err != nil {
			return b, err
		}
		if slices.ContainsFunc(b.Policies, func(o Policy) bool { return o.Name == p.Name }) {
			return b, n.Errorf("name: %s stands twice", p.Name)
		}
		if err := n.At(p.check()); err != nil {
			return b, err
		}
		b.Policies = append(b.Policies, p)
	}
	for _, n := range file.Prices {
		p, err := parsePrice(n)
		if err != nil {
			return b, err
		}
		if _, twice := b.find(p.Name); twice {
			return b, n.Errorf("name: %s stands twice", p.Name)
		}
		b.Prices = append(b.Prices, p)
	}
	return b, nil
}

func parsePrice(n config.Node) (Price, error) {
	if err := complete(n, neededPrice); err != nil {
		return Price{}, err
	}
	if c, _ := n.Member("cache"); c.YAML.Kind == yaml.MappingNode {
		if err := complete(c, neededCache); err != nil {
			return Price{}, err
		}
	}
	var e priceEntry
	if err := without(n).Decode(&e); err != nil {
		return Price{}, err
	}
	p := e.price()
	return p, n.At(p.check())
}

// complete wants every key to stand in the node.
func complete(n config.Node, keys []string) error {
	if n.YAML.Kind != yaml.MappingNode {
		return n.Errorf("want keys and values")
	}
	for _, key := range keys {
		if _, ok := n.Member(key); !ok {
			return n.Errorf("%s: missing; write null where nothing was found", key)
		}
	}
	return nil
}

// without is the node without its members that are null.
func without(n config.Node) config.Node {
	if n.YAML.Kind != yaml.MappingNode {
		return n
	}
	kept := *n.YAML
	kept.Content = nil
	for i := 0; i+1 < len(n.YAML.Content); i += 2 {
		if v := n.YAML.Content[i+1]; v.Tag != "!!null" {
			kept.Content = append(kept.Content, n.YAML.Content[i], without(config.Node{Source: n.Source, YAML: v}).YAML)
		}
	}
	return config.Node{Source: n.Source, YAML: &kept}
}

func (b Book) find(name string) (Price, bool) {
	for _, p := range b.Prices {
		if p.Name == name {
			return p, true
		}
	}
	return Price{}, false
}

// Price is the price of a name; the error lists the names there are.
func (b Book) Price(name string) (Price, error) {
	if p, ok := b.find(name); ok {
		return p, nil
	}
	var names []string
	for _, p := range b.Prices {
		names = append(names, p.Name)
	}
	return Price{}, fmt.Errorf("price: want one of the price file's %s, got %q", strings.Join(names, ", "), name)
}

// All are the policies to compare, and behind them each provider's own under
// the name of its price.
func (b Book) All() []Policy {
	list := slices.Clone(b.Policies)
	for _, p := range b.Prices {
		if own, ok := p.Own(); ok {
			list = append(list, own)
		}
	}
	return list
}
