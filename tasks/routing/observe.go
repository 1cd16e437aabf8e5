package routing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Headings of an observation's lines. The number of the conversation goes with
// what belongs to it, so that lines of another one can be told apart.
const (
	newHeading      = "New conversation"
	deskHeading     = "Desk"
	customerHeading = "Customer"
	leftHeading     = "Left for this message"
	leftFormat      = "%d decisions, %d looks."
	triedHeading    = "Called for this message"
)

// describe is the observation of the present step.
func (w *world) describe() record.Observation {
	this, e := w.now(), w.message().Expect
	o := record.Observation{
		Step: w.step, Kind: this.Kind, Item: this.ID, Oracle: written(e.Want(), state.From(e.Params)),
		Age: w.age(), Load: len(w.known),
	}
	if !w.last() {
		o.Free, o.Announced = true, w.turn+1
	}
	message := w.opening() + w.line(customerHeading, w.message().Say)
	noise := noise(w.spec.Seed, w.step, w.spec.Noise)
	o.Text = ended(w.result) + message + w.shortlist() + noise
	if later := ended(w.later) + message + noise; w.later != "" || len(w.ranked) > 0 {
		if w.later == "" {
			later = ended(w.result) + later
		}
		o.Later = later
	}
	return o
}

func ended(line string) string {
	if line == "" {
		return ""
	}
	return line + "\n"
}

// line is one line of the present conversation; whatever a text holds, it stays
// on it.
func (w *world) line(heading, text string) string {
	return fmt.Sprintf("%s %d: %s\n", heading, w.dialogue+1, plain(text))
}

// opening is what stands before the message: at a dialogue's first step what the
// desk knows, at a message that is still open what is left for it.
func (w *world) opening() string {
	switch {
	case w.turn == 0 && w.fresh:
		return fmt.Sprintf("%s: %d.\n", newHeading, w.dialogue+1) + w.line(deskHeading, state.From(w.desk()).Compact())
	case !w.fresh:
		text := fmt.Sprintf(leftHeading+": "+leftFormat+"\n", w.options.Attempts-w.tries, maxLooks-w.looks)
		if len(w.tried) > 0 {
			text += triedHeading + ": " + strings.Join(w.tried, ", ") + "\n"
		}
		return text
	}
	return ""
}

// shortlist shows the candidates of a recall.
func (w *world) shortlist() string {
	var text strings.Builder
	for _, name := range w.ranked {
		if one, ok := w.library.Find(name); ok {
			text.WriteString(candidateHeading + w.describer(nil).Definition(one) + "\n")
		}
	}
	return text.String()
}

// age is the number of steps since the oldest value that the right call needs
// was last shown, nil where it needs none.
func (w *world) age() *int {
	var oldest *int
	for name, v := range w.message().Expect.Params {
		step, ok := w.heard[valueKey(name, v)]
		if strings.Contains(w.message().Say, fmt.Sprint(v)) {
			step, ok = w.step, true
		}
		if n := w.step - step; ok && (oldest == nil || n > *oldest) {
			oldest = &n
		}
	}
	return oldest
}

// hear notes which values the present message shows.
func (w *world) hear() {
	for name, v := range w.known {
		if strings.Contains(w.message().Say, fmt.Sprint(v)) {
			w.heard[valueKey(name, v)] = w.step
		}
	}
}

func valueKey(name string, v any) string { return fmt.Sprintf("%s=%v", name, v) }

// plain puts a text on one line: what is no printable character becomes a space.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return ' '
	}, text)
}
