package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"skillbench/harness"
	"skillbench/harness/config"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/limit"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/metrics/money"
)

// estimateFlags are the flags of `skillbench estimate`.
type estimateFlags struct {
	models, set []string
	replies     []int
	price       string
	prices      string
	threshold   float64
	rates       limit.Rates
	latency     time.Duration
}

func estimateCommand(s system) *cobra.Command {
	var f estimateFlags
	c := &cobra.Command{
		Use:   "estimate FILE",
		Short: "What an experiment would cost, before anything is spent",
		Long: `Estimate plays the experiment in FILE with a simulated model that never errs and
sends nothing. Prompt tokens are exact for scripted episodes whose replies have the
stated length: what is not known before is how long a model's replies are, so they
are counted at three lengths. Refused replies, which are asked again, and hidden
thinking come on top. An experiment on simulated models is played as it is, and its
figures are exact.

Money is given without a cache and with the provider's own, if it reuses all that
it can. Wall time is the least that the rate limits allow.

It refuses nothing: over --threshold it warns.`,
		Example: `  skillbench estimate configs/table1.yaml --model MODEL.yaml
  skillbench estimate configs/table1.yaml --model MODEL.yaml --reply 100,300,2000 --rpm 60`,
		Args: oneArg("FILE, an experiment such as configs/table1.yaml"),
		RunE: func(c *cobra.Command, args []string) error { return estimateFile(c.Context(), s, args[0], f) },
	}
	c.Flags().StringArrayVar(&f.models, "model", nil, "model instead of the experiment's; may be repeated")
	c.Flags().StringArrayVar(&f.set, "set", nil, "change a key of the experiment: key=value; may be repeated")
	c.Flags().IntSliceVar(&f.replies, "reply", []int{150, 400, 1200}, "characters of a reply: low, middle, high")
	c.Flags().StringVar(&f.price, "price", "", "entry of the price file for models whose files name none")
	c.Flags().StringVar(&f.prices, "prices", "", "price file (default: the one that comes with the program)")
	c.Flags().Float64Var(&f.threshold, "threshold", 5, "warn where a model may cost more, in its price's currency")
	c.Flags().IntVar(&f.rates.RPM, "rpm", 0, "requests a minute (default: as the model file says)")
	c.Flags().IntVar(&f.rates.TPM, "tpm", 0, "tokens a minute (default: as the model file says)")
	c.Flags().DurationVar(&f.latency, "latency", 0, "time that one call takes, such as 3s, where you know it")
	return c
}

func (f estimateFlags) check() error {
	if len(f.replies) != 3 || f.replies[0] < 0 || f.replies[0] > f.replies[1] || f.replies[1] > f.replies[2] {
		return fmt.Errorf("--reply: want three rising numbers of characters such as 150,400,1200, got %v", f.replies)
	}
	if f.latency < 0 || !(f.threshold >= 0) {
		return errors.New("--latency and --threshold want values that are not negative")
	}
	return f.rates.Validate()
}

func (f estimateFlags) book() (money.Book, error) {
	if f.prices == "" {
		return money.Shipped(), nil
	}
	data, err := config.ReadFile(f.prices)
	if err != nil {
		return money.Book{}, fmt.Errorf("--prices: %w", err)
	}
	book, err := money.Parse(f.prices, data)
	if err == nil && len(book.All()) == 0 {
		err = fmt.Errorf("%s: want at least one entry in policies, or a price with a cache of its own", f.prices)
	}
	return book, err
}

func estimateFile(ctx context.Context, s system, file string, f estimateFlags) error {
	book, err := f.book()
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return err
	}
	open := newModels(s, "", "")
	plan, err := load(file, runFlags{models: f.models, set: f.set}, open)
	if err != nil {
		return err
	}
	found, err := estimate(ctx, s, file, plan, f.replies, book.All())
	if err != nil {
		return err
	}
	for _, e := range found {
		if err := e.print(s, f, book, open); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		fmt.Fprintf(s.stdout, "%s of players, which ask no model\n", numbered(len(plan.Cells), "episode"))
	}
	return nil
}

// An estimated is what the cells of one model come to.
type estimated struct {
	model  harness.Model
	labels []string // of the columns
	bills  []money.Bill
	notes  []string
}

