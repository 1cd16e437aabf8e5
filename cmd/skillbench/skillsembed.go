package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"skillbench/configs"
	"skillbench/tasks/routing"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
	"skillbench/tasks/skills/suite"
)

// embedFlags are the flags of `skillbench skills embed`.
type embedFlags struct {
	model, out, library, suite string
	skills, batch              int
	price, prices, progress    string
	dryRun, poison             bool
}

// maxBatch is the most texts that any endpoint takes at once.
const maxBatch = 2048

func skillsEmbedCommand(s system) *cobra.Command {
	var f embedFlags
	c := &cobra.Command{
		Use:   "embed --model MODEL --out FILE",
		Short: "Make the file of vectors that embed_threshold reads",
		Long: `Embed asks an endpoint (POST <base_url>/embeddings, as OpenAI has it) for a vector
of each skill of a library and of each message of a suite, and writes them to FILE,
a line of JSON each. The strategy embed_threshold reads the file where the task's
option vectors names it; skills lint --vectors says when a text has changed since.

Of a skill its index is embedded: summary, triggers and promise, as skills lint
compares them. Of a suite, what the customers say in both splits, each text once and
as it stands. Without --library the library is the suite's, without --suite the
suite is after-sales; --library alone means no messages.

MODEL is a model file as a run takes it. Its model and extra are sent (such as
extra: {dimensions: 512}), no other parameter; key, times, retries, limits and
context_tokens hold as in a run. The vectors bear its name, which is that of model
where it has none: give what makes other vectors another name.

What FILE has of the same embedder and text is not asked for again, so a call that
failed or was stopped goes on where it was: at most the batch in flight is lost. A
skill whose text changed without a new version loses its old vector, all other lines
stay. Skills stand first, by name, then messages, by the hash of their text.

With --dry-run nothing is sent or written, and no key is needed.

Exit code: 0 all vectors are there, 1 the endpoint failed or the call was stopped,
2 the call or a file was wrong.`,
		Example: `  skillbench skills embed --model embedder.yaml --out vectors.jsonl --dry-run
  skillbench skills embed --model embedder.yaml --out vectors.jsonl
  skillbench run configs/skills-routing.yaml --set 'tasks=[{name: routing by vectors, task: routing, options: {vectors: vectors.jsonl}}]' --set 'agents=[embed_threshold]'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return embed(c.Context(), s, f)
		},
	}
	c.Flags().StringVar(&f.model, "model", "", "model file of the embedder")
	c.Flags().StringVarP(&f.out, "out", "o", "", "file of vectors, to be made or gone on with")
	c.Flags().StringVar(&f.library, "library", "", "name or folder of the library (default: the suite's)")
	c.Flags().StringVar(&f.suite, "suite", "", "name or file of the suite (default "+defaultSuite+")")
	c.Flags().IntVar(&f.skills, "skills", 0, "fill the library up to N skills, as the task's option of that name does")
	c.Flags().BoolVar(&f.poison, "poison", false, "with the poisoned skill of the task's option of that name")
	c.Flags().IntVar(&f.batch, "batch", 32, "most texts in one request")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what would be asked for, and what it costs")
	c.Flags().StringVar(&f.price, "price", "", "entry of the price file, where the model file names none")
	c.Flags().StringVar(&f.prices, "prices", "", "price file (default: the one that comes with the program)")
	c.Flags().StringVar(&f.progress, "progress", "", "bar, plain or json: how progress is shown (default: a bar on a terminal, plain lines elsewhere)")
	return c
}

func (f embedFlags) check() error {
	switch {
	case f.model == "":
		return errors.New("--model: want the model file of an embedder")
	case f.out == "":
		return errors.New("--out: want the file of vectors to make")
	case f.batch < 1 || f.batch > maxBatch:
		return fmt.Errorf("--batch: want 1 to %d texts, got %d", maxBatch, f.batch)
	case f.skills < 0 || f.skills > skills.MaxSkills:
		return fmt.Errorf("--skills: want 0 (as they are) to %d, got %d", skills.MaxSkills, f.skills)
	}
	return checkProgress(f.progress)
}

// defaultSuite is whose messages are embedded without a flag.
const defaultSuite = "after-sales"

// inputs are the texts to be embedded.
func (f embedFlags) inputs(s system) ([]rank.Input, error) {
	var lib skills.Library
	var messages []string
	if f.library == "" || f.suite != "" {
		name := f.suite
		if name == "" {
			name = defaultSuite
		}
		cases, own, err := suite.Open(name, configs.FS)
		if err != nil {
			return nil, err
		}
		lib = own
		for _, c := range cases.Cases {
			for _, turn := range c.Turns {
				messages = append(messages, turn.Say)
			}
		}
	}
	if f.library != "" {
		p, err := placeOf([]string{f.library})
		if err == nil {
			lib, err = p.load(s)
		}
		if err != nil {
			return nil, err
		}
	}
	lib, _, err := routing.Filled(lib, f.skills, f.poison)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	return rank.Inputs(lib.Skills, messages), nil
}
