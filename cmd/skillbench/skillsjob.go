package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/tokens"
	"skillbench/metrics/money"
	"skillbench/metrics/stats"
	"skillbench/tasks/skills/rank"
)

// An embedJob is a file of vectors to be made: what it is to hold, what of it is
// there, and what the rest took.
type embedJob struct {
	f      embedFlags
	open   *models
	model  harness.Model
	price  money.Price
	counts *tokens.Encoding
	inputs []rank.Input
	file   *vectorFile
	todo   []batch
	spent  embedSpent
	failed error // why it ended before all was there; nil: it did not
}

// errStopped is what ends a job that the user stops.
var errStopped = errors.New("stopped")

func embed(ctx context.Context, s system, f embedFlags) (err error) {
	j, err := newEmbedJob(s, f)
	if err != nil {
		return err
	}
	if f.dryRun {
		if err := j.look(); err != nil {
			return err
		}
		return j.tell(s)
	}
	unlock, err := lockFile(f.out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := j.look(); err != nil {
		return err
	}
	if err := j.complete(ctx, s); err != nil {
		return err
	}
	return j.conclude(s)
}

func newEmbedJob(s system, f embedFlags) (*embedJob, error) {
	j := &embedJob{f: f, open: newModels(s, "", "")}
	if _, err := os.Stat(f.model); err != nil {
		return nil, fmt.Errorf("--model %s: want the model file of an embedder: %w", f.model, pathless(err))
	}
	var err error
	if j.model, err = j.open.endpoint(f.model); err != nil {
		return nil, err
	}
	book, err := estimateFlags{prices: f.prices}.book()
	if err != nil {
		return nil, err
	}
	if j.price, _, err = (estimated{model: j.model}).price(estimateFlags{price: f.price}, book, j.open); err != nil {
		return nil, err
	}
	if j.counts, err = tokens.Load(tokens.Default); err != nil {
		return nil, err
	}
	j.inputs, err = f.inputs(s)
	return j, err
}

// look reads what is there.
func (j *embedJob) look() (err error) {
	if j.file, err = readVectorFile(j.f.out, j.model.Name, j.inputs); err == nil {
		j.todo = batches(j.file.missing(j.inputs), j.f.batch, j.counts)
	}
	return err
}

// left is how many vectors are not there.
func (j *embedJob) left() int { return len(j.file.missing(j.inputs)) }

// complete makes what is missing. A failure of the endpoint is no error here.
func (j *embedJob) complete(ctx context.Context, s system) (err error) {
	var client *openai.Client
	if len(j.todo) > 0 {
		m, err := j.model.Open(harness.Task{})
		if err != nil {
			return err
		}
		client = m.(*openai.Client) // what a model file stands for
	}
	if err := j.file.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.file.close()) }()
	if client == nil {
		return nil
	}
	p := newEmbedProgress(s, j.f.progress, len(j.inputs), len(j.inputs)-j.left())
	defer p.close()
	j.open.notice = p.say
	a, err := newAsker(client, j.open.rates[j.model.Name], p.say)
	if err != nil {
		return err
	}
	defer func() { j.spent = a.spent }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return j.makeAll(ctx, a, p, untilStopped(ctx, s.interrupts, cancel, p.say))
}

// makeAll asks for batch after batch until all is there, the endpoint fails or
// stop is closed.
func (j *embedJob) makeAll(ctx context.Context, a *asker, p *embedProgress, stop <-chan struct{}) error {
	for _, b := range j.todo {
		select {
		case <-stop:
			j.failed = errStopped
			return nil
		default:
		}
		vectors, err := a.ask(ctx, b)
		if err != nil {
			j.failed = j.blame(b, err)
			return nil
		}
		if err := j.file.add(b.inputs, vectors); err != nil {
			return err
		}
		p.add(len(b.inputs), b.tokens)
	}
	return nil
}

// untilStopped is closed at the first interrupt; the second one cancels.
func untilStopped(ctx context.Context, interrupts <-chan os.Signal, cancel func(), say func(string)) <-chan struct{} {
	stop := make(chan struct{})
	go func() {
		for first := true; ; first = false {
			select {
			case <-ctx.Done():
				return
			case <-interrupts:
			}
			if !first {
				cancel()
				return
			}
			say("stopping: the batch in flight is finished first; Ctrl-C again stops at once")
			close(stop)
		}
	}()
	return stop
}

