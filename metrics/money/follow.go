package money

import (
	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// Openings are the first prompts of the last episode of each strategy, by its
// key and lane: what the next episode begins with may be in the cache already.
type Openings map[string]string

// A Follower measures the calls of one episode. Its work grows with what each
// prompt adds to the one before it, not with the prompts.
type Follower struct {
	reader   *journal.Reader
	encoding *tokens.Encoding
	openings Openings
	key      string
	lanes    map[string]*lane
	last     *lane // of the call before, those for scores left out
	calls    []Call
}

// Follow begins an episode. Key says which episodes share their beginning;
// openings may be nil.
func Follow(r *journal.Reader, e *tokens.Encoding, openings Openings, key string) *Follower {
	return &Follower{reader: r, encoding: e, openings: openings, key: key, lanes: map[string]*lane{}}
}

// Calls are those added so far.
func (f *Follower) Calls() []Call { return f.calls }

// Add takes the next call of the journal.
func (f *Follower) Add(c journal.Call) error {
	p, err := f.reader.Prompt(c)
	if err != nil {
		return err
	}
	l, found := f.lanes[c.Lane()]
	if !found {
		l = &lane{encoding: f.encoding}
		f.lanes[c.Lane()] = l
	}
	call := Call{Prompt: c.Tokens, Completion: c.Completion}
	now := len(f.calls)
	// What is judged is sent without the frame of a chat: it begins like no other call.
	chat := c.Purpose != record.ForScores
	if chat && f.last != nil && f.last != l {
		call.Common = append(call.Common, Common{now - f.last.call, f.between(f.last.prompt, p)})
	}
	if found {
		call.Common = append(call.Common, Common{now - l.call, l.common(p, c.Splice)})
	} else {
		call.Common = append(call.Common, f.opening(c.Lane(), p)...)
	}
	l.take(p, c.Splice)
	if l.call = now; chat {
		f.last = l
	}
	f.calls = append(f.calls, call)
	return nil
}

// between counts what prompts of two lanes begin with alike.
func (f *Follower) between(a, b prompt.Prompt) int {
	return commonTail(f.encoding, rest(a, 0, 0), rest(b, 0, 0))
}

// opening compares the first prompt of a lane with that of the episode before.
func (f *Follower) opening(lane string, p prompt.Prompt) []Common {
	if f.openings == nil {
		return nil
	}
	key := f.key + "\x00" + lane
	before, ok := f.openings[key]
	f.openings[key] = p.Text()
	if !ok {
		return nil
	}
	return []Common{{0, commonTail(f.encoding, []string{before}, rest(p, 0, 0))}}
}

// rest are the texts from a segment on.
func rest(p prompt.Prompt, section, segment int) []string {
	var texts []string
	for i := section; i < len(p); i++ {
		for _, s := range p[i][segment:] {
			texts = append(texts, s.Text)
		}
		segment = 0
	}
	return texts
}

// ahead is how far behind the first difference texts are looked at, in bytes:
// more than the longest piece of text that tokens are compared in.
const ahead = 300

// commonTail counts the tokens that two texts, given in parts, begin with
// alike.
func commonTail(e *tokens.Encoding, a, b []string) int {
	n := sameBytes(a, b)
	if n == 0 {
		return 0
	}
	return e.Common(upTo(a, n+ahead), upTo(b, n+ahead))
}

func sameBytes(a, b []string) int {
	n := 0
	var x, y string
	for {
		for x == "" && len(a) > 0 {
			x, a = a[0], a[1:]
		}
		for y == "" && len(b) > 0 {
			y, b = b[0], b[1:]
		}
		size := min(len(x), len(y))
		if size == 0 {
			return n
		}
		if x[:size] != y[:size] {
			for i := range size {
				if x[i] != y[i] {
					return n + i
				}
			}
		}
		n += size
		x, y = x[size:], y[size:]
	}
}

func upTo(parts []string, n int) string {
	var text []byte
	for _, p := range parts {
		if len(text)+len(p) >= n {
			return string(append(text, p[:n-len(text)]...))
		}
		text = append(text, p...)
	}
	return string(text)
}

// Key says which cells share the beginning of their prompts: those of one
// strategy on one task with one model.
func Key(c record.Cell) string { return c.Task + "\x00" + c.Agent + "\x00" + c.Model }
