package transition

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// bombs are texts that make a careless parser slow; each is repeated to length.
var bombs = map[string]string{
	"braces":        "{",
	"spaced braces": "{ ",
	"openings":      `{"`,
	"keys":          `{"a":`,
	"brackets":      `{"a":[`,
	"empty objects": "{}",
	"objects":       `{"state_patch":{},"action":""}`,
	"near objects":  `{"state_patch":{},"action":"",}`,
	"fences":        "```\n",
	"fenced opens":  "```\n{\"a\": x\n",
	"backticks":     "`",
	"lines":         "{\n",
	"opening tags":  "<think>",
	"closing tags":  "</think>",
	"both tags":     "<think></think>",
	"tag starts":    "<think",
	"quotes":        `"`,
	"escapes":       `{"\`,
	"unquoted":      "{a: ",
	"actions":       "Action: `Wait`\n",
	"updates":       "StateUpdate: {\"a\":\n",
	"stars":         "*",
	"letters":       "{aaaaaaaa",
	"no-break":      "{\u00a0",
	"comments":      "/* */",
	"line comments": "{#\n",
	"joined words":  ".`.+",
	"apostrophes":   "{'",
	"words":         "{a:b ",
	"commas":        "{,",
	"numbers":       "1 ",
	"strings":       `"" `,
}

func bomb(unit string, n int) string { return strings.Repeat(unit, n/len(unit)+1)[:n] }

// TestBombs: none of these makes Parse panic, and what it answers is in the
// order of precedence. Their speed is measured by BenchmarkParse.
func TestBombs(t *testing.T) {
	for name, unit := range bombs {
		body := bomb(unit, 1<<18)
		for _, text := range []string{body, good + body, body + good, "{" + body + "}", `{"a": [` + body + "\n```"} {
			for _, form := range []model.Form{model.Envelope, model.Update} {
				_, found := Parse(form, model.Fenced, Lenient, record.Reply{Text: text, Finish: record.Stop})
				ordered := slices.Clone(found)
				if Sort(ordered); !slices.EqualFunc(found, ordered, func(a, b state.Violation) bool { return a.Class == b.Class }) {
					t.Errorf("%s, %s: %v, want the order of precedence", name, form, found)
				}
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000, 10_000_000} {
		reply := strings.Repeat("The dock holds {item_9}, so it goes to the lowest empty shelf.\n", n/64) +
			fenced(good)
		b.Run(fmt.Sprintf("prose/%d", n), run(model.Envelope, reply))
		b.Run(fmt.Sprintf("action/%d", n), run(model.ActionLine, reply+"\nAction: Wait"))
	}
	for _, name := range []string{"braces", "objects", "fenced opens", "keys", "near objects"} {
		for _, n := range []int{10_000, 1_000_000, 10_000_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), run(model.Envelope, bomb(bombs[name], n)))
		}
	}
}

func run(form model.Form, text string) func(*testing.B) {
	return func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			Parse(form, model.Fenced, Strict, record.Reply{Text: text, Finish: record.Stop})
		}
	}
}
