package state

import "strings"

var tokenEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// escapeToken writes a member name as a reference token of RFC 6901.
func escapeToken(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return tokenEscaper.Replace(name)
}

func pointerTo(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		b.WriteString(escapeToken(name))
	}
	return b.String()
}

var tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

func splitPointer(pointer string) []string {
	if pointer == "" {
		return nil
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range names {
		names[i] = tokenUnescaper.Replace(token)
	}
	return names
}
