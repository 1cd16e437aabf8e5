package tokens

import "testing"

func load(t testing.TB, name string) *Encoding {
	t.Helper()
	e, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// runs are the units of texts that are one long run each.
var runs = map[string]string{
	"letter":       "a",
	"capital":      "A",
	"mixed case":   "aA",
	"space":        " ",
	"dash":         "-",
	"newline":      "\n",
	"crlf":         "\r\n",
	"tab newline":  "\t\n",
	"slash":        "/",
	"digit":        "1",
	"emoji":        "🙂",
	"zwj":          "👩\u200d🚀",
	"cjk":          "語",
	"mark":         "\u0301",
	"capital mark": "A\u0301",
	"quote":        "'",
	"contraction":  "a's",
	"bad byte":     "\xff",
	"words":        "a ",
	"noise":        "qzJxWvKpGbYtRfHmDcNlSgZkXw",
}
