package journal

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// OpenAgain opens the journal that r reads to play its episode again. Recorded
// calls are handed out and recorded events are compared with those that playing
// gives; what would be written behind them goes nowhere.
func OpenAgain(r *Reader) (*Log, error) {
	file, err := os.Open(r.path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read from
	numbers := make(map[string]int, len(r.texts))
	for i, text := range r.texts {
		numbers[text] = i + 1
	}
	l := &Log{path: r.path, out: bufio.NewWriter(io.Discard), line: 1,
		texts: &texts{out: bufio.NewWriter(io.Discard), numbers: numbers, list: r.texts[:len(r.texts):len(r.texts)]}}
	_, err = eachLine(io.LimitReader(file, r.size), r.path, l.found)
	return l, err
}

// Left is an error where events are recorded that playing the episode again has
// not come to.
func (l *Log) Left() error {
	if len(l.recorded) == 0 || l.unfinished() {
		return nil
	}
	return fmt.Errorf("%s:%d: playing the episode again ends here, the journal goes on for %d events", l.path, l.line, len(l.recorded))
}
