package rank

import "skillbench/harness/config"

// maxFile bounds a file of vectors, in bytes.
const maxFile = 1 << 30

// ReadFile reads a file of vectors, a regular one of at most 1 GiB. Errors do not
// name the file.
func ReadFile(path string) ([]byte, error) { return config.ReadAtMost(path, maxFile) }
