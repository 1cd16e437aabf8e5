package rank

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile bounds a file of vectors, in bytes.
const maxFile = 1 << 30

// ReadFile reads a file of vectors: a regular one of at most 1 GiB, so that a
// pipe or a folder given by mistake is an error and no hang. Errors do not name
// the file.
func ReadFile(path string) ([]byte, error) {
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
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("larger than %d MiB", maxFile>>20)
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
