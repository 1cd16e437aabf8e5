package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skillbench/harness/tokens"
	"skillbench/tasks/skills"
)

// A tier is a text that a prompt shows of a catalogue.
type tier struct {
	name string
	text func(skills.Catalogue) string
}

var tiers = []tier{
	{"groups", skills.Catalogue.Groups},
	{"summaries", skills.Catalogue.Summaries},
	{"bare", skills.Catalogue.Bare},
	{"boundaries", skills.Catalogue.Boundaries},
	{"definitions", func(c skills.Catalogue) string {
		var b strings.Builder
		for _, s := range c.Skills {
			b.WriteString(c.Definition(s) + "\n")
		}
		return b.String()
	}},
}

func skillsListCommand(s system) *cobra.Command {
	var show, tokenizer string
	c := &cobra.Command{
		Use:   "list [DIR]",
		Short: "The tiers of a catalogue, and their tokens",
		Long: `List prints the skills of a library with the tokens of each text that a prompt
may show of them:

  groups       a line for each group, with the names of its skills
  summaries    name and summary: the catalogue that is always there
  bare         name, summary and parameters, without a word on when to use it
  boundaries   all layers: when, boundary, when not, what one gets, parameters
  definitions  one line of JSON: what is shown once a skill was chosen

DIR is the folder of a library, or the name of one that skillbench ships (default
after-sales). With --show, the text of a tier is printed as prompts have it.`,
		Example: "  skillbench skills list\n  skillbench skills list after-sales --show boundaries",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := placeOf(args)
			if err != nil {
				return err
			}
			l, err := p.load(s)
			if err != nil {
				return err
			}
			if show != "" {
				return showTier(s, l, show)
			}
			return listSkills(s, l, tokenizer)
		},
	}
	c.Flags().StringVar(&show, "show", "", "print the text of a tier")
	c.Flags().StringVar(&tokenizer, "tokenizer", tokens.Default, "what counts tokens")
	return c
}

func showTier(s system, l skills.Library, name string) error {
	var names []string
	for _, t := range tiers {
		if t.name == name {
			_, err := fmt.Fprint(s.stdout, plain(t.text(skills.Catalogue{Skills: l.Skills})))
			return err
		}
		names = append(names, t.name)
	}
	return fmt.Errorf("--show: want one of %s, got %q", strings.Join(names, ", "), name)
}

// listSkills counts the tokens of each tier for each skill, and of the whole.
func listSkills(s system, l skills.Library, tokenizer string) error {
	encoding, err := tokens.Load(tokenizer)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprint(w, "skill\tversion\tgroup\teffect")
	for _, t := range tiers[1:] {
		fmt.Fprint(w, "\t"+t.name)
	}
	row := func(head string, list []skills.Skill) {
		fmt.Fprint(w, "\n"+head)
		for _, t := range tiers[1:] {
			fmt.Fprintf(w, "\t%d", encoding.Count(t.text(skills.Catalogue{Skills: list})))
		}
	}
	for _, k := range l.Skills {
		row(fmt.Sprintf("%s\t%s\t%s\t%s", k.Name, k.Version, k.GroupName(), k.Effect), []skills.Skill{k})
	}
	row(fmt.Sprintf("all %d\t\t\t", len(l.Skills)), l.Skills)
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	groups := encoding.Count(skills.Catalogue{Skills: l.Skills}.Groups())
	_, err = fmt.Fprintf(s.stdout, "\nTokens of %s. The list of groups has %d.\n", tokenizer, groups)
	return err
}
