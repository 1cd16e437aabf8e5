package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"skillbench/metrics/charts"
	"skillbench/metrics/money"
	"skillbench/metrics/stats"
)

// costs prices the same calls under every price and cache policy.
func costs(d *data) []Block {
	blocks := d.each(func(g *group) []Block {
		if !d.first(g) || len(g.paying()) == 0 {
			return nil
		}
		if g.ofSkills() { // what a cache makes of a catalogue is all there is to see
			return []Block{d.effectiveTable(g)}
		}
		out := []Block{d.effectiveTable(g), d.priceTable(g), d.rankTable(g), d.hitTable(g), d.costPicture(g), Paragraph(d.rankWords(g))}
		return append(out, d.replicatedCosts(g)...)
	})
	if len(blocks) == 0 {
		return nil
	}
	head := []Block{
		Paragraph("Arithmetic on the recorded prompts: what the same calls would cost, counted with the run's tokenizer, whatever the model that played. " +
			"A cache reuses the tokens that a prompt begins with like an earlier one of the episode, once there are enough of them; for the first call of an episode that is what the episode before began with. " +
			"Read and written are shares of the input price. What a provider adds to a prompt, such as a reply schema, which comes first, or the frame of a message, is in no figure here; attempts that a provider spoiled are not either."),
		policyTable(d.till.book),
	}
	if d.onPast() != nil {
		head = append(head, pricesTable(d.till.book))
	}
	return append(head, blocks...)
}

// paying are the strategies that models played, in the order of the manifest.
func (g *group) paying() []string {
	var out []string
	for _, a := range g.agents {
		if cells := finished(g.over(a)); len(cells) > 0 && !isFloor(cells) {
			out = append(out, a)
		}
	}
	return out
}

