package prompt

import (
	"encoding/json"
	"errors"
	"fmt"
)

// MarshalJSON writes [kind, text] for text of no step, [kind, text, step] for
// text of one step and [kind, text, from, to] otherwise.
func (r Ref) MarshalJSON() ([]byte, error) {
	kind, err := json.Marshal(r.Kind)
	switch {
	case err != nil:
		return nil, err
	case r.From == Fixed && r.To == Fixed:
		return fmt.Appendf(nil, "[%s,%d]", kind, r.Text), nil
	case r.From == r.To:
		return fmt.Appendf(nil, "[%s,%d,%d]", kind, r.Text, r.From), nil
	}
	return fmt.Appendf(nil, "[%s,%d,%d,%d]", kind, r.Text, r.From, r.To), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Ref) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) < 2 || len(parts) > 4 {
		return fmt.Errorf("segment reference: want 2 to 4 parts, got %d", len(parts))
	}
	numbers := [3]int{0, Fixed, Fixed}
	for i, part := range parts[1:] {
		if string(part) == "null" {
			return errors.New("segment reference: want a number, got null")
		}
		if err := json.Unmarshal(part, &numbers[i]); err != nil {
			return err
		}
	}
	if len(parts) == 3 {
		numbers[2] = numbers[1]
	}
	r.Text, r.From, r.To = numbers[0], numbers[1], numbers[2]
	return json.Unmarshal(parts[0], &r.Kind)
}
