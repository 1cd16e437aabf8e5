package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of [Parse].
const (
	MaxDepth = 64      // nested objects and arrays, the outermost counted
	MaxBytes = 1 << 20 // bytes of JSON text
)

// A SyntaxError says why a text is not one strict JSON object.
type SyntaxError struct {
	Reason  string // one line, control characters escaped
	Pointer string // JSON pointer of the value in question, bounded for reading
	Offset  int64  // byte at or after which the fault lies
}

func (e *SyntaxError) Error() string {
	if e.Pointer == "" {
		return fmt.Sprintf("%s (byte %d)", e.Reason, e.Offset)
	}
	return fmt.Sprintf("%s (byte %d, at %s)", e.Reason, e.Offset, e.Pointer)
}

// Parse reads exactly one JSON object: no duplicate names, valid UTF-8 and
// paired surrogates, no NaN, at most [MaxDepth] deep and [MaxBytes] long, nothing
// but white space around it. Errors are a [*SyntaxError].
func Parse(data []byte) (Object, error) {
	if len(data) > MaxBytes {
		return Object{}, &SyntaxError{Reason: fmt.Sprintf("%d bytes of JSON, want at most %d", len(data), MaxBytes), Offset: MaxBytes}
	}
	return parse(data)
}

func parse(data []byte) (Object, error) {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	if kind := d.PeekKind(); kind != '{' {
		return Object{}, notAnObject(d, data, kind)
	}
	v, _, err := next(d)
	if err != nil {
		return Object{}, syntaxError(d, data, err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return Object{}, &SyntaxError{Reason: "more text after the JSON object", Offset: d.InputOffset()}
	}
	return wrap(v.(map[string]any)), nil
}

func notAnObject(d *jsontext.Decoder, data []byte, kind jsontext.Kind) error {
	if _, err := d.ReadToken(); err == io.EOF {
		return &SyntaxError{Reason: "no JSON, want an object"}
	} else if err != nil {
		return syntaxError(d, data, err)
	}
	what := map[jsontext.Kind]string{'[': "an array", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null"}[kind]
	return &SyntaxError{Reason: "got " + what + ", want an object"}
}

var errTooDeep = errors.New("nested too deep")

// next reads one value; done is true, and nothing read, at the end of a container.
// It does not peek: a failed peek loses what the decoder knows of the fault.
func next(d *jsontext.Decoder) (v any, done bool, err error) {
	t, err := d.ReadToken()
	if err != nil {
		return nil, false, err
	}
	if d.StackDepth() > MaxDepth {
		return nil, false, errTooDeep
	}
	switch t.Kind() {
	case '{':
		v, err = readObject(d)
	case '[':
		v, err = readArray(d)
	case '"':
		v = t.String()
	case '0':
		v = json.Number(t.String())
	case 't', 'f':
		v = t.Bool()
	case '}', ']':
		done = true
	}
	return v, done, err
}

func readObject(d *jsontext.Decoder) (any, error) {
	node := map[string]any{}
	for {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		if name.Kind() == '}' {
			return node, nil
		}
		key := name.String()
		if node[key], _, err = next(d); err != nil {
			return nil, err
		}
	}
}

func readArray(d *jsontext.Decoder) (any, error) {
	items := []any{}
	for {
		item, done, err := next(d)
		if done || err != nil {
			return items, err
		}
		items = append(items, item)
	}
}

func syntaxError(d *jsontext.Decoder, data []byte, err error) error {
	e := &SyntaxError{Offset: d.InputOffset(), Pointer: string(d.StackPointer())}
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntactic):
		e.Offset, e.Pointer = syntactic.ByteOffset, string(syntactic.JSONPointer)
		e.Reason = reason(d, data, syntactic)
	case err == errTooDeep:
		e.Reason = fmt.Sprintf("nested deeper than %d", MaxDepth)
	default:
		e.Reason = endsEarly
	}
	e.Reason, e.Pointer = line(e.Reason, maxHint), line(e.Pointer, maxPath)
	return e
}

const endsEarly = "JSON text ends too early"

func reason(d *jsontext.Decoder, data []byte, e *jsontext.SyntacticError) string {
	message := e.Err.Error()
	switch {
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return "duplicate key " + quoted(e.JSONPointer.LastToken())
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return endsEarly
	case trailingComma(data[min(int(e.ByteOffset), len(data)):]):
		return "trailing comma"
	case wantsName(d) && strings.HasSuffix(message, "at start of value"):
		return strings.TrimSuffix(message, "at start of value") + "where a key in double quotes is wanted"
	}
	return message
}

func trailingComma(rest []byte) bool {
	after, comma := bytes.CutPrefix(rest, []byte(","))
	after = bytes.TrimLeft(after, " \t\r\n")
	return comma && len(after) > 0 && (after[0] == '}' || after[0] == ']')
}

// wantsName reports whether the decoder stands before a member name.
func wantsName(d *jsontext.Decoder) bool {
	kind, length := d.StackIndex(d.StackDepth())
	return kind == '{' && length%2 == 0
}
