package report

import (
	"math"

	"skillbench/harness/prompt"
	"skillbench/metrics"
)

// A series adds up the episodes of one strategy at one horizon, step by step,
// so that no episode need be kept.
type series struct {
	chars, total []moments // of the first attempt's prompt; tokens so far, all calls
	parts        map[prompt.Kind][]float64
}

// begin takes the next episode.
func (s *series) begin() func(metrics.Step) error {
	step, sofar := 0, 0.0
	return func(m metrics.Step) error {
		if len(m.Attempts) == 0 {
			return nil
		}
		if step == len(s.chars) {
			s.chars = append(s.chars, moments{})
			s.total = append(s.total, moments{})
		}
		for _, sent := range m.Beside() {
			sofar += float64(sent.Call.Tokens + sent.Call.Completion)
		}
		for _, a := range m.Attempts {
			sofar += float64(a.Call.Tokens + a.Call.Completion)
		}
		first := m.Attempts[0]
		s.chars[step].add(float64(first.Call.Chars))
		s.total[step].add(sofar)
		for kind, n := range first.Parts {
			for len(s.parts[kind]) <= step {
				s.parts[kind] = append(s.parts[kind], 0)
			}
			s.parts[kind][step] += float64(n)
		}
		step++
		return nil
	}
}

// part is the mean size of one kind at a step.
func (s *series) part(kind prompt.Kind, step int) float64 {
	if step >= len(s.parts[kind]) {
		return 0
	}
	return s.parts[kind][step] / s.chars[step].n
}

// moments are a running mean and sum of squares about it (Welford 1962).
type moments struct{ n, mean, squares float64 }

func (m *moments) add(v float64) {
	m.n++
	d := v - m.mean
	m.mean += d / m.n
	m.squares += d * (v - m.mean)
}

// sd is the sample standard deviation, 0 for fewer than two values.
func (m moments) sd() float64 {
	if m.n < 2 {
		return 0
	}
	return math.Sqrt(m.squares / (m.n - 1))
}
