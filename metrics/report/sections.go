package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/metrics/charts"
)

// sections are the report, in order. Each turns the data into blocks; one that
// the data say nothing about returns none and leaves no heading. Those on the
// past leave out tasks of skills, whose arms differ in what is offered and not in
// what is kept.
var sections = []struct {
	title  string
	from   func(*data) []Block
	onPast bool
}{
	{"What ran", whatRan, false},
	{"Routing", routed, false},
	{"What a runtime of skills prevents", runtimesOfSkills, false},
	{"Scores", scores, false},
	{"Prompt sizes", sizes, true},
	{"Total tokens", totals, true},
	{"The headline ratio", headline, true},
	{"Growth", growth, true},
	{"What prompts are made of", accounting, false},
	{"Where steps are lost", losses, true},
	{"What the context loses", contexts, true},
	{"What was missing", missing, true},
	{"Drift and recovery", recovery, false},
	{"Noise", noise, false},
	{"Dose and response", doses, false},
	{"Probes", probes, false},
	{"What people run", against, true},
	{"Reads spared and the record searched", runtimes, true},
	{"Refusals, retries and failures", refusals, false},
	{"Where tokens go", spending, false},
	{"Money", costs, false},
	{"Claims of the paper", claimed, false},
	{"Measurements by others", replications, false},
	{"Arithmetic on the published tables", oddities, false},
	{"Method", method, false},
}

func (d *data) document() Document {
	doc := Document{Lead: d.lead(), Title: d.title()}
	past := d.onPast()
	for _, s := range sections {
		of := d
		if s.onPast {
			of = past
		}
		if of == nil {
			continue
		}
		if blocks := s.from(of); len(blocks) > 0 {
			doc.Blocks = append(append(doc.Blocks, Heading{2, s.title}), blocks...)
		}
	}
	doc.tellApart()
	return doc
}

// onPast is the data without the groups of tasks of skills; nil where there are
// no others.
func (d *data) onPast() *data {
	rest := *d
	rest.groups = slices.DeleteFunc(slices.Clone(d.groups), (*group).ofSkills)
	if len(rest.groups) == 0 && len(d.groups) > 0 {
		return nil
	}
	return &rest
}

// tellApart gives every table and picture a file name of its own: labels that
// differ may make the same name.
func (d *Document) tellApart() {
	tables, plots := map[string]bool{}, map[string]bool{}
	unique := func(taken map[string]bool, name string) string {
		own := name
		for n := 2; taken[strings.ToLower(own)]; n++ {
			own = fmt.Sprintf("%s_%d", name, n)
		}
		taken[strings.ToLower(own)] = true
		return own
	}
	for _, b := range d.Blocks {
		switch b := b.(type) {
		case *Table:
			b.Name = unique(tables, b.Name)
		case *Figure:
			b.Name = unique(plots, b.Name)
		}
	}
}

func (d *data) title() string {
	if d.manifest.Title != "" {
		return plain(d.manifest.Title)
	}
	return plain(d.manifest.Name)
}

// lead says what kind of model made the results.
func (d *data) lead() string {
	models := map[string][]string{}
	for _, g := range d.groups {
		if !slices.Contains(models[g.kind], plain(g.model)) {
			models[g.kind] = append(models[g.kind], plain(g.model))
		}
	}
	var words []string
	if list := models[record.Simulated]; len(list) > 0 {
		words = append(words, "Made with simulated models ("+strings.Join(list, ", ")+"), not with a language model. "+
			"A simulated model reads the text of the prompt and nothing else: its scores show what each strategy leaves readable in the prompt, "+
			"and prompt sizes are exact for the replies it writes. They are no evidence of how a language model would score, and their length of reply is a setting.")
	}
	if list := models[record.Real]; len(list) > 0 {
		words = append(words, "Made with real models ("+strings.Join(list, ", ")+").")
	}
	if len(words) == 2 {
		words = append(words, "Simulated and real results stand in tables and pictures of their own.")
	}
	if len(words) == 0 {
		words = append(words, "Made without a model: floors and the oracle only.")
	}
	return strings.Join(words, " ")
}

// each makes the blocks of every pool of groups, under a heading where there are
// several.
func (d *data) each(from func(*group) []Block) []Block {
	var out []Block
	pools := d.pools()
	for _, pool := range pools {
		blocks := pooled(pool, len(pools) == 1, from)
		if len(blocks) > 0 && len(pools) > 1 {
			out = append(out, Heading{3, poolTitle(pool)})
		}
		out = append(out, blocks...)
	}
	return out
}

// draw renders a chart. One that cannot be drawn says why in its place.
func draw(name, caption string, c charts.Chart) Block {
	f := &Figure{Name: name, Caption: caption}
	var err error
	if f.SVG, err = c.Render("svg"); err == nil {
		f.PNG, err = c.Render("png")
	}
	if err != nil {
		return Paragraph(fmt.Sprintf("Picture %s is not drawn: %s.", name, plain(err.Error())))
	}
	return f
}
