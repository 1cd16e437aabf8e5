package transition

import "strings"

// refusals are the openings of a text that refuses the task. They count only
// where the text holds nothing that could be an answer, so they need not be
// complete, but must not fit a reply that merely thinks aloud, such as
// "I can't find item_5".
var refusals = []string{
	"i can't assist", "i cannot assist", "i can't help", "i cannot help",
	"i can't comply", "i cannot comply", "i can't provide", "i cannot provide",
	"i won't", "i will not", "i must decline",
	"i'm unable to", "i am unable to", "i'm not able to", "i am not able to",
	"i'm sorry, but i", "i am sorry, but i", "i'm sorry, i can", "i am sorry, i can",
	"sorry, but i", "sorry, i can", "i apologize, but i",
	"as an ai", "as a language model",
}

func refuses(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n*_>\"")
	text = strings.ToLower(strings.ReplaceAll(text[:min(len(text), 60)], "’", "'"))
	for _, opening := range refusals {
		if strings.HasPrefix(text, opening) {
			return true
		}
	}
	return false
}
