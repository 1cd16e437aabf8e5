package report

import (
	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
	"skillbench/metrics"
	"skillbench/metrics/money"
)

// A till prices the calls of all cells. Cells must be given in the order of the
// manifest, so that each episode finds what the one before it left in a cache.
type till struct {
	encoding *tokens.Encoding
	openings money.Openings
	book     money.Book
	policies []money.Policy
}

func newTill(tokenizer string, b money.Book) (*till, error) {
	e, err := tokens.Load(tokenizer)
	return &till{encoding: e, openings: money.Openings{}, book: b, policies: b.All()}, err
}

// follow measures one cell and leaves its usage under each policy in bill.
func (t *till) follow(c record.Cell, r *journal.Reader, bill *[]money.Usage) metrics.Also {
	f := money.Follow(r, t.encoding, t.openings, money.Key(c))
	return metrics.Also{
		Step: func(s metrics.Step) error {
			for _, sent := range s.Beside() {
				if err := f.Add(sent.Call); err != nil {
					return err
				}
			}
			for _, a := range s.Attempts {
				if err := f.Add(a.Call); err != nil {
					return err
				}
			}
			return nil
		},
		End: func(e metrics.Episode) {
			for _, s := range e.Loose {
				if f.Add(s.Call) != nil {
					break // the walk has rebuilt the same splices, so they fit
				}
			}
			for _, p := range t.policies {
				*bill = append(*bill, p.Usage(f.Calls()))
			}
		},
	}
}