// estimate plays a plan: simulated models as they are, others at each length of
// reply.
func estimate(ctx context.Context, s system, file string, plan *harness.Plan, replies []int, policies []money.Policy) ([]estimated, error) {
	var known []config.Node
	real := 0
	for i, m := range plan.Models {
		if m.Kind == record.Real {
			real++
		} else {
			known = append(known, plan.Experiment.Models[i])
		}
	}
	var exact, rough map[string]money.Bill
	var err error
	if len(known) > 0 {
		if exact, err = tryOut(ctx, s, file, plan.Experiment, known, policies); err != nil {
			return nil, err
		}
	}
	if real > 0 {
		if rough, err = tryReplies(ctx, s, file, plan, replies, policies); err != nil {
			return nil, err
		}
	}
	var out []estimated
	for _, m := range plan.Models {
		e := estimated{model: m, labels: []string{"exact"}, bills: []money.Bill{times(exact[m.Name], 1, len(policies))}}
		if m.Kind == record.Real {
			e = estimated{model: m}
			for _, n := range replies {
				e.labels = append(e.labels, fmt.Sprintf("replies of %d", n))
				e.bills = append(e.bills, times(rough[replyName(n)], plan.Experiment.Repeats, len(policies)))
			}
			if plan.Summarizer != nil {
				e.notes = append(e.notes, "Summary calls are counted as if "+plain(m.Name)+" wrote them too, in the length that the simulated model writes.")
			}
		}
		e.notes = append(e.notes, informed(plan, m)...)
		out = append(out, e)
	}
	return out, nil
}

// informed says how calls for scores are counted, where the plan has some.
func informed(plan *harness.Plan, m harness.Model) []string {
	for _, c := range plan.Columns {
		if c.Informer != nil {
			return []string{"Calls for scores are counted as if " + plain(m.Name) + " answered them, and prompts as the built-in trigrams prune them: an informer's own choice changes them."}
		}
	}
	return nil
}

// times is the bill of so many runs of each episode; floors alone make none.
func times(b money.Bill, n, policies int) money.Bill {
	b.Episodes *= n
	usages := make([]money.Usage, policies)
	for i, u := range b.Usages {
		for range n {
			usages[i] = usages[i].Plus(u)
		}
	}
	b.Usages = usages
	return b
}

func replyName(n int) string { return "replies of " + strconv.Itoa(n) }

// tryReplies plays an experiment with a model that never errs, at each length
// of reply; where there is none for its tasks, with one that chooses.
func tryReplies(ctx context.Context, s system, file string, plan *harness.Plan, replies []int, policies []money.Policy) (map[string]money.Bill, error) {
	var nodes []config.Node
	seen := map[int]bool{}
	for _, n := range replies {
		if seen[n] {
			continue
		}
		seen[n] = true
		node, err := config.Parse("--reply", fmt.Appendf(nil, "{name: %q, sim: %s, verbosity: {\"\": %d}}", replyName(n), player(plan), n))
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	x := plan.Experiment
	x.Repeats, x.Summarizer = 1, nil
	return tryOut(ctx, s, file, x, nodes, policies)
}

// player is the simulated model that plays the tasks of a plan.
func player(plan *harness.Plan) string {
	for _, v := range plan.Variants {
		if _, chooses := v.Task.Language.(sim.Chooser); chooses {
			return sim.Keyword
		}
	}
	return sim.Perfect
}

// tryOut plays an experiment with the models given into a folder that is gone
// afterwards.
func tryOut(ctx context.Context, s system, file string, x harness.Experiment, nodes []config.Node, policies []money.Policy) (bills map[string]money.Bill, err error) {
	x.Models, x.Limits = nodes, limit.Budget{}
	open := newModels(s, "", "")
	open.offline = trigrams{}
	plan, err := resolvePlan(x, config.Node{Source: file}, 0, open)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "skillbench-estimate-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m, err := plan.Manifest(made())
	if err != nil {
		return nil, err
	}
	if err := m.Write(dir); err != nil {
		return nil, err
	}
	result, err := play(ctx, s, plan, dir, runFlags{}, open)
	switch {
	case err != nil:
		return nil, err
	case len(result.Failed) > 0:
		return nil, fmt.Errorf("%s: cannot be played with a simulated model: %s", result.Failed[0].Cell.ID, result.Failed[0].Why)
	case result.Unended > 0:
		return nil, fmt.Errorf("stopped with %s not played: no estimate", numbered(result.Unended, "cell"))
	}
	bills, err = money.Bills(dir, m, policies)
	if err == nil {
		err = whole(bills, m, dir)
	}
	return bills, err
}

// trigrams stand for an endpoint that is asked for scores.
type trigrams struct{}

func (trigrams) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	return record.Reply{Text: ngrams.Judge(r.Prompt).String(), Finish: record.Stop}, nil
}

// whole wants every cell of a model in the bills: an estimate of a part would
// pass for one of the whole.
func whole(bills map[string]money.Bill, m journal.Manifest, dir string) error {
	want, got := 0, 0
	for _, c := range m.Cells {
		if c.ModelKind != record.NoModel {
			want++
		}
	}
	for _, b := range bills {
		got += b.Episodes
	}
	if got != want {
		return fmt.Errorf("%s: %d of %d episodes are left: somebody changed the folder meanwhile; try again", dir, got, want)
	}
	return nil
}

