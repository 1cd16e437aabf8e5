package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// DecodeOptions reads the options of a spec into o, which holds their defaults,
// and checks them: keys left out keep their value, unknown ones are an error, and
// no text at all means the defaults.
func DecodeOptions(data []byte, o Options) error {
	if len(data) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(o); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("options: want one JSON object, got more text after it")
	}
	return o.Validate()
}
