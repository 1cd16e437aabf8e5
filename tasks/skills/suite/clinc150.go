package suite

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// LoadCLINC150 makes a suite of a file of CLINC150 (Larson et al. 2019), such as
// data_full.json: an object of lists train, val, test, oos_train, oos_val and
// oos_test of pairs [text, intent].
//
// Each intent becomes a skill without parameters whose summary is its name in
// words: freeze_account is "Freeze account." Texts of val are cases of split dev,
// those of test of split test, of kind direct; those of oos_val and oos_test are of
// kind out_of_scope, and the right answer is to decline. The train lists make
// skills known, and no cases.
func LoadCLINC150(source string, data []byte) (Suite, skills.Library, error) {
	var file struct {
		Train    [][]string `json:"train"`
		Val      [][]string `json:"val"`
		Test     [][]string `json:"test"`
		OOSTrain [][]string `json:"oos_train"`
		OOSVal   [][]string `json:"oos_val"`
		OOSTest  [][]string `json:"oos_test"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Suite{}, skills.Library{}, fmt.Errorf("%s: want an object of lists of [text, intent]: %w", source, err)
	}
	parts := []part{
		{"train", "", "", file.Train},
		{"val", Direct, Dev, file.Val}, {"test", Direct, Test, file.Test},
		{"oos_train", "", "", file.OOSTrain},
		{"oos_val", OutOfScope, Dev, file.OOSVal}, {"oos_test", OutOfScope, Test, file.OOSTest},
	}
	intents := map[string]string{}
	for _, p := range parts {
		for i, pair := range p.pairs {
			if len(pair) != 2 {
				return Suite{}, skills.Library{}, fmt.Errorf("%s: %s, entry %d: want [text, intent], got %d texts", source, p.name, i+1, len(pair))
			}
			if !strings.HasPrefix(p.name, "oos_") {
				intents[pair[1]] = inWords(pair[1])
			}
		}
	}
	f, err := newForeign(source, intents)
	if err != nil {
		return f.suite, skills.Library{}, err
	}
	for _, p := range parts {
		if err := f.utterances(p); err != nil {
			return f.suite, skills.Library{}, err
		}
	}
	return f.done()
}

// A part is one list of the file; its texts are cases of a kind and a split, or
// none where it has no kind.
type part struct {
	name, kind, split string
	pairs             [][]string
}

func (f *foreign) utterances(p part) error {
	if p.kind == "" {
		return nil
	}
	for i, pair := range p.pairs {
		want := record.Route{Do: record.Decline}
		if p.kind == Direct {
			want, _ = f.call(pair[1]) // every intent of these lists is known
		}
		if err := f.add(p.kind, p.split, pair[0], Expect{Route: want}); err != nil {
			return fmt.Errorf("%s: %s, entry %d: %w", f.suite.source, p.name, i+1, err)
		}
	}
	return nil
}

// inWords is a sentence of an intent's name.
func inWords(intent string) string {
	r := []rune(strings.ReplaceAll(intent, "_", " "))
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r) + "."
}
