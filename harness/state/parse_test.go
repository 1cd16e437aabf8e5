package state_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"skillbench/harness/state"
)

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                         `no JSON, want an object (byte 0)`,
		" \n":                      `no JSON, want an object (byte 0)`,
		`[1]`:                      `got an array, want an object (byte 0)`,
		`null`:                     `got null, want an object (byte 0)`,
		`"x"`:                      `got a string, want an object (byte 0)`,
		`12`:                       `got a number, want an object (byte 0)`,
		`{} {}`:                    `more text after the JSON object (byte 4)`,
		`{}x`:                      `more text after the JSON object (byte 2)`,
		`{"a":1,"a":2}`:            `duplicate key "a" (byte 7, at /a)`,
		`{"a":{"b":1,"\u0062":2}}`: `duplicate key "b" (byte 12, at /a/b)`,
		`{"a":`:                    `JSON text ends too early (byte 5, at /a)`,
		`{"a":"x`:                  `JSON text ends too early (byte 7, at /a)`,
		`{"a":[1,2`:                `JSON text ends too early (byte 9, at /a)`,
		`{"a":[1, ]}`:              `trailing comma (byte 7, at /a`,
		`{"a":NaN}`:                `invalid character 'N' at start of value (byte 5, at /a)`,
		`{"a":Infinity}`:           `invalid character 'I' at start of value (byte 5, at /a)`,
		`{"a":1,}`:                 `trailing comma (byte 6)`,
		`{a:1}`:                    `invalid character 'a' where a key in double quotes is wanted (byte 1)`,
		`{'a':1}`:                  `invalid character '\'' where a key in double quotes is wanted (byte 1)`,
		`{"a":01}`:                 `invalid character '1' after object value (expecting ',' or '}') (byte 6)`,
		`{"a":1//x` + "\n}":        `invalid character '/' after object value (expecting ',' or '}') (byte 6)`,
		`{"a":"\ud800"}`:           `invalid surrogate pair`,
		`{"a":"\udc00\ud800"}`:     `invalid surrogate pair`,
		"{\"a\":\"\xff\"}":         `invalid UTF-8`,
		"{\"\xed\xa0\x80\":1}":     `invalid UTF-8`,
		"{\"a\":\"\n\"}":           `invalid character '\n' in string`,
		"\ufeff{}":                 `invalid character`,
		`{"a\nb":{"c":tru}}`:       `at /a\u000ab/c`,
		depthBomb(65):              `nested deeper than 64`,
		depthBomb(170_000):         `nested deeper than 64`,
		strings.Repeat("[", 1<<20): `got an array`,
		`{"a":` + strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19) + `}`: `1048582 bytes of JSON, want at most 1048576`,
	} {
		_, err := state.Parse([]byte(text))
		var syntax *state.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.60q): got %v, want %s", text, err, want)
			continue
		}
		checkLine(t, err.Error(), 700)
	}
}

// depthBomb nests depth objects.
func depthBomb(depth int) string {
	return strings.Repeat(`{"":`, depth-1) + `{}` + strings.Repeat(`}`, depth-1)
}

func checkLine(t testing.TB, text string, limit int) {
	t.Helper()
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if utf8.RuneCountInString(text) > limit || strings.ContainsFunc(text, hidden) {
		t.Errorf("not one printable line of at most %d characters: %.900q", limit, text)
	}
}

func TestParseAccepts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" \r\n\t{ } \n":             `{}`,
		`{"a":"\ud83d\ude00\/"}`:    `{"a":"😀/"}`,
		`{"a":-0,"b":1.0,"c":1E+2}`: `{"a":-0,"b":1.0,"c":1E+2}`,
		`{"a":1e1000000}`:           `{"a":1e1000000}`,
		`{"":{"":null}}`:            `{"":{"":null}}`,
		depthBomb(state.MaxDepth):   depthBomb(state.MaxDepth),
		`{"a":"` + full() + `"}`:    `{"a":"` + full() + `"}`,
	} {
		if got := mustParse(t, text).Compact(); got != want {
			t.Errorf("Parse(%.60q) = %.60s, want %.60s", text, got, want)
		}
	}
}

// full fills {"a":""} up to MaxBytes.
func full() string { return strings.Repeat("x", state.MaxBytes-len(`{"a":""}`)) }

// A long duplicate key must not come back whole in the error.
func TestParseErrorIsBounded(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("k\u202e", 100_000)
	_, err := state.Parse([]byte(`{"` + key + `":{"` + key + `":1,"` + key + `":2}}`))
	if err == nil {
		t.Fatal("want an error")
	}
	checkLine(t, err.Error(), 700)
}

func TestUnmarshalHasNoSizeLimit(t *testing.T) {
	t.Parallel()
	half := strings.Repeat("x", state.MaxBytes*2/3)
	sum := state.Deep.Apply(mustParse(t, `{"a":"`+half+`"}`), mustParse(t, `{"b":"`+half+`"}`))
	var back state.Object
	if err := back.UnmarshalJSON([]byte(sum.Compact())); err != nil || !back.Equal(sum) {
		t.Errorf("a merged state does not come back: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1,"a":2}`, `{"a":[{"b":null}],"c":"\ud83d\ude00"}`, `{"a":1e400}`, depthBomb(70), "{\"\xff\":1}", `{"a":`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := state.Parse(data)
		if err != nil {
			checkLine(t, err.Error(), 700)
			return
		}
		back, err := state.Parse([]byte(o.Compact()))
		if err != nil || !back.Equal(o) {
			t.Fatalf("%q came back as %q, %v", o.Compact(), back.Compact(), err)
		}
		if patch := state.Diff(o, o); !patch.IsEmpty() {
			t.Fatalf("Diff with itself: %s", patch.Compact())
		}
	})
}
