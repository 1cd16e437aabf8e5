package simserver

import (
	"strings"
	"sync"

	"skillbench/harness/tokens"
)

// maxHeld bounds the lines whose counts are kept, in bytes.
const maxHeld = 16 << 20

// A counter counts prompts, which come again and again with a little more at
// the end, by their lines. Lines are told apart only where the encoding allows
// it, so that the counts are exact.
type counter struct {
	encoding *tokens.Encoding
	mu       sync.RWMutex
	lines    map[string]int
	held     int // bytes of lines
}

func (c *counter) count(text string) int {
	total := 0
	for text != "" {
		end := safeEnd(text)
		total += c.line(text[:end])
		text = text[end:]
	}
	return total
}

// safeEnd is the end of the first line that text can be split after.
func safeEnd(text string) int {
	for from := 0; ; {
		n := strings.IndexByte(text[from:], '\n')
		if n < 0 || from+n+1 == len(text) {
			return len(text)
		}
		from += n + 1
		if strings.IndexByte(" \t\r\n", text[from]) >= 0 {
			continue // seldom safe, and slow to find out
		}
		if tokens.SafeSplit(text[:from], text[from:]) {
			return from
		}
	}
}

func (c *counter) line(text string) int {
	c.mu.RLock()
	n, known := c.lines[text]
	c.mu.RUnlock()
	if known {
		return n
	}
	n = c.encoding.Count(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held += len(text); c.lines == nil || c.held > maxHeld {
		c.lines, c.held = map[string]int{}, len(text)
	}
	c.lines[strings.Clone(text)] = n
	return n
}
