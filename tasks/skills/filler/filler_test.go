package filler_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"skillbench/configs"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/filler"
	"skillbench/tasks/skills/suite"
)

func TestFillersMakeALibrary(t *testing.T) {
	t.Parallel()
	all := filler.Filler(filler.Most, 1)
	if len(all) != filler.Most || filler.Most < 500 {
		t.Errorf("%d of %d skills", len(all), filler.Most)
	}
	if _, err := skills.New("filler", all); err != nil {
		t.Fatal(err)
	}
	if got := len(filler.Filler(filler.Most+1, 1)); got != filler.Most {
		t.Errorf("%d skills, want all there are", got)
	}
	if got := len(filler.Filler(-1, 1)); got != 0 {
		t.Errorf("%d skills of -1", got)
	}
}

func names(list []skills.Skill) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Name)
	}
	return out
}

func TestFillersFollowTheSeed(t *testing.T) {
	t.Parallel()
	many, again, other := filler.Filler(200, 7), filler.Filler(200, 7), filler.Filler(200, 8)
	if d := cmp.Diff(many, again, cmpopts.IgnoreUnexported(skills.Negative{})); d != "" {
		t.Error(d)
	}
	if slices.Equal(names(many), names(other)) {
		t.Error("two seeds give the same skills")
	}
	if d := cmp.Diff(names(many)[:40], names(filler.Filler(40, 7))); d != "" {
		t.Errorf("forty are not the first of two hundred: %s", d)
	}
}

// The words of the after-sales trade, as the words of a filler may not begin.
var trade = strings.Fields(`order parcel packag refund coupon voucher promo discount code invoice receipt bill vat warrant guarant repair broken
	return exchang swap size garment cloth deliver courier carrier track dispatch shipp shipment ship address postcode cancel price
	sale cheap money paid pay purchas bought buy shop customer label human agent person phone callback damag colleague manager team tax weather`)

func words(s skills.Skill) []string {
	texts := append([]string{s.Summary, s.Boundary, s.Promise, strings.ReplaceAll(s.Name, "-", " ")}, s.Triggers...)
	for _, n := range s.NotWhen {
		texts = append(texts, n.Topic)
	}
	for name, p := range s.Params {
		texts = append(texts, name, p.About)
		texts = append(texts, p.Enum...)
	}
	return strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), func(r rune) bool { return !unicode.IsLetter(r) && r != '{' })
}

func TestFillersAvoidTheTrade(t *testing.T) {
	t.Parallel()
	for _, s := range filler.Filler(filler.Most, 1) {
		for _, w := range words(s) {
			if strings.ContainsRune(w, '{') {
				t.Errorf("%s: a gap was not filled: %q", s.Name, w)
			}
			for _, bad := range trade {
				if strings.HasPrefix(w, bad) {
					t.Errorf("%s has a word of the trade: %q", s.Name, w)
				}
			}
		}
	}
}

// No filler is near a skill of the library, and none takes its numbers.
func TestFillersAreFarFromTheLibrary(t *testing.T) {
	t.Parallel()
	cases, lib, err := suite.Open("after-sales", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	all := filler.Filler(filler.Most, 1)
	both, err := skills.New("both", append(slices.Clone(lib.Skills), all...))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range both.Pairs() {
		_, a := lib.Find(p.A)
		_, b := lib.Find(p.B)
		if a != b && p.Similarity > 0.3 {
			t.Errorf("%s and %s are alike: %.2f", p.A, p.B, p.Similarity)
		}
	}
	for _, c := range cases.Cases {
		for _, turn := range c.Turns {
			for name, v := range turn.Expect.Params {
				for _, s := range all {
					if text, ok := v.(string); ok && len(s.Params["id"].Pattern) > 0 {
						if _, fits := s.Params["id"].Normal(text); fits {
							t.Errorf("%s: %s %q is a number of %s", c.ID, name, text, s.Name)
						}
					}
				}
			}
		}
	}
}
