package transition

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"skillbench/harness/model"
	"skillbench/harness/record"
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

// The bound is loose, to hold on a busy machine: quadratic time on this
// length takes minutes.
func TestBombs(t *testing.T) {
	const bound = 5 * time.Second
	for name, unit := range bombs {
		body := bomb(unit, 1<<18)
		for _, text := range []string{body, good + body, body + good, "{" + body + "}", `{"a": [` + body + "\n```"} {
			for _, form := range []model.Form{model.Envelope, model.Update} {
				start := time.Now()
				Parse(form, model.Fenced, Lenient, record.Reply{Text: text, Finish: record.Stop})
				if took := time.Since(start); took > bound {
					t.Errorf("%s, %s: %v", name, form, took)
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
