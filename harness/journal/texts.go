package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// texts is segments.jsonl: line n is text n as a JSON string. A text is
// written once and before the first event that refers to it.
type texts struct {
	file    *os.File
	out     *bufio.Writer
	numbers map[string]int
	list    []string
	whole   int64 // length of the complete lines found
}

// openTexts reads what is there. Cut must follow before texts are added.
func openTexts(path string) (*texts, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	t := &texts{file: file, out: bufio.NewWriter(file), numbers: map[string]int{}}
	t.whole, err = eachLine(file, path, func(line []byte) error {
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			return errors.New("damaged: want a JSON string")
		}
		t.list = append(t.list, text)
		t.numbers[text] = len(t.list)
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return t, nil
}

// cut drops a torn last line.
func (t *texts) cut() error { return cutAt(t.file, t.whole) }

// number stores a text and returns its number.
func (t *texts) number(text string) (int, error) {
	if n, ok := t.numbers[text]; ok {
		return n, nil
	}
	line, err := encode(text)
	if err != nil {
		return 0, err
	}
	if _, err := t.out.Write(line); err != nil {
		return 0, err
	}
	t.list = append(t.list, text)
	t.numbers[text] = len(t.list)
	return len(t.list), nil
}

// text returns text n.
func (t *texts) text(n int) (string, error) {
	if n < 1 || n > len(t.list) {
		return "", fmt.Errorf("text %d is missing: segments.jsonl has %d", n, len(t.list))
	}
	return t.list[n-1], nil
}

func (t *texts) close() error { return errors.Join(t.out.Flush(), t.file.Close()) }

// maxLine bounds a line of a journal. Texts are bounded by record.MaxReply and
// by what a task observes; a line beyond this is damage.
const maxLine = 64 << 20

// eachLine calls f with every complete line of file and returns the offset
// behind the last of them. Errors name file and line.
func eachLine(file io.Reader, path string, f func([]byte) error) (int64, error) {
	in := bufio.NewReaderSize(file, 64<<10)
	var offset int64
	var long []byte
	for number := 1; ; {
		part, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, part...); len(long) > maxLine {
				return offset, fmt.Errorf("%s:%d: damaged: a line of more than %d bytes", path, number, maxLine)
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			return offset, nil // what is left in part and long is a torn line
		}
		if err != nil {
			return offset, err
		}
		line := part
		if len(long) > 0 {
			line = append(long, part...)
		}
		if err := f(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return offset, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		offset += int64(len(line))
		number++
		long = long[:0]
	}
}

// cutAt drops what stands behind offset and moves to the end.
func cutAt(file *os.File, offset int64) error {
	if err := file.Truncate(offset); err != nil {
		return err
	}
	_, err := file.Seek(offset, io.SeekStart)
	return err
}
