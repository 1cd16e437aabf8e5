package rank_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/configs"
	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/filler"
	"skillbench/tasks/skills/rank"
	"skillbench/tasks/skills/suite"
)

func afterSales(t testing.TB) (suite.Suite, skills.Library) {
	t.Helper()
	s, lib, err := suite.Open("after-sales", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	return s, lib
}

// rankers are all rankers that need nothing but skills.
var rankers = map[string]func([]skills.Skill) rank.Ranker{
	"bm25":     func(l []skills.Skill) rank.Ranker { return rank.NewBM25(l) },
	"trigrams": func(l []skills.Skill) rank.Ranker { return rank.Embed(l, rank.Trigrams{}) },
}

// message draws words of the trade and others.
func message(t *rapid.T) string {
	words := strings.Fields("where is my parcel order refund label money back size the a please ÄÖ 包裹 A1047 zzz friday code day")
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), " ")
}

// The order of the skills given does not matter, scores lie in (0, 1], and equal
// scores stand by name.
func TestRankingIsAnOrder(t *testing.T) {
	t.Parallel()
	_, lib := afterSales(t)
	list := append(slices.Clone(lib.Skills), filler.Filler(20, 1)...)
	for name, ranker := range rankers {
		straight := ranker(list)
		rapid.Check(t, func(t *rapid.T) {
			said := message(t)
			got := straight.Rank(said)
			if d := cmp.Diff(got, ranker(rapid.Permutation(list).Draw(t, "skills")).Rank(said)); d != "" {
				t.Fatalf("%s: another order of skills ranks otherwise: %s", name, d)
			}
			for i, s := range got {
				if !(s.Score > 0 && s.Score <= 1) {
					t.Fatalf("%s: %s scores %g", name, s.Name, s.Score)
				}
				if i > 0 && (got[i-1].Score < s.Score || got[i-1].Score == s.Score && got[i-1].Name >= s.Name) {
					t.Fatalf("%s: %v before %v", name, got[i-1], s)
				}
			}
		})
	}
}

// plain is a skill of a summary.
func plain(name, summary string) skills.Skill {
	return skills.Skill{Name: name, Version: "1", Summary: summary, Effect: skills.NoEffect}
}

