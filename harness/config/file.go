package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile bounds the files that a user names.
const maxFile = 16 << 20

// ReadFile reads a file that a user names: a regular one of at most 16 MiB, so
// that a device, a pipe or a folder given by mistake is an error and no hang.
func ReadFile(path string) ([]byte, error) { return ReadAtMost(path, maxFile) }

// ReadAtMost is ReadFile with another bound, in bytes.
func ReadAtMost(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, bare(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, bare(err)
	}
	defer file.Close() // only read from
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("larger than %d MiB", most>>20)
	}
	return data, err
}

// bare drops operation and path of a file error: callers name the file.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