// print writes one model's estimate.
func (e estimated) print(s system, f estimateFlags, book money.Book, open *models) error {
	price, priced, err := e.price(f, book, open)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s (%s): %s\n", plain(e.model.Name), e.model.Kind, numbered(e.bills[0].Episodes, "episode"))
	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	row(w, "", e.labels)
	row(w, "calls", e.each(func(b money.Bill) string { return strconv.Itoa(b.Usages[0].Calls) }))
	row(w, "prompt tokens", e.each(func(b money.Bill) string { return strconv.Itoa(b.Usages[0].Prompt) }))
	row(w, "completion tokens", e.each(func(b money.Bill) string { return strconv.Itoa(b.Usages[0].Completion) }))
	if priced {
		for _, p := range e.policies(book, price) {
			row(w, fmt.Sprintf("%s, %s", price.Currency, p.head), e.each(func(b money.Bill) string { return price.Cost(p.policy, b.Usages[p.at], 1).Format(4) }))
		}
	}
	rates := e.rates(f, open)
	if rates.RPM > 0 || rates.TPM > 0 || f.latency > 0 {
		row(w, "wall time, at least", e.each(func(b money.Bill) string { return least(b, rates, f.latency).Round(time.Second).String() }))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, n := range e.notes {
		fmt.Fprintln(s.stdout, n)
	}
	e.conclude(s, f, book, price, priced)
	return nil
}

func row(w io.Writer, head string, cells []string) {
	fmt.Fprintf(w, "%s\t%s\t\n", head, strings.Join(cells, "\t"))
}

func (e estimated) each(of func(money.Bill) string) []string {
	var out []string
	for _, b := range e.bills {
		out = append(out, of(b))
	}
	return out
}

// price is that of the model's file, or of the flag.
func (e estimated) price(f estimateFlags, book money.Book, open *models) (money.Price, bool, error) {
	if p, ok := open.prices[e.model.Name]; ok {
		if own, err := book.Price(p.Name); err == nil {
			p = own
		}
		return p, true, nil
	}
	if f.price == "" {
		return money.Price{}, false, nil
	}
	p, err := book.Price(f.price)
	if err != nil {
		return p, false, fmt.Errorf("--%w", err)
	}
	return p, true, nil
}

// A used policy is one that the money is counted under.
type usedPolicy struct {
	head   string
	policy money.Policy
	at     int
}

// policies are no cache, and the price's own.
func (e estimated) policies(book money.Book, price money.Price) []usedPolicy {
	var out []usedPolicy
	for i, p := range book.All() {
		switch {
		case p.Kind == money.None && len(out) == 0:
			out = append(out, usedPolicy{"no cache", p, i})
		case p.Name == price.Name:
			out = append(out, usedPolicy{"own cache", p, i})
		}
	}
	return out
}

func (e estimated) rates(f estimateFlags, open *models) limit.Rates {
	rates := open.rates[e.model.Name]
	if f.rates.RPM > 0 {
		rates.RPM = f.rates.RPM
	}
	if f.rates.TPM > 0 {
		rates.TPM = f.rates.TPM
	}
	return rates
}

// least is the least wall time that rate limits allow: a minute's worth goes at
// once, the rest at the rate. With a latency, an episode's calls follow each
// other, and all calls share what may be in flight.
func least(b money.Bill, r limit.Rates, latency time.Duration) time.Duration {
	minutes := 0.0
	u := b.Usages[0]
	for _, of := range [][2]int{{u.Calls, r.RPM}, {u.Prompt + u.Completion, r.TPM}} {
		if n, rate := of[0], of[1]; rate > 0 {
			minutes = max(minutes, float64(n-rate)/float64(rate))
		}
	}
	wait := time.Duration(minutes * float64(time.Minute))
	if wait = max(wait, time.Duration(b.Longest)*latency); r.Concurrency > 0 {
		wait = max(wait, time.Duration(u.Calls)*latency/time.Duration(r.Concurrency))
	}
	return wait
}

// conclude gives the range of the money and warns.
func (e estimated) conclude(s system, f estimateFlags, book money.Book, price money.Price, priced bool) {
	if !priced {
		if e.model.Kind == record.Real {
			fmt.Fprintln(s.stdout, "money: not known: name an entry of the price file with price: in the model file, or with --price")
		}
		return
	}
	low, high, some := 0.0, 0.0, false
	for _, p := range e.policies(book, price) {
		for _, b := range e.bills {
			if c := price.Cost(p.policy, b.Usages[p.at], 1); c.OK {
				if !some || c.V < low {
					low = c.V
				}
				high, some = max(high, c.V), true
			}
		}
	}
	if !some {
		fmt.Fprintf(s.stdout, "money: the price file has no input or output price for %s\n", plain(price.Name))
		return
	}
	fmt.Fprintf(s.stdout, "money: %.4f to %.4f %s at the prices of %s (%s, %s), retries and hidden thinking not counted\n", low, high, price.Currency, plain(price.Name), price.Date, plain(price.Source))
	if high > f.threshold {
		fmt.Fprintf(s.stderr, "warning: %s may cost up to %.2f %s, which is over %g\n", plain(e.model.Name), high, price.Currency, f.threshold)
	}
}