func TestTiesGoByName(t *testing.T) {
	t.Parallel()
	list := []skills.Skill{plain("b", "Track a parcel."), plain("c", "Track a parcel."), plain("a", "Track a parcel.")}
	for name, ranker := range rankers {
		var got []string
		for _, s := range ranker(list).Rank("parcel") {
			got = append(got, s.Name)
		}
		if d := cmp.Diff([]string{"a", "b", "c"}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// What shares nothing, and what has nothing to share, is not ranked.
func TestZeroNeverWins(t *testing.T) {
	t.Parallel()
	list := []skills.Skill{plain("a", "!?"), plain("b", "Track a parcel.")}
	for name, ranker := range rankers {
		r := ranker(list)
		for _, said := range []string{"", "...", "包"} {
			if got := r.Rank(said); len(got) > 0 {
				t.Errorf("%s: %q is ranked: %v", name, said, got)
			}
		}
		if got := r.Rank("parcel"); len(got) != 1 || got[0].Name != "b" {
			t.Errorf("%s: %v", name, got)
		}
		if got := ranker(nil).Rank("parcel"); len(got) > 0 {
			t.Errorf("%s: %v of no skills", name, got)
		}
	}
}

// bad is an embedder whose vectors hold what arithmetic can go wrong with.
type bad struct{ value float64 }

func (bad) Name() string { return "bad" }
func (b bad) Embed(text string) []float64 {
	if text == "sick" {
		return []float64{b.value, 0}
	}
	return []float64{2, 0}
}

func TestNaNNeverWins(t *testing.T) {
	t.Parallel()
	list := []skills.Skill{plain("sick", "sick"), plain("well", "well")}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1} {
		got := rank.Embed(list, bad{v}).Rank("hello")
		if d := cmp.Diff([]rank.Scored{{Name: "well", Score: 1}}, got); d != "" {
			t.Errorf("%g: %s", v, d)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Where's MY parcel?!":               "where s my parcel",
		"parcels boxes bodies status glass": "parcel boxe body status glass",
		"shoes trees ties bus eyries deies": "shoes trees ty bus eyry deies",
		"A1047, 49.90 – Größe XL":           "a1047 49 90 größe xl",
		"包裹在哪里":                             "包裹在哪里",
		"":                                  "",
	} {
		if got := strings.Join(rank.Words(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Negatives and boundaries have the words of messages that a skill is not for.
func TestNegativesAreNotIndexed(t *testing.T) {
	t.Parallel()
	s := plain("a", "Track a parcel.")
	s.Boundary, s.NotWhen = "Never for xylophones.", []skills.Negative{{Topic: "The customer has a xylophone"}}
	s.Params = map[string]skills.Param{
		"order": {Type: "string", Source: skills.FromUser, About: "Number of the bassoon"},
		"desk":  {Type: "string", Source: skills.FromContext, About: "Number of the harpsichord"},
	}
	r := rank.NewBM25([]skills.Skill{s, plain("b", "Something else.")})
	for said, want := range map[string]int{"xylophone": 0, "harpsichord": 0, "bassoon": 1} {
		if got := r.Rank(said); len(got) != want {
			t.Errorf("%s: %v", said, got)
		}
	}
}

// naive is BM25 by its definition, with nothing made ready: each text is taken
// apart for each word of each message.
func naive(list []skills.Skill, said string) map[string]float64 {
	total := 0
	for _, s := range list {
		total += len(rank.Words(rank.Text(s)))
	}
	mean := float64(total) / float64(len(list))
	scores, most := map[string]float64{}, 0.0
	words := map[string]bool{}
	for _, w := range rank.Words(said) {
		words[w] = true
	}
	for w := range words {
		having := 0
		for _, s := range list {
			if slices.Contains(rank.Words(rank.Text(s)), w) {
				having++
			}
		}
		idf := math.Log(1 + (float64(len(list)-having)+0.5)/(float64(having)+0.5))
		most += idf * (rank.K1 + 1)
		for _, s := range list {
			n, text := 0.0, rank.Words(rank.Text(s))
			for _, v := range text {
				if v == w {
					n++
				}
			}
			scores[s.Name] += idf * n * (rank.K1 + 1) / (n + rank.K1*(1-rank.B+rank.B*float64(len(text))/mean))
		}
	}
	for name := range scores {
		scores[name] /= most
	}
	return scores
}

func TestBM25IsItsDefinition(t *testing.T) {
	t.Parallel()
	_, lib := afterSales(t)
	r := rank.NewBM25(lib.Skills)
	rapid.Check(t, func(t *rapid.T) {
		said := message(t)
		want := naive(lib.Skills, said)
		for _, s := range r.Rank(said) {
			if math.Abs(s.Score-want[s.Name]) > 1e-12 {
				t.Fatalf("%q: %s scores %g, want %g", said, s.Name, s.Score, want[s.Name])
			}
			delete(want, s.Name)
		}
		for name, score := range want {
			if score > 0 {
				t.Fatalf("%q: %s is left out with %g", said, name, score)
			}
		}
	})
}

const asked = "Good morning, my parcel with order A1047 was to be here on Friday and the tracking has not moved, when will it arrive?"

func BenchmarkBM25(b *testing.B) {
	_, lib := afterSales(b)
	for _, n := range []int{0, 185} {
		r := rank.NewBM25(append(slices.Clone(lib.Skills), filler.Filler(n, 1)...))
		b.Run(fmt.Sprintf("skills=%d", len(lib.Skills)+n), func(b *testing.B) {
			for b.Loop() {
				r.Rank(asked)
			}
		})
	}
}

// BenchmarkBM25Baseline is the formula as one writes it down at first.
func BenchmarkBM25Baseline(b *testing.B) {
	_, lib := afterSales(b)
	for b.Loop() {
		naive(lib.Skills, asked)
	}
}

func BenchmarkTrigrams(b *testing.B) {
	_, lib := afterSales(b)
	r := rank.Embed(lib.Skills, rank.Trigrams{})
	for b.Loop() {
		r.Rank(asked)
	}
}

// In a catalogue that is filled up to two hundred skills, a filler is best for few
// of the messages for which the right skill was best among the fifteen: those that
// hardly share a word with it.
func TestFillersDoNotWin(t *testing.T) {
	t.Parallel()
	s, lib := afterSales(t)
	few, many := rank.NewBM25(lib.Skills), rank.NewBM25(append(slices.Clone(lib.Skills), filler.Filler(185, 1)...))
	best, lost := 0, 0
	for _, c := range s.Cases {
		for _, turn := range c.Turns {
			e := turn.Expect
			before := few.Rank(turn.Say)
			if e.Do != record.Call || len(before) == 0 || before[0].Name != e.Skill {
				continue
			}
			best++
			if _, ours := lib.Find(many.Rank(turn.Say)[0].Name); !ours {
				lost++
			}
		}
	}
	if best < 100 || lost*20 > best {
		t.Errorf("a filler wins %d of %d, want a twentieth at most", lost, best)
	}
}
