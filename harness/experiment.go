package harness

import (
	"fmt"
	"strconv"
	"strings"

	"skillbench/harness/config"
	"skillbench/harness/model/limit"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// An Experiment is what an experiment file says. Lists span a grid; every point
// of it is a cell.
type Experiment struct {
	Name  string   `yaml:"name"`  // of the run, in file names
	Title string   `yaml:"title"` // of the report
	Paper []string `yaml:"paper"` // published tables to set beside the results

	Tasks      []config.Node `yaml:"tasks"`      // name, or {name, task, skill, options}
	Agents     []config.Node `yaml:"agents"`     // name, or {name, base, keys of Settings}
	Models     []config.Node `yaml:"models"`     // sim:name, file, or {name, sim, …}; none where all agents are players
	Summarizer *config.Node  `yaml:"summarizer"` // model of the summary calls; default: the acting model

	Horizons []int          `yaml:"horizons"` // base events T
	Seeds    Seeds          `yaml:"seeds"`    // how many (1…n), or a list
	Repeats  int            `yaml:"repeats"`  // runs of the same cell; more than one only says something of models that vary
	Worlds   []record.World `yaml:"worlds"`   // closed | teacher
	Noise    []int          `yaml:"noise"`    // background lines per step
	Drifts   []string       `yaml:"drifts"`   // scenarios; "none" for none
	Lag      int            `yaml:"lag"`      // steps between a drift and its alert
	Patience int            `yaml:"patience"` // announcements of an open event

	Tokenizer string       `yaml:"tokenizer"` // encoding of the local counts
	Templates string       `yaml:"templates"` // folder of own templates
	Workers   int          `yaml:"workers"`   // cells at once; 0: as many as there are processors
	Limits    limit.Budget `yaml:"limits"`    // of the whole run, all sessions together
}

// Seeds of the scripts. In a file a single number n stands for 1…n.
type Seeds []uint64

// maxGrid bounds the cells of one experiment.
const maxGrid = 1_000_000

// ParseExperiment reads an experiment file. Set holds key=value changes to it,
// applied in order.
func ParseExperiment(source string, data []byte, set []string) (Experiment, config.Node, error) {
	x := Experiment{Repeats: 1, Worlds: []record.World{record.Closed}, Noise: []int{0}, Drifts: []string{"none"}, Lag: 1, Patience: 15, Tokenizer: tokens.Default}
	node, err := config.Parse(source, data)
	if err != nil {
		return x, node, err
	}
	for _, change := range set {
		key, value, ok := strings.Cut(change, "=")
		if !ok || key == "" {
			return x, node, fmt.Errorf("--set %s: want key=value", change)
		}
		part := config.Node{Source: "--set " + key, YAML: node.YAML}
		if err := part.Set(key, value); err != nil {
			return x, node, err
		}
	}
	if n, ok := node.Member("seeds"); ok {
		if err := expandSeeds(n); err != nil {
			return x, node, err
		}
	}
	if err := node.Decode(&x); err != nil {
		return x, node, err
	}
	return x, node, node.At(x.check())
}

// expandSeeds turns a single number n into the list 1…n.
func expandSeeds(n config.Node) error {
	text, ok := n.Scalar()
	if !ok {
		return nil
	}
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 || count > 100_000 {
		return n.Errorf("seeds: want a number of seeds from 1 to 100000, or a list, got %q", text)
	}
	list := make([]string, count)
	for i := range list {
		list[i] = strconv.Itoa(i + 1)
	}
	line := n.YAML.Line
	expanded, err := config.Parse(n.Source, []byte("["+strings.Join(list, ",")+"]"))
	if err != nil {
		return err
	}
	*n.YAML = *expanded.YAML
	n.YAML.Line = line
	return nil
}

func (x Experiment) check() error {
	if x.Name == "" || strings.ContainsAny(x.Name, "/\\ \t\n") || strings.HasPrefix(x.Name, ".") {
		return fmt.Errorf("name: want a name that can be a file name, got %q", x.Name)
	}
	err := firstError(
		some("tasks", x.Tasks), some("agents", x.Agents),
		some("horizons", x.Horizons), some("seeds", x.Seeds), some("worlds", x.Worlds), some("noise", x.Noise), some("drifts", x.Drifts),
		within("repeats", x.Repeats, 1, 10_000), within("lag", x.Lag, 0, 1000), within("patience", x.Patience, 1, 1000), within("workers", x.Workers, 0, 1024),
		distinct("horizons", x.Horizons), distinct("seeds", x.Seeds), distinct("worlds", x.Worlds), distinct("noise", x.Noise), distinct("drifts", x.Drifts),
	)
	for _, t := range x.Horizons {
		err = firstError(err, within("horizons", t, 1, 1_000_000))
	}
	for _, n := range x.Noise {
		err = firstError(err, within("noise", n, 0, 10_000))
	}
	for _, w := range x.Worlds {
		err = firstError(err, oneOf("worlds", w, record.Closed, record.Teacher))
	}
	if err != nil {
		return err
	}
	size := len(x.Tasks) * len(x.Agents) * max(1, len(x.Models)) * len(x.Horizons) * len(x.Seeds) * x.Repeats * len(x.Worlds) * len(x.Noise) * len(x.Drifts)
	return within("cells of the grid", size, 1, maxGrid)
}

func some[T any](key string, list []T) error {
	if len(list) == 0 {
		return fmt.Errorf("%s: want at least one", key)
	}
	return nil
}

func distinct[T comparable](key string, list []T) error {
	seen := map[T]bool{}
	for _, v := range list {
		if seen[v] {
			return fmt.Errorf("%s: %v stands twice", key, v)
		}
		seen[v] = true
	}
	return nil
}
