package tokens

import (
	"strings"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"
	"pgregory.net/rapid"
)

func load(t testing.TB, name string) *Encoding {
	t.Helper()
	e, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A reference is an encoding as tiktoken-go itself makes it, pattern and all.
type reference struct{ library *tiktoken.Tiktoken }

func (r reference) count(text string) int { return len(r.library.EncodeOrdinary(text)) }

var references = sync.OnceValues(func() (map[string]reference, error) {
	tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader())
	made := map[string]reference{}
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		library, err := tiktoken.GetEncoding(name)
		if err != nil {
			return nil, err
		}
		made[name] = reference{library}
	}
	return made, nil
})

// each runs a test for every encoding beside its reference.
func each(t *testing.T, test func(t *testing.T, e *Encoding, want reference)) {
	t.Parallel()
	made, err := references()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, load(t, name), made[name])
		})
	}
}

// symbols stand for the classes that the patterns tell apart.
var symbols = []string{
	"\n", "\r", " ", "\t", "\u00a0", "\u0085", "a", "A", "s", "1", ".", "/", "'",
	"語", "\u0301", "🙂",
}

// morsels are what texts are drawn from: the symbols and longer strings that
// patterns or merges have been known to trip over.
var morsels = append([]string{
	"'s", "'S", "'re", "'VE", "'ll", "'ſ", "ſ", "don't", "I'LL",
	"\r\n", "\n\n", "\n \n", "  ", "    ", "\n/", "!/\n/", "://", "\t\t", "\u2028", "\u3000",
	"12", "1234567", "٣", "Ⅷ", "½", "3.14", "1,000",
	"func main() {\n\treturn x[i] != nil\n}", "{\"key\": [1, null, true]}", "</div>", "// x\n", "===", "--",
	"the", " the", "Hello", "camelCase", "HTTPServer", "naïve", "e\u0301", "straße", "ǅ", "ʰ",
	"日本語", "お誕生日", "한국어", "العربية", "हिन्दी", "Привет",
	"👩\u200d🚀", "👨\u200d👩\u200d👧", "🇩🇪", "👍🏽", "\ufe0f",
	"<|endoftext|>", "<|fim_prefix|>", "\x00", "\x7f", "\ufeff", "\ufffd",
}, symbols...)

// badBytes are not valid UTF-8 alone nor before any morsel.
var badBytes = []string{"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5", "\xe4\xb8", "\xf0\x9f", "\xc3"}

// drawText draws a text of up to n parts, with runs and bad bytes among them.
func drawText(t *rapid.T, label string, n int) string {
	part := rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 19).Draw(t, "kind") {
		case 0:
			return strings.Repeat(rapid.SampledFrom(symbols).Draw(t, "unit"), rapid.IntRange(2, 40).Draw(t, "times"))
		case 1:
			return rapid.SampledFrom(badBytes).Draw(t, "bad")
		case 2, 3:
			return string(rapid.Rune().Draw(t, "rune"))
		}
		return rapid.SampledFrom(morsels).Draw(t, "morsel")
	})
	// rapid leaves most slices short unless their length is drawn first.
	length := min(n, rapid.SampledFrom([]int{0, 1, 2, 3, 4, 6, 8, 12, 20, 40, 80}).Draw(t, "parts of "+label))
	return strings.Join(rapid.SliceOfN(part, length, length).Draw(t, label), "")
}
