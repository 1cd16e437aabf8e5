package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/metrics/charts"
)

// sections are the report, in order. Each turns the data into blocks; one that
// the data say nothing about returns none and leaves no heading.
var sections = []struct {
	title string
	from  func(*data) []Block
}{
	{"What ran", whatRan},
	{"Scores", scores},
	{"Prompt sizes", sizes},
	{"Total tokens", totals},
	{"The headline ratio", headline},
	{"Growth", growth},
	{"What prompts are made of", accounting},
	{"Where steps are lost", losses},
	{"What the context loses", contexts},
	{"What was missing", missing},
	{"Drift and recovery", recovery},
	{"Noise", noise},
	{"Dose and response", doses},
	{"Probes", probes},
	{"Routing", routed},
	{"What people run", against},
	{"Reads spared and the record searched", runtimes},
	{"What a runtime of skills prevents", runtimesOfSkills},
	{"Refusals, retries and failures", refusals},
	{"Where tokens go", spending},
	{"Money", costs},
	{"Claims of the paper", claimed},
	{"Measurements by others", replications},
	{"Arithmetic on the published tables", oddities},
	{"Method", method},
}

func (d *data) document() Document {
	doc := Document{Lead: d.lead(), Title: d.title()}
	for _, s := range sections {
		if blocks := s.from(d); len(blocks) > 0 {
			doc.Blocks = append(append(doc.Blocks, Heading{2, s.title}), blocks...)
		}
	}
	doc.tellApart()
	return doc
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

// each makes the blocks of every group, under a heading where there are
// several.
func (d *data) each(from func(*group) []Block) []Block {
	var out []Block
	for _, g := range d.groups {
		blocks := from(g)
		if len(blocks) > 0 && len(d.groups) > 1 {
			out = append(out, Heading{3, g.title})
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
