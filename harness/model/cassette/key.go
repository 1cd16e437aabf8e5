package cassette

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
)

// A sum is a SHA-256.
type sum [sha256.Size]byte

func (s sum) String() string { return hex.EncodeToString(s[:]) }

// settingsOf says how the model is called, beside the prompt: the decoding
// parameters of the model file, its layout, and the wire, form and schema of
// the request.
func settingsOf(decoding []byte, req model.Request) (string, error) {
	s := struct {
		Decoding json.RawMessage `json:"decoding"`
		Form     model.Form      `json:"form"`
		Wire     model.Wire      `json:"wire"`
		Schema   string          `json:"schema,omitempty"`
	}{Decoding: decoding, Form: req.Form, Wire: req.Wire}
	if len(req.Schema) > 0 {
		s.Schema = sum(sha256.Sum256(req.Schema)).String()
	}
	data, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("settings of the model: want JSON: %w", err)
	}
	return string(data), nil
}

func promptSum(p prompt.Prompt) sum {
	h := sha256.New()
	for s := range p.Segments() {
		_, _ = io.WriteString(h, s.Text) // a hash takes all
	}
	return sum(h.Sum(nil))
}

// keyOf is what a request is found by: everything that shapes its reply, and
// its place in the run.
func keyOf(settings string, asked sum, req model.Request) sum {
	h := sha256.New()
	field(h, settings)
	field(h, string(asked[:]))
	field(h, req.Cell)
	field(h, string(req.Purpose))
	for _, n := range []int{req.Step, req.Attempt, req.Repeat} {
		_ = binary.Write(h, binary.BigEndian, int64(n))
	}
	return sum(h.Sum(nil))
}

// field writes its length first, so that no two lists of fields read alike.
func field(h hash.Hash, text string) {
	_ = binary.Write(h, binary.BigEndian, int64(len(text)))
	_, _ = io.WriteString(h, text)
}
