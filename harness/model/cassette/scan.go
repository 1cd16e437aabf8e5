package cassette

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 20

// A place is where a line is in the file, without its newline.
type place struct {
	offset int64
	size   int32
}

// scan reads a cassette line by line and hands on every exchange. It returns
// the end of the last whole line and the number of texts. Errors name file and
// line.
func scan(file *os.File, visit func(number int, at place, l *line)) (end int64, texts int, err error) {
	r := bufio.NewReaderSize(io.NewSectionReader(file, 0, 1<<62), 256<<10)
	for number := 1; ; number++ {
		data, err := readLine(r)
		if errors.Is(err, io.EOF) {
			return end, texts, nil
		}
		var l *line
		if err == nil {
			l, err = parseLine(data)
		}
		if err == nil {
			err = l.check(texts)
		}
		if err != nil {
			return end, texts, fmt.Errorf("%s:%d: %w", file.Name(), number, err)
		}
		visit(number, place{end, int32(len(data))}, l)
		texts += len(l.Texts)
		end += int64(len(data)) + 1
	}
}

// readLine returns a line without its newline, or io.EOF where there is no
// whole one.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, fmt.Errorf("want lines of at most %d bytes", MaxLine)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
