package engine

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"skillbench/tasks/skills"
)

// maxText bounds a text of a result that prompts show, in bytes.
const maxText = 300

// show says what prompts may see of a body: in the next one the fields of keep and
// now, after that those of keep. What a field that is left out holds is blotted
// out of the texts of those that stay. Without hygiene it is all of the body, and
// stays. Keep holds the texts of keep on the first level either way.
func (m Mechanisms) show(out skills.Output, body string) (keep map[string]string, shown, later string) {
	var whole any
	var a answer
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		whole = body
	} else if err := json.Unmarshal([]byte(body), &a); err != nil {
		a = answer{}
	}
	kept := pick(a.Data, out.Keep)
	if !m.Hygiene {
		shown = m.bounded(whole)
		return texts(kept), shown, shown
	}
	if a.Code != "" {
		kept["error"] = a.Code
	}
	now := pick(a.Data, append(out.Keep[:len(out.Keep):len(out.Keep)], out.Now...))
	if a.Code != "" {
		now["error"] = a.Code
	}
	later = m.bounded(blot(kept, hidden(a.Data, kept)))
	shown = m.bounded(blot(now, hidden(a.Data, now)))
	return texts(kept), shown, later
}

// bounded is JSON of a value whose long texts are cut.
func (m Mechanisms) bounded(v any) string {
	if m.ResultBound {
		v = rewrite(v, func(s string) string {
			if len(s) <= maxText {
				return s
			}
			return strings.ToValidUTF8(s[:maxText], "") + "…"
		})
	}
	return compact(v)
}

// pick copies the fields of the paths that are there.
func pick(data map[string]any, paths []string) map[string]any {
	picked := map[string]any{}
	for _, path := range paths {
		if v, ok := field(data, path); ok {
			put(picked, path, v)
		}
	}
	return picked
}

// field finds a value; dots lead into objects.
func field(data map[string]any, path string) (any, bool) {
	name, rest, more := strings.Cut(path, ".")
	v, ok := data[name]
	if !more || !ok {
		return v, ok
	}
	inner, _ := v.(map[string]any)
	return field(inner, rest)
}

// put sets a value; dots lead into objects, which are made where there are none.
func put(data map[string]any, path string, v any) {
	name, rest, more := strings.Cut(path, ".")
	if !more {
		data[name] = v
		return
	}
	inner, ok := data[name].(map[string]any)
	if !ok {
		inner = map[string]any{}
		data[name] = inner
	}
	put(inner, rest, v)
}

// hidden lists the texts of data that no field of shown has, the longest first.
func hidden(data, shown map[string]any) []string {
	visible := map[string]bool{}
	leaves(shown, func(s string) { visible[s] = true })
	var all []string
	leaves(data, func(s string) {
		if !visible[s] && len(s) >= shortest {
			all = append(all, s)
		}
	})
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return all
}

// shortest is the length below which a text is no secret but a word, in bytes.
const shortest = 6

// blot covers hidden texts inside those that are shown.
func blot(shown map[string]any, hidden []string) any {
	return rewrite(shown, func(s string) string {
		for _, secret := range hidden {
			s = strings.ReplaceAll(s, secret, "…")
		}
		return s
	})
}

func leaves(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case map[string]any:
		for _, inner := range v {
			leaves(inner, f)
		}
	case []any:
		for _, inner := range v {
			leaves(inner, f)
		}
	}
}

// rewrite copies a value with its texts changed.
func rewrite(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			out[name] = rewrite(inner, f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = rewrite(inner, f)
		}
		return out
	}
	return v
}

// texts are the fields on the first level that are text.
func texts(data map[string]any) map[string]string {
	out := map[string]string{}
	for name, v := range data {
		if s, ok := v.(string); ok {
			out[name] = s
		}
	}
	return out
}
