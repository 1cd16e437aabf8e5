package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone  = 0
	exitFound = 1 // the run or the check found a failure
	exitWrong = 2 // the call or a file was wrong
)

// errFound ends with exitFound; what was found has been said.
var errFound = errors.New("found")

// run is the program: arguments in, exit code out.
func run(ctx context.Context, args []string, s system) int {
	root := &cobra.Command{
		Use:   "skillbench",
		Short: "What of the past should the model see? Context strategies, measured.",
		Long: `skillbench runs context strategies (full history, summaries, SKILL.state and
their controls) against scripted tasks, counts every token exactly and sets the
results beside the published ones. Without a model endpoint, everything runs on
embedded simulated models.

  skillbench run configs/table1.yaml     run an experiment, write its report
  skillbench list                        what an experiment file can name
  skillbench trace out/table1 CELL       read an episode step by step`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetArgs(args)
	root.SetOut(s.stdout)
	root.SetErr(s.stderr)
	root.AddCommand(runCommand(s), reportCommand(s), estimateCommand(s), compareCommand(s), plotCommand(s), traceCommand(s), listCommand(s), verifyCommand(s), mergeCommand(s), exportCommand(s), errorsCommand(s), checkCommand(s), simServerCommand(s), doctorCommand(s), skillsCommand(s))
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFound):
		return exitFound
	}
	fmt.Fprintln(s.stderr, "skillbench: "+oneLine(err))
	return exitWrong
}

// oneLine makes an error fit for a terminal: one line, no control characters.
func oneLine(err error) string {
	return plain(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
}
