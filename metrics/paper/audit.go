package paper

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Finding is one computed statement about the published tables. ID names the
// check, What says the statement in words. Horizon and Runtime name the row,
// From the shorter horizon where two are compared (0 elsewhere). Value is in
// Unit, and a pure ratio where Unit is empty.
type Finding struct {
	ID, What, Table string
	From, Horizon   int
	Runtime         string
	Value           float64
	Unit            string
}

// Audit returns the findings of all checks in a fixed order. The tables'
// oddities are arithmetic on what is printed, not a judgement of the method.
func Audit() []Finding {
	return slices.Concat(
		HeadlineRatio(), TotalOverPrompt(), GrowthBetween(), GrowthFromShortest(), LocalExponents(),
		DoublingRatios(), NoNoiseDisagreement(), NoiseGain(), ImpossibleSpreads(), SignificanceFloor(),
	)
}

// scaling names the tables that have one row per horizon and runtime.
var scaling = []string{"table1", "table6", "table7", "table8"}

var runtimes = []string{"react", "memory", "stateful", "skillstate"}

// horizons returns the table's horizons in rising order.
func (t Table) horizons() []int {
	var out []int
	for row := range t.Rows {
		out = append(out, t.horizonOf(row))
	}
	sort.Ints(out)
	return slices.Compact(out)
}

// HeadlineRatio recomputes the abstract's token saving: stateful over
// skillstate, warehouse, at the headline's horizon.
func HeadlineRatio() []Finding {
	h := About().Headline
	return ratio("headline", "table1", "stateful", "skillstate", h.Horizon,
		fmt.Sprintf("tokens of stateful over tokens of skillstate; claimed %g", h.StatefulOverSkillstate))
}

// ratio divides the tokens of one runtime by those of another.
func ratio(id, table, over, under string, horizon int, what string) []Finding {
	a, okA := Lookup(table, horizon, over, "tokens")
	b, okB := Lookup(table, horizon, under, "tokens")
	if !okA || !okB {
		return nil
	}
	return []Finding{{ID: id, What: what, Table: table, Horizon: horizon, Runtime: over, Value: a.Value / b.Value}}
}

// TotalOverPrompt returns total ÷ (T × prompt) for every row that gives both.
// If prompt counted tokens, it would be 1 or more, since T calls of that size
// alone make up T × prompt; at about 0.25 to 0.4 it must count characters.
func TotalOverPrompt() []Finding {
	var out []Finding
	for _, table := range append(slices.Clone(scaling), "table5") {
		t := published().Tables[table]
		for row := range t.Rows {
			tokens, okT := t.number(row, "tokens")
			prompt, okP := t.number(row, "prompt")
			if h := t.horizonOf(row); okT && okP {
				out = append(out, Finding{
					ID: "total_over_prompt", What: "total tokens ÷ (T × mean prompt size)",
					Table: table, Horizon: h, Runtime: t.Cell(row, "runtime").Text,
					Value: tokens / (float64(h) * prompt), Unit: "tokens per character",
				})
			}
		}
	}
	return out
}

// pair is the figures of one runtime at two horizons of a scaling table.
type pair struct {
	table, runtime string
	from, to       int
	a, b           float64
}

// neighbours calls each for every runtime and pair of neighbouring horizons.
func neighbours(column string) []pair {
	return pairs(column, func(i int) int { return i - 1 })
}

// sinceShortest pairs every longer horizon with the shortest.
func sinceShortest(column string) []pair {
	return pairs(column, func(int) int { return 0 })
}

func pairs(column string, before func(int) int) []pair {
	var out []pair
	for _, table := range scaling {
		hs := published().Tables[table].horizons()
		for _, runtime := range runtimes {
			for i := 1; i < len(hs); i++ {
				from := hs[before(i)]
				a, okA := Lookup(table, from, runtime, column)
				b, okB := Lookup(table, hs[i], runtime, column)
				if okA && okB {
					out = append(out, pair{table, runtime, from, hs[i], a.Value, b.Value})
				}
			}
		}
	}
	return out
}

func (p pair) finding(id, what, unit string, value float64) Finding {
	return Finding{ID: id, What: what, Table: p.table, From: p.from, Horizon: p.to, Runtime: p.runtime, Value: value, Unit: unit}
}

// growth returns the characters a prompt gains per turn. The prompt column is
// the mean over steps: for a prompt that grows by g from c on, it is about
// c + g·T/2, so between two horizons g = 2·(mean₂ − mean₁) ÷ (T₂ − T₁).
func (p pair) growth() float64 { return 2 * (p.b - p.a) / float64(p.to-p.from) }

