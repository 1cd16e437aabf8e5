package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/prompt"
	"skillbench/harness/tokens"
)

// seams are texts whose ends and beginnings join into tokens with what stands
// beside them: spaces before line breaks, halves of words and numbers, marks,
// contractions, slashes after a line break.
var seams = []string{
	"", " ", "\n", "\r\n", "\t ", "  \n", " \n x", "x\n", "\n\ny", "/", "//\n", "'s", "'", "ing", "Word", "12", "345", "e\u0301", "\u0301",
	"é", "日本", "🙂", "## Latest Observation\n", "Customer ordered item_12.\n", `{"a":1}`, "\u00a0", "\u2028", ".\n/", "...",
}

func anyText(rt *rapid.T) string {
	if rapid.IntRange(0, 4).Draw(rt, "free") == 0 {
		return rapid.StringN(0, 12, -1).Draw(rt, "text")
	}
	return rapid.SampledFrom(seams).Draw(rt, "text")
}

func anySegment(rt *rapid.T) prompt.Segment {
	kind := rapid.SampledFrom([]prompt.Kind{prompt.History, prompt.State}).Draw(rt, "kind")
	return prompt.Of(kind, rapid.IntRange(prompt.Fixed, 1).Draw(rt, "step"), anyText(rt))
}

// grown makes the next state of a section; it changes no segment in place.
func grown(rt *rapid.T, section []prompt.Segment) []prompt.Segment {
	cut := rapid.IntRange(0, len(section)).Draw(rt, "cut")
	switch rapid.SampledFrom([]string{"append", "append", "slide", "shrink", "replace", "copy", "keep"}).Draw(rt, "how") {
	case "append":
		section = append(section, anySegment(rt), anySegment(rt))
	case "slide":
		section = append(section[cut:], anySegment(rt))
	case "shrink":
		section = section[:cut:cut]
	case "replace":
		section = []prompt.Segment{anySegment(rt)}
	case "copy":
		section = slices.Clone(section)
	}
	return section
}

// texts numbers texts as a journal does.
type texts []string

func (t *texts) number(text string) (int, error) {
	*t = append(*t, text)
	return len(*t), nil
}

func (t *texts) text(n int) (string, error) {
	if n < 1 || n > len(*t) {
		return "", fmt.Errorf("no text %d", n)
	}
	return (*t)[n-1], nil
}

func TestMeterEqualsMeasuringEveryPromptFromTheStart(t *testing.T) {
	t.Parallel()
	for _, name := range tokens.Names() {
		encoding, err := tokens.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) { checkMeter(rt, encoding) })
		})
	}
}

// checkMeter draws the prompts of one lane and measures each twice.
func checkMeter(rt *rapid.T, encoding *tokens.Encoding) {
	var stored texts
	m := meter{encoding: encoding, number: stored.number}
	hashes := map[string]string{} // by what the prompt is
	var p, rebuilt prompt.Prompt
	for range rapid.IntRange(1, 8).Draw(rt, "prompts") {
		p = slices.Clone(p)
		for i := range p {
			p[i] = grown(rt, p[i])
		}
		switch rapid.IntRange(0, 3).Draw(rt, "sections") {
		case 0:
			p = p[:max(0, len(p)-1)]
		case 1, 2:
			p = append(p, grown(rt, nil))
		}
		c, err := m.measure(p)
		if err != nil {
			rt.Fatal(err)
		}
		if want := encoding.Count(p.Text()); c.Tokens != want {
			rt.Fatalf("%v: %d tokens, want %d", p, c.Tokens, want)
		}
		if c.Chars != p.Chars() {
			rt.Fatalf("%v: %d characters, want %d", p, c.Chars, p.Chars())
		}
		if rebuilt, err = c.Splice.Apply(rebuilt, stored.text); err != nil || rebuilt.Text() != p.Text() {
			rt.Fatalf("%v: rebuilt as %v, %v", p, rebuilt, err)
		}
		content, err := json.Marshal(p)
		if err != nil {
			rt.Fatal(err)
		}
		content = bytes.ReplaceAll(content, []byte("null"), []byte("[]"))
		for other, hash := range hashes {
			if (other == string(content)) != (hash == c.Hash) {
				rt.Fatalf("hash %s of %s, hash %s of %s", c.Hash, content, hash, other)
			}
		}
		hashes[string(content)] = c.Hash
	}
}

func TestMeterCountsAcrossSeams(t *testing.T) {
	t.Parallel()
	for _, name := range tokens.Names() {
		encoding, err := tokens.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, sections := range [][][]string{
			{{"\n"}, {" ", "\n"}},           // spaces and the line break behind them in two segments
			{{"a\n"}, {" ", "", " ", "\n"}}, // … and in four
			{{"\n"}, {}, {" \n"}},
			{{"\n"}, {" "}, {"\n"}},
			{{"don"}, {"'t"}},
			{{"1"}, {"2"}, {"34"}},
			{{"...\n"}, {"/etc"}},
			{{"a", "b"}, {"", ""}, {"c"}},
		} {
			var p prompt.Prompt
			for _, section := range sections {
				var segments []prompt.Segment
				for _, text := range section {
					segments = append(segments, prompt.Label(prompt.History, text))
				}
				p = append(p, segments)
			}
			m := meter{encoding: encoding, number: new(texts).number}
			c, err := m.measure(p)
			if want := encoding.Count(p.Text()); err != nil || c.Tokens != want {
				t.Errorf("%s: %q: %d tokens, want %d, %v", name, sections, c.Tokens, want, err)
			}
		}
	}
}
