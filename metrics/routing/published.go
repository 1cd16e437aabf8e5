package routing

import (
	_ "embed"
	"fmt"
	"sync"

	"skillbench/harness/config"
	"skillbench/harness/record"
	"skillbench/metrics/claims"
	"skillbench/metrics/stats"
)

//go:embed published.yaml
var publishedYAML []byte

// A Publication is what others report of the measures.
type Publication struct {
	Source  string   `yaml:"source"`
	Note    string   `yaml:"note"`
	Figures []Figure `yaml:"figures"`
}

// A Figure is one measure, with bare tools and with a skill library.
type Figure struct {
	Measure string  `yaml:"measure"`
	Says    string  `yaml:"says"`
	Unit    string  `yaml:"unit"` // %, of which ours are shares, or what a mean counts
	Bare    float64 `yaml:"bare"`
	Library float64 `yaml:"library"`
	Decides string  `yaml:"decides"` // any | real: the models whose results say anything of its direction
}

// Published are the figures that come with the program. That they parse is this
// package's test.
var Published = sync.OnceValue(func() Publication {
	p, err := parsePublished(publishedYAML)
	if err != nil {
		panic(err)
	}
	return p
})

func parsePublished(data []byte) (p Publication, err error) {
	n, err := config.Parse("published.yaml", data)
	if err != nil {
		return p, err
	}
	if err := n.Decode(&p); err != nil {
		return p, err
	}
	known := map[string]bool{}
	for _, m := range Measures() {
		known[m.Name] = true
	}
	for _, f := range p.Figures {
		if !known[f.Measure] || f.Decides != "any" && f.Decides != record.Real {
			return p, n.Errorf("figures: want a measure of this package, decided by any or real models, got %q and %q", f.Measure, f.Decides)
		}
	}
	return p, nil
}

// A Comparison says whether a run reproduces the direction of a published
// figure: Library is better than Bare in ours as in theirs, and the interval of
// the difference leaves out 0. Where there is no such interval, or no figure, the
// verdict says why.
type Comparison struct {
	Measure     string         `json:"measure"`
	Bare        Key            `json:"bare"`
	Library     Key            `json:"library"`
	OursBare    stats.Value    `json:"ours_bare"`
	OursLibrary stats.Value    `json:"ours_library"`
	Difference  stats.Value    `json:"difference"` // library - bare
	Interval    stats.Interval `json:"interval"`
	Verdict     claims.Verdict `json:"verdict"`
}

// bareTools is the arm that stands for an agent without a skill library.
const bareTools = "bare_tools"

// armOptions are those by which arms differ; all others must be equal.
var armOptions = []string{"arm", "k", "favourites", "layers"}

// published compares every arm that has a catalogue with bare tools, for the
// same agent, model and other options. Players read no catalogue and are left
// out.
func (r *Result) published() []Comparison {
	list := []Comparison{}
	for _, bare := range r.Groups {
		for _, g := range r.Groups {
			if bare.Arm != bareTools || g.Arm == bareTools || g.Arm == "" || g.Kind == record.NoModel || g.Agent != bare.Agent ||
				!bare.alike(g.Key) || bare.Kind != g.Kind || without(r.Tasks[bare.Task], armOptions...) != without(r.Tasks[g.Task], armOptions...) {
				continue
			}
			for _, f := range Published().Figures {
				list = append(list, compare(f, bare, g))
			}
		}
	}
	return list
}

func compare(f Figure, bare, library Group) Comparison {
	c := Comparison{Measure: f.Measure, Bare: bare.Key, Library: library.Key}
	if a, ok := library.Rates[f.Measure]; ok {
		b := bare.Rates[f.Measure]
		c.OursBare, c.OursLibrary = b.Share, a.Share
		c.Difference, c.Interval = stats.Newcombe(a, b)
	} else {
		a, b := library.Means[f.Measure], bare.Means[f.Measure]
		c.OursBare, c.OursLibrary = b.Ratio, a.Ratio
		c.Difference, c.Interval = stats.RatioDifference(a, b)
	}
	c.Verdict = f.verdict(c, bare, library)
	return c
}

// Verdicts that only figures of routing have.
const (
	NoInterval  claims.Verdict = "no interval"        // too few sessions, or none differs from another
	NoCall      claims.Verdict = "made no call"       // one of the two; it has no share of wrong ones
	NoRightCall claims.Verdict = "made no right call" // one of the two; it has no share of faulty ones
)

func (f Figure) verdict(c Comparison, bare, library Group) claims.Verdict {
	down, kind := f.Library < f.Bare, bare.Kind
	switch {
	case !c.Difference.OK:
		return f.lacks(bare, library)
	case f.Decides == record.Real && kind != record.Real:
		return claims.NotTestable
	case c.Interval.OK() && (down && c.Interval.High.V < 0 || !down && c.Interval.Low.V > 0):
		return claims.Reproduced
	case !c.Interval.OK() && (c.Difference.V != 0 || min(bare.Sessions, library.Sessions) < 2):
		return NoInterval
	}
	return claims.NotReproduced
}

// lacks says why one of two groups does not have a figure.
func (f Figure) lacks(bare, library Group) claims.Verdict {
	for _, g := range []Group{bare, library} {
		switch {
		case g.Dialogues == g.Lost:
			return claims.NotRun
		case (f.Measure == WrongTool || f.Measure == ParamFaults) && g.Rates[WrongTool].N == 0:
			return NoCall
		case f.Measure == ParamFaults && g.Rates[ParamFaults].N == 0:
			return NoRightCall
		}
	}
	return claims.NotRun
}

// String is the figure as it was published.
func (f Figure) String() string { return fmt.Sprintf("%g → %g %s", f.Bare, f.Library, f.Unit) }
