package export

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A Format is how a table is written.
type Format string

const (
	CSV     Format = "csv"     // a head and a line each; an absent value is an empty field
	JSONL   Format = "jsonl"   // an object a line; an absent value is null
	Parquet Format = "parquet" // an absent value is null
)

// rowGroup bounds the rows that a Parquet file holds back in memory.
const rowGroup = 20_000

// A sink takes rows one by one.
type sink[T any] struct {
	write func(T) error
	close func() error
}

func newSink[T any](w io.Writer, f Format) (sink[T], error) {
	switch f {
	case CSV:
		return csvSink[T](w)
	case JSONL:
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		return sink[T]{func(row T) error { return out.Encode(row) }, func() error { return nil }}, nil
	case Parquet:
		out := parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowGroup),
			parquet.KeyValueMetadata("skillbench_schema", strconv.Itoa(Version)))
		return sink[T]{func(row T) error { _, err := out.Write([]T{row}); return err }, out.Close}, nil
	}
	return sink[T]{}, fmt.Errorf("want one of %q, got %q", []Format{CSV, JSONL, Parquet}, f)
}

// csvSink writes the fields under their JSON names.
func csvSink[T any](w io.Writer) (sink[T], error) {
	out := csv.NewWriter(w)
	line := Columns[T]()
	err := out.Write(line)
	return sink[T]{
		write: func(row T) error {
			v := reflect.ValueOf(row)
			for i := range line {
				line[i] = field(v.Field(i))
			}
			return out.Write(line)
		},
		close: func() error { out.Flush(); return out.Error() },
	}, err
}

// Columns are the names of the fields of Cell or Step, in order.
func Columns[T any]() []string {
	var names []string
	for f := range reflect.TypeFor[T]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func field(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Float64 {
		return strconv.FormatFloat(v.Float(), 'f', 6, 64)
	}
	return fmt.Sprint(v.Interface())
}
