package main

import (
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skillbench/harness/model/sim"
	"skillbench/harness/tokens"
)

func listCommand(s system) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "What an experiment file can name",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			k := kit(nil)
			w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
			for _, t := range k.Tasks {
				fmt.Fprintf(w, "task\t%s\t%s\n", t.Name, t.Doc)
			}
			for _, a := range k.Strategies {
				promises := ""
				if len(a.Promises) > 0 {
					promises = " (promises " + strings.Join(a.Promises, ", ") + ")"
				}
				fmt.Fprintf(w, "agent\t%s\t%s%s\n", a.Name, a.Doc, promises)
			}
			for _, m := range sim.Mechanisms() {
				fmt.Fprintf(w, "model\tsim:%s\tsimulated\n", m)
			}
			for _, n := range tokens.Names() {
				fmt.Fprintf(w, "tokenizer\t%s\t\n", n)
			}
			names, err := fs.ReadDir(k.Files, "templates")
			if err != nil {
				return err
			}
			for _, n := range names {
				fmt.Fprintf(w, "template\t%s\t\n", n.Name())
			}
			return w.Flush()
		},
	}
}
