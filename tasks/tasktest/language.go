package tasktest

import (
	"context"
	"fmt"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// Contexts make the prompt of a step and take what became of it.
type contexts interface {
	prompt(o record.Observation) prompt.Prompt
	form() model.Form
	done(o record.Observation, reply record.Reply, move record.Move) error
}

// languageSuffices: the perfect simulated model, which knows the task by its
// Language alone, answers every base event from a full history, and from a state
// of its own making.
func (b bench) languageSuffices() error {
	if _, chooses := b.task.Language.(sim.Chooser); chooses || b.task.Language == nil {
		return nil // nobody reads what customers mean without an error
	}
	perfect := sim.New(sim.Config{Mechanism: "perfect"}, b.task.Language)
	for _, spec := range b.specs() {
		if spec.Drift != "" {
			continue // nobody can know of a silent change before it is told
		}
		for name, c := range map[string]contexts{"a full history": &full{bench: b}, "a state": &own{bench: b}} {
			if err := b.converse(spec, perfect, c); err != nil {
				return fmt.Errorf("seed %d, noise %d, sim:perfect with %s: %w", spec.Seed, spec.Noise, name, err)
			}
		}
	}
	return nil
}

func (b bench) converse(spec harness.Spec, m model.Model, c contexts) error {
	w, err := b.task.New(spec)
	if err != nil {
		return err
	}
	if c, ok := c.(*own); ok {
		c.state = state.Deep.Apply(b.skill.Initial, w.Truth())
	}
	for {
		o, ok := w.Observe()
		if !ok {
			return nil
		}
		reply, err := m.Generate(context.Background(), model.Request{Prompt: c.prompt(o), Form: c.form(), Purpose: record.ForStep, Step: o.Step})
		if err != nil {
			return err
		}
		move, found := transition.Parse(c.form(), model.Fenced, transition.Strict, reply)
		if len(found) > 0 {
			return fmt.Errorf("step %d: its reply is refused: %s: %q", o.Step, found[0], reply.Text)
		}
		if outcome := w.Act(move.Action); !outcome.Correct {
			return fmt.Errorf("step %d: asked %q, it plays %q, want %q", o.Step, o.Text, move.Action, o.Oracle)
		}
		if err := c.done(o, reply, move); err != nil {
			return fmt.Errorf("step %d: %w", o.Step, err)
		}
	}
}

func section(kind prompt.Kind, label, text string) []prompt.Segment {
	return []prompt.Segment{prompt.Label(kind, label), prompt.Label(kind, text)}
}

// full shows the whole past.
type full struct {
	bench
	past []prompt.Segment
}

func (f *full) form() model.Form { return model.ActionLine }

func (f *full) prompt(o record.Observation) prompt.Prompt {
	return prompt.Prompt{
		section(prompt.Instructions, prompt.LabelInstructions, f.skill.Instructions),
		{prompt.Label(prompt.History, prompt.LabelHistory)}, f.past,
		section(prompt.Observation, prompt.LabelLatest, o.Text),
		section(prompt.Contract, prompt.LabelContract, "End with a line\nAction: <command>\n"),
	}
}

func (f *full) done(o record.Observation, reply record.Reply, _ record.Move) error {
	f.past = append(f.past,
		prompt.Label(prompt.History, prompt.LabelObservation), prompt.Of(prompt.History, o.Step, o.Text),
		prompt.Label(prompt.History, prompt.LabelReply), prompt.Of(prompt.History, o.Step, reply.Text+"\n"))
	return nil
}

// own shows a state and nothing else of the past.
type own struct {
	bench
	state state.Object
}

func (s *own) form() model.Form { return model.Envelope }

func (s *own) prompt(o record.Observation) prompt.Prompt {
	return prompt.Prompt{
		section(prompt.Instructions, prompt.LabelInstructions, s.skill.Instructions),
		section(prompt.State, prompt.LabelSkillState, s.state.Compact()+"\n"),
		section(prompt.Observation, prompt.LabelLatest, o.Text),
		section(prompt.Contract, prompt.LabelContract, "Answer with {\"state_patch\": {}, \"action\": \"<command>\"}.\nMerge: deep\n"),
	}
}

func (s *own) done(_ record.Observation, _ record.Reply, move record.Move) error {
	s.state = state.Deep.Apply(s.state, *move.Patch)
	if found := s.skill.Schema.Check(s.state); len(found) > 0 {
		return fmt.Errorf("its patch %s breaks the schema: %s", move.Patch.Compact(), found[0])
	}
	return nil
}
