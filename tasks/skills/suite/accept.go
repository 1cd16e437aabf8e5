package suite

import (
	"gopkg.in/yaml.v3"

	"skillbench/harness/config"
)

// ownParams refuses params in an entry of accept: all calls that are right for a
// message take the same values, those of its expect.
func ownParams(c config.Node) error {
	turns, _ := c.Member("turns")
	for _, turn := range entries(turns) {
		expect, _ := turn.Member("expect")
		accept, _ := expect.Member("accept")
		for _, route := range entries(accept) {
			if at, ok := route.Member("params"); ok {
				return at.Errorf("accept: params: want them in params of expect, beside accept, because all calls that are right take the same; leave a call out that takes others")
			}
		}
	}
	return nil
}

// entries are those of a list; a single value is a list of one.
func entries(n config.Node) []config.Node {
	if n.YAML == nil || n.YAML.Kind != yaml.SequenceNode {
		return []config.Node{n}
	}
	var list []config.Node
	for _, item := range n.YAML.Content {
		list = append(list, config.Node{Source: n.Source, YAML: item})
	}
	return list
}