func policyTable(b money.Book) *Table {
	t := &Table{Name: "cache_policies", Caption: "Ways of caching that are compared",
		Columns: columns("policy", "policy", "kind", "kind", "minimum", "minimum (tokens)", "granularity", "steps of (tokens)", "read", "read", "write", "written", "lifetime", "lifetime (calls)")}
	for _, p := range b.All() {
		row := []Cell{text(plain(p.Name)), text(string(p.Kind)), whole(p.Minimum), whole(max(1, p.Granularity)), number(stats.Of(p.Read), 3), {}, {}}
		if p.Kind == money.Explicit {
			row[5] = number(stats.Of(p.Write), 3)
		}
		if p.LifetimeCalls > 0 {
			row[6] = whole(p.LifetimeCalls)
		}
		if p.Kind == money.None {
			row[4] = Cell{}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{"Policies with the name of a price are that provider's own; a minimum that its pages do not give counts as none, which is the most that can be saved. No lifetime in calls is known, so entries stay for the episode."}
	return t
}

func pricesTable(b money.Book) *Table {
	t := &Table{Name: "prices", Caption: "Prices per million tokens, as found",
		Columns: columns("price", "price", "provider", "provider", "currency", "currency", "input", "input", "cached", "cached input", "write", "cache write", "output", "output", "date", "date", "source", "source")}
	for _, p := range b.Prices {
		t.Rows = append(t.Rows, []Cell{text(plain(p.Name)), text(plain(p.Provider)), text(plain(p.Currency)), number(p.Input, 3), number(p.CachedInput, 3), number(p.CacheWrite, 3), number(p.Output, 3), text(plain(p.Date)), text(plain(p.Source))})
	}
	t.Notes = []string{"An empty cell was looked for and not found."}
	return t
}

// usage is the usage of a cell under a policy, which is told by its place.
func (c *cell) usage(policy int) (money.Usage, bool) {
	if policy < 0 || policy >= len(c.bill) {
		return money.Usage{}, false
	}
	return c.bill[policy], true
}

// meanEffective is the mean prompt of cells in tokens of full price.
func (d *data) meanEffective(cells []*cell, policy int) stats.Value {
	return summarize(cells, func(c *cell) stats.Value {
		u, ok := c.usage(policy)
		if !ok {
			return stats.Value{}
		}
		return d.till.policies[policy].Effective(u, 1)
	}).Mean
}

// meanCost is the mean cost of an episode.
func (d *data) meanCost(cells []*cell, p money.Price, policy int, hit float64) stats.Value {
	return summarize(cells, func(c *cell) stats.Value {
		u, ok := c.usage(policy)
		if !ok {
			return stats.Value{}
		}
		return p.Cost(d.till.policies[policy], u, hit)
	}).Mean
}

// uncached is the policy without a cache.
func (d *data) uncached() int {
	return slices.IndexFunc(d.till.policies, func(p money.Policy) bool { return p.Kind == money.None })
}

// policy is the place of a policy, or -1.
func (d *data) policy(name string) int {
	return slices.IndexFunc(d.till.policies, func(p money.Policy) bool { return p.Name == name })
}

// effectiveTable sets raw prompt tokens beside those of the full price that
// each policy of the price file leaves, and beside what providers said.
func (d *data) effectiveTable(g *group) *Table {
	t := &Table{Name: g.file("effective_tokens"), Caption: "Prompt tokens of an episode, and in tokens of full price under each cache policy, if it reuses all that it can" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "prompt", "prompt tokens", "shared", "begins like an earlier call (share)", "completion", "completion tokens")}
	for i, p := range d.till.book.Policies {
		if d.till.policies[i].Kind != money.None {
			t.Columns = append(t.Columns, Column{Key: p.Name, Head: p.Name})
		}
	}
	t.Columns = append(t.Columns, columns("told", "cached, as providers told", "told_calls", "calls that told")...)
	widest := d.widest()
	for _, horizon := range g.horizons {
		for _, agent := range g.paying() {
			cells := g.at(horizon, agent)
			row := []Cell{whole(horizon), text(plain(agent)), number(summarize(cells, func(c *cell) stats.Value { return stats.Of(float64(c.PromptTokens)) }).Mean, 0),
				number(summarize(cells, func(c *cell) stats.Value {
					u, _ := c.usage(widest)
					return ratio(float64(u.Read), float64(u.Prompt))
				}).Mean, 3),
				number(summarize(cells, func(c *cell) stats.Value { return stats.Of(float64(c.CompletionTokens)) }).Mean, 0)}
			for i := range d.till.book.Policies {
				if d.till.policies[i].Kind != money.None {
					row = append(row, number(d.meanEffective(cells, i), 0))
				}
			}
			t.Rows = append(t.Rows, append(row, toldCached(cells)...))
		}
	}
	return t
}

// widest is the policy that reuses the most, whatever it costs.
func (d *data) widest() int {
	best := -1
	for i, p := range d.till.policies {
		if p.Kind == money.PrefixAuto && (best < 0 || p.Minimum < d.till.policies[best].Minimum) {
			best = i
		}
	}
	return best
}

func toldCached(cells []*cell) []Cell {
	sum, calls, n := 0, 0, 0
	for _, c := range finished(cells) {
		n++
		for _, s := range c.spent {
			sum += s.toldCached.sum
			calls += s.toldCached.calls
		}
	}
	if calls == 0 {
		return []Cell{{}, whole(0)}
	}
	return []Cell{meanOf(sum, n, 0), whole(calls)}
}

// A way to pay is a price under a policy.
type way struct {
	head   string
	price  money.Price
	policy int
}

// ways are every price without a cache and with its provider's own.
func (d *data) ways() []way {
	var out []way
	for _, p := range d.till.book.Prices {
		if !p.Input.OK || !p.Output.OK {
			continue
		}
		if none := d.uncached(); none >= 0 {
			out = append(out, way{p.Name + ", no cache", p, none})
		}
		if own := d.policy(p.Name); own >= 0 {
			out = append(out, way{p.Name + ", own cache", p, own})
		}
	}
	return out
}

func (d *data) priceTable(g *group) *Table {
	t := &Table{Name: g.file("money"), Caption: "Money for an episode, mean over seeds, without a cache and with the provider's own, if it reuses all that it can" + g.in(), Columns: columns("horizon", "T", "agent", "agent")}
	ways := d.ways()
	for _, w := range ways {
		t.Columns = append(t.Columns, Column{Key: slug([]string{w.head}), Head: w.head + " (" + w.price.Currency + ")"})
	}
	for _, horizon := range g.horizons {
		for _, agent := range g.paying() {
			row := []Cell{whole(horizon), text(plain(agent))}
			for _, w := range ways {
				row = append(row, number(d.meanCost(g.at(horizon, agent), w.price, w.policy, 1), 5))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// ranked are strategies from the least of a quantity to the most.
func ranked(agents []string, of func(agent string) stats.Value) []string {
	out := slices.DeleteFunc(slices.Clone(agents), func(a string) bool { return !of(a).OK })
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(of(a).V, of(b).V) })
	return out
}

func (d *data) byTokens(g *group) []string {
	return ranked(g.paying(), func(a string) stats.Value { return meanTotal(g.at(g.largest(), a), 1) })
}

// rankTable says in which place each strategy comes, cheapest first, and how
// many times the cheapest it costs.
func (d *data) rankTable(g *group) *Table {
	t := &Table{Name: g.file("money_ranks"), Caption: fmt.Sprintf("Places of the strategies by tokens and by money, cheapest first, and times the cheapest in parentheses, T=%d%s", g.largest(), g.in()), Columns: columns("by", "by")}
	agents := g.paying()
	for _, a := range agents {
		t.Columns = append(t.Columns, Column{Key: plain(a), Head: plain(a)})
	}
	t.Columns = append(t.Columns, columns("same", "same order as tokens")...)
	tokens := d.byTokens(g)
	add := func(by string, of func(string) stats.Value) {
		order := ranked(agents, of)
		if len(order) == 0 {
			return
		}
		row := []Cell{text(by)}
		for _, a := range agents {
			place := slices.Index(order, a)
			if place < 0 {
				row = append(row, Cell{})
				continue
			}
			row = append(row, text(fmt.Sprintf("%d (%.2f×)", place+1, of(a).V/of(order[0]).V)))
		}
		t.Rows = append(t.Rows, append(row, text(yes(slices.Equal(order, tokens)))))
	}
	add("total tokens", func(a string) stats.Value { return meanTotal(g.at(g.largest(), a), 1) })
	for _, w := range d.ways() {
		add(w.head, func(a string) stats.Value { return d.meanCost(g.at(g.largest(), a), w.price, w.policy, 1) })
	}
	return t
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// rankWords say how the order by money differs from that by tokens.
func (d *data) rankWords(g *group) string {
	tokens := d.byTokens(g)
	words := fmt.Sprintf("At T=%d, from the least total tokens to the most: %s.", g.largest(), plain(strings.Join(tokens, ", ")))
	var other []string
	for _, w := range d.ways() {
		order := ranked(g.paying(), func(a string) stats.Value { return d.meanCost(g.at(g.largest(), a), w.price, w.policy, 1) })
		if !slices.Equal(order, tokens) {
			other = append(other, fmt.Sprintf("%s: %s", w.head, plain(strings.Join(order, ", "))))
		}
	}
	if len(other) == 0 {
		return words + " By money the order is the same under every price and policy above."
	}
	return words + fmt.Sprintf(" By money the order is another one under %d of %d: ", len(other), len(d.ways())) + strings.Join(other, "; ") + "."
}

// hitTable shows what becomes of the largest horizon's costs where the cache
// finds less than it could.
func (d *data) hitTable(g *group) *Table {
	t := &Table{Name: g.file("money_by_hit_rate"), Caption: fmt.Sprintf("Money for an episode by the share of what could be reused that is, T=%d%s", g.largest(), g.in()), Columns: columns("way", "price", "agent", "agent")}
	for _, h := range d.till.book.HitRates {
		t.Columns = append(t.Columns, Column{Key: fmt.Sprintf("hit_%g", h), Head: fmt.Sprintf("hit rate %g", h)})
	}
	for _, w := range d.ways() {
		if d.till.policies[w.policy].Kind == money.None {
			continue
		}
		for _, a := range g.paying() {
			row := []Cell{text(fmt.Sprintf("%s (%s)", w.head, w.price.Currency)), text(plain(a))}
			for _, h := range d.till.book.HitRates {
				row = append(row, number(d.meanCost(g.at(g.largest(), a), w.price, w.policy, h), 5))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = []string{"Where entries are written at a price, what is not found is written again: at hit rate 0 that is dearer than no cache."}
	return t
}

// costPicture draws money against tokens for the first price that has a cache
// of its own, which is filled, and without a cache, which is open.
func (d *data) costPicture(g *group) Block {
	var price money.Price
	own := -1
	for _, p := range d.till.book.Prices {
		if own = d.policy(p.Name); own >= 0 {
			price = p
			break
		}
	}
	none := d.uncached()
	if own < 0 || none < 0 {
		return Paragraph("No price has a cache of its own, so money against tokens is not drawn.")
	}
	l := charts.Lines{Title: "Money against tokens of an episode", Subtitle: g.title, X: charts.Axis{Label: "total tokens of an episode", Scale: charts.Log},
		Y: charts.Axis{Label: fmt.Sprintf("money (%s, prices of %s)", price.Currency, price.Name), Scale: charts.Log}, Measured: true}
	for _, agent := range g.paying() {
		cached, full := charts.Series{Name: plain(agent)}, charts.Series{Name: plain(agent) + " (no cache)", Style: charts.Open}
		for _, horizon := range g.horizons {
			cells := g.at(horizon, agent)
			x, y, z := meanTotal(cells, 1), d.meanCost(cells, price, own, 1), d.meanCost(cells, price, none, 1)
			if x.OK && y.OK && z.OK && x.V > 0 && y.V > 0 && z.V > 0 {
				cached.Points = append(cached.Points, charts.Point{X: x.V, Y: y.V})
				full.Points = append(full.Points, charts.Point{X: x.V, Y: z.V})
			}
		}
		if len(cached.Points) > 0 {
			l.Series = append(l.Series, cached, full)
		}
	}
	return draw(g.file("money"), fmt.Sprintf("Money against total tokens, one point for each T%s. Prices of %s; filled: with its own cache, if it reuses all that it can; open: without.", g.in(), price.Name), l)
}