// GrowthBetween returns the growth per turn that neighbouring horizons imply.
func GrowthBetween() []Finding {
	var out []Finding
	for _, p := range neighbours("prompt") {
		out = append(out, p.finding("growth_between", "2 × difference of mean prompt ÷ difference of T", "characters per turn", p.growth()))
	}
	return out
}

// GrowthFromShortest returns the growth per turn between the shortest horizon
// and each longer one. One agent in one environment has about one such growth.
func GrowthFromShortest() []Finding {
	var out []Finding
	for _, p := range sinceShortest("prompt") {
		out = append(out, p.finding("growth_from_shortest", "2 × difference of mean prompt ÷ difference of T, from the shortest horizon on", "characters per turn", p.growth()))
	}
	return out
}

// LocalExponents returns b in total ~ T^b between neighbouring horizons: 1 is
// linear, 2 is quadratic.
func LocalExponents() []Finding {
	var out []Finding
	for _, p := range neighbours("tokens") {
		b := math.Log(p.b/p.a) / math.Log(float64(p.to)/float64(p.from))
		out = append(out, p.finding("local_exponent", "log ratio of total tokens ÷ log ratio of T", "", b))
	}
	return out
}

// DoublingRatios returns, for Table 6, T=100 over T=50 of totals and prompts:
// whole numbers to three digits, where measured rows would scatter.
func DoublingRatios() []Finding {
	var out []Finding
	for _, column := range []string{"tokens", "prompt"} {
		for _, p := range neighbours(column) {
			if p.table == "table6" && p.from == 50 && p.to == 100 {
				out = append(out, p.finding("doubling_ratio_"+column, column+" at T=100 ÷ "+column+" at T=50", "", p.b/p.a))
			}
		}
	}
	return out
}

// NoNoiseDisagreement returns score in Table 9 without noise minus score in
// Table 6: the same task, model and horizon.
func NoNoiseDisagreement() []Finding {
	return scoreDifference("no_noise_disagreement", "table9", 0, "table6", "score without noise in table9 − score in table6")
}

// NoiseGain returns score in Table 2 with 5 noise lines a turn minus score in
// Table 1 without: above 0, noise would have helped.
func NoiseGain() []Finding {
	return scoreDifference("noise_gain", "table2", 5, "table1", "score with 5 noise lines in table2 − score in table1")
}

func scoreDifference(id, noisy string, noise int, plain, what string) []Finding {
	horizon := published().Tables[noisy].Horizon
	var out []Finding
	for _, runtime := range runtimes {
		a, okA := LookupNoise(noisy, noise, runtime)
		b, okB := Lookup(plain, horizon, runtime, "score")
		if okA && okB {
			out = append(out, Finding{ID: id, What: what, Table: noisy, Horizon: horizon, Runtime: runtime, Value: a.Value - b.Value, Unit: "score"})
		}
	}
	return out
}

// ImpossibleSpreads returns the rows whose printed mean and SD cannot both come
// from the paper's number of seeds with scores that are multiples of 1/T. The
// count of actionable events or of runs must then be another one. Value is the
// printed SD.
func ImpossibleSpreads() []Finding {
	var out []Finding
	for _, table := range scaling {
		t := published().Tables[table]
		for row := range t.Rows {
			mean, sd := t.Cell(row, "score"), t.Cell(row, "score_sd")
			ok, err := Feasible(Printed{mean.Number, mean.Places}, Printed{sd.Number, sd.Places}, About().Seeds, t.horizonOf(row))
			if ok || err != nil || mean.Kind != Number || sd.Kind != Number {
				continue
			}
			out = append(out, Finding{
				ID: "impossible_spread", Table: table, Horizon: t.horizonOf(row), Runtime: t.Cell(row, "runtime").Text,
				What:  fmt.Sprintf("%d scores of k/%d cannot have mean %.*f and SD %.*f", About().Seeds, t.horizonOf(row), mean.Places, mean.Number, sd.Places, sd.Number),
				Value: sd.Number, Unit: "SD of score",
			})
		}
	}
	return out
}

// SmallestP returns the smallest two-sided p that an exact sign-flip
// permutation test of n pairs can reach, 2 ÷ 2ⁿ; without pairs it is 1.
func SmallestP(n int) float64 {
	if n < 1 {
		return 1
	}
	return math.Ldexp(1, 1-n)
}

// SignificanceFloor returns the smallest p that an exact paired test over the
// paper's seeds can reach, to be held against its claim.
func SignificanceFloor() []Finding {
	m := About()
	return []Finding{{
		ID: "significance_floor", What: fmt.Sprintf("smallest exact two-sided p with %d pairs; claimed: %s", m.Seeds, m.Significance),
		Value: SmallestP(m.Seeds), Unit: "p",
	}}
}