// blame says what was asked for when the endpoint failed.
func (j *embedJob) blame(b batch, err error) error {
	e, ok := errors.AsType[*model.Error](err)
	switch {
	case ok && e.Class == model.Canceled:
		return errStopped
	case ok && e.Class == model.Deterministic && len(b.inputs) > 1 && perText(e.Status):
		return fmt.Errorf("%s: %w; it was asked for %s at once, --batch 1 finds the one that fails", j.f.model, err, numbered(len(b.inputs), "text"))
	}
	return fmt.Errorf("%s: %w", j.f.model, err)
}

// perText reports whether a status can be about one text, or about how many there
// were.
func perText(status int) bool {
	return status < 300 || status == 400 || status == 413 || status == 422 || status >= 500
}

// cost is what tokens cost; "" where that is not known.
func (j *embedJob) cost(n int) string {
	if !j.price.Input.OK {
		return ""
	}
	return stats.Of(float64(n)*j.price.Input.V/1e6).Format(6) + " " + j.price.Currency
}

// tell says what would be asked for.
func (j *embedJob) tell(s system) error {
	sum, most := 0, 0
	for _, b := range j.todo {
		sum += b.tokens
		for _, in := range b.inputs {
			most = max(most, j.counts.Count(in.Text))
		}
	}
	left := j.left()
	fmt.Fprintf(s.stdout, "%s: wants %s; %d are there\n", plain(j.f.out), wanted(j.inputs), len(j.inputs)-left)
	fmt.Fprintf(s.stdout, "to be asked of %s: texts %d, requests %d, tokens %d (%s; at most %d in one text)\n",
		plain(j.model.Name), left, len(j.todo), sum, j.counts.Name(), most)
	cost := j.cost(sum)
	if cost == "" {
		cost = "not known: name an entry of the price file with --price, or as price: in the model file"
	} else {
		cost += fmt.Sprintf(" (%s, %s)", j.price.Name, j.price.Date)
	}
	_, err := fmt.Fprintf(s.stdout, "price: %s\nnothing was sent\n", plain(cost))
	return err
}

// wanted counts the vectors of skills and of messages.
func wanted(inputs []rank.Input) string {
	n := 0
	for _, in := range inputs {
		if in.Skill != "" {
			n++
		}
	}
	return fmt.Sprintf("%s, %d of skills and %d of messages", numbered(len(inputs), "vector"), n, len(inputs)-n)
}

// conclude says what was made and what is missing.
func (j *embedJob) conclude(s system) error {
	if j.failed != nil && j.failed != errStopped {
		fmt.Fprintln(s.stderr, "skillbench: "+oneLine(j.failed))
	}
	if text := j.account(); text != "" {
		fmt.Fprintln(s.stdout, plain(text))
	}
	if j.failed != nil {
		fmt.Fprintf(s.stdout, "%s: %d of %d vectors are there: run the same command again to go on\n", plain(j.f.out), len(j.inputs)-j.left(), len(j.inputs))
		return errFound
	}
	text := fmt.Sprintf("%s: %s, of %s, by %s", j.f.out, wanted(j.inputs), numbered(j.file.size, "number"), j.model.Name)
	if more := len(j.file.lines) - len(j.inputs); more > 0 {
		text += fmt.Sprintf("; and %d of other texts", more)
	}
	_, err := fmt.Fprintln(s.stdout, plain(text))
	return err
}

// account says what was asked and what it took; "" where nothing was.
func (j *embedJob) account() string {
	var parts []string
	if n := j.spent.calls; n > 0 {
		parts = append(parts, fmt.Sprintf("answered by %s: requests %d, tokens %d (%s)", orNone(j.spent.served), n, j.spent.tokens, j.spent.countedBy(j.counts.Name())))
		if cost := j.cost(j.spent.tokens); cost != "" {
			parts = append(parts, cost)
		}
	}
	if text := j.spent.failures(); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
