package skills

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Hash is 32 hex digits of everything that a definition says, its body included
// and its version left out, so that equal hashes under two versions are a version
// bumped for nothing, and two hashes under one version a change without a bump.
func (s Skill) Hash() string {
	s.Version = ""
	return TextHash(compact(s) + "\n" + s.Body)
}

// TextHash is 32 hex digits of a text.
func TextHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Index is the text that a skill is found by: summary, triggers and promise, one
// to a line. No negative is in it, and no boundary, which names what other skills
// do.
func (s Skill) Index() string {
	parts := append([]string{s.Summary}, s.Triggers...)
	if s.Promise != "" {
		parts = append(parts, s.Promise)
	}
	return strings.Join(parts, "\n")
}
