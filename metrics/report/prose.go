package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// settings are the keys of a strategy that a paper would name.
type settings struct {
	Merge, Commit, Render, Wire, Repair, Memory string
	Told, Validate                              bool
	Retry                                       int
	Informer                                    harness.Informer
}

func settingsOf(a journal.Definition) (s settings, ok bool) {
	return s, json.Unmarshal(a.Keys, &s) == nil
}

// alike makes one sentence for all strategies that it is true of, in the order
// of the manifest. Words is "" where there is nothing to say of one.
func alike(agents []journal.Definition, words func(settings) string) []string {
	var order []string
	names := map[string][]string{}
	for _, a := range agents {
		s, ok := settingsOf(a)
		if !ok {
			continue
		}
		w := words(s)
		if w == "" {
			continue
		}
		if names[w] == nil {
			order = append(order, w)
		}
		names[w] = append(names[w], plain(a.Name))
	}
	var out []string
	for _, w := range order {
		out = append(out, listed(names[w])+" "+w)
	}
	return out
}

// listed joins names with commas and an and.
func listed(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

func retryWords(agents []journal.Definition) []string {
	lines := alike(agents, func(s settings) string {
		if s.Repair == "" { // no model replies
			return fmt.Sprint(s.Retry)
		}
		return fmt.Sprintf("%d (%s reading of replies)", s.Retry, s.Repair)
	})
	if len(lines) == 0 {
		return nil
	}
	return []string{"Further attempts at a refused step: " + strings.Join(lines, "; ") + "."}
}

// stateWords say how states are merged, checked, committed and shown.
func stateWords(agents []journal.Definition) []string {
	lines := alike(agents, func(s settings) string {
		if s.Merge == "" {
			return ""
		}
		checked, told, wire := "not checked against the schema", "not told to the model", ""
		if s.Validate {
			checked = "refused where the result breaks the schema"
		}
		if s.Told {
			told = "told to the model"
		}
		if s.Wire != "" {
			wire = fmt.Sprintf(", sent as %s", s.Wire)
		}
		return fmt.Sprintf("(%s merge, %s; %s; committed %s; shown %s%s)", s.Merge, told, checked, strings.ReplaceAll(s.Commit, "_", " "), s.Render, wire)
	})
	if len(lines) == 0 {
		return nil
	}
	return []string{"Patches to the state: " + strings.Join(lines, "; ") + "."}
}

// informerWords name what judged the tokens that were pruned.
func informerWords(agents []journal.Definition) []string {
	lines := alike(agents, func(s settings) string {
		switch s.Informer {
		case "":
			return ""
		case harness.NGrams:
			return "by the " + s.Informer.Title()
		}
		return "by the log-probabilities that the endpoint of " + plain(s.Informer.Title()) + " returned"
	})
	if len(lines) == 0 {
		return nil
	}
	return []string{"What a token of the history tells is judged for " + strings.Join(lines, "; for ") + "."}
}

// decodingWords name the parameters that model files set.
func decodingWords(models []journal.Definition) []string {
	var set, simulated []string
	for _, m := range models {
		if m.Base != record.Real {
			simulated = append(simulated, plain(m.Name))
			continue
		}
		var identity struct {
			Body   map[string]json.RawMessage `json:"body"`
			Layout string                     `json:"layout"`
		}
		if json.Unmarshal(m.Keys, &identity) != nil {
			continue
		}
		var words []string
		for _, name := range sorted(identity.Body) {
			if name != "model" {
				words = append(words, plain(name+" "+strings.Trim(string(identity.Body[name]), `"`)))
			}
		}
		if len(words) == 0 {
			words = []string{"nothing set"}
		}
		set = append(set, fmt.Sprintf("%s: %s, prompt as %s message", plain(m.Name), strings.Join(words, ", "), plain(strings.ReplaceAll(identity.Layout, "_", " and "))))
	}
	var out []string
	if len(set) > 0 {
		out = append(out, "Decoding, what is not named left to the endpoint: "+strings.Join(set, "; ")+".")
	}
	if len(simulated) > 0 {
		out = append(out, "Simulated models decode nothing and draw what is random from the seed and the prompt: "+strings.Join(simulated, ", ")+".")
	}
	return out
}

// methodParagraph is the paragraph on how results were made, for a paper; ""
// where the document has none.
func (d Document) methodParagraph() string {
	at := slices.IndexFunc(d.Blocks, func(b Block) bool { h, ok := b.(Heading); return ok && h.Text == "Method" })
	for _, b := range d.Blocks[at+1:] {
		if p, ok := b.(Paragraph); ok && at >= 0 {
			return string(p)
		}
	}
	return ""
}
