package money

import (
	"errors"
	"io/fs"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// A Bill is what the episodes of one model come to.
type Bill struct {
	Episodes int
	Longest  int     // calls of the longest episode
	Usages   []Usage // under each policy given
}

// Bills adds up the journals of a run by model. Floors, which call none, are in
// no bill.
func Bills(dir string, m journal.Manifest, policies []Policy) (map[string]Bill, error) {
	e, err := tokens.Load(m.Tokenizer)
	if err != nil {
		return nil, err
	}
	bills, openings := map[string]Bill{}, Openings{}
	for _, c := range m.Cells {
		if c.ModelKind == record.NoModel {
			continue
		}
		calls, err := recorded(dir, c, e, openings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		b := bills[c.Model]
		if b.Usages == nil {
			b.Usages = make([]Usage, len(policies))
		}
		for i, p := range policies {
			b.Usages[i] = b.Usages[i].Plus(p.Usage(calls))
		}
		b.Episodes++
		b.Longest = max(b.Longest, len(calls))
		bills[c.Model] = b
	}
	return bills, nil
}

func recorded(dir string, c record.Cell, e *tokens.Encoding, openings Openings) ([]Call, error) {
	r, err := journal.Read(journal.CellDir(dir, c.ID))
	if err != nil {
		return nil, err
	}
	f := Follow(r, e, openings, Key(c))
	err = r.Each(func(event journal.Event) error {
		if event.Call == nil {
			return nil
		}
		return f.Add(*event.Call)
	})
	return f.Calls(), err
}
