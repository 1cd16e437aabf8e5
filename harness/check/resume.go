package check

import (
	"bytes"
	"errors"
	"io/fs"

	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// A CallID names a call within its episode.
type CallID struct {
	Purpose       record.Purpose
	Step, Attempt int
}

// A Resumption is an episode that was cut off and taken up again.
type Resumption struct {
	How      string   // where it was cut off
	Recorded []CallID // whole in the journal when it was taken up
	Made     []CallID // made afterwards
	Events   []byte   // its events.jsonl at the end
	Segments []byte   // its segments.jsonl at the end
	Err      error    // why it could not be taken up; nil where it could
}

// RoundTrip judges resume_round_trip: every resumption ends with the events and
// texts of the undisturbed episode, byte for byte, from which every row of a
// result derives, and makes no call again that is recorded.
func RoundTrip(events, segments []byte, resumed []Resumption) Result {
	v := begin(ResumeRoundTrip)
	for _, r := range resumed {
		if r.Err != nil {
			v.fail("%s: it cannot be taken up: %s", r.How, r.Err)
			continue
		}
		same(v, r.How, "events", r.Events, events)
		same(v, r.How, "segments", r.Segments, segments)
		recorded := map[CallID]bool{}
		for _, id := range r.Recorded {
			recorded[id] = true
		}
		for _, id := range r.Made {
			if recorded[id] {
				v.fail("%s: the recorded %s call of step %d attempt %d was made again", r.How, id.Purpose, id.Step, id.Attempt)
			}
		}
		v.measured["calls_recorded"] += float64(len(r.Recorded))
		v.measured["calls_made_after"] += float64(len(r.Made))
	}
	if len(resumed) == 0 {
		v.fail("nothing was judged: no episode was cut off")
	}
	v.measured["resumptions"] = float64(len(resumed))
	return v.result()
}

func same(v *verdict, how, what string, got, want []byte) {
	if bytes.Equal(got, want) {
		return
	}
	at := difference(string(got), string(want))
	v.fail("%s: %s differ from byte %d on (line %d): %s, undisturbed %s", how, what, at, 1+bytes.Count(want[:at], []byte("\n")),
		around(string(got), at), around(string(want), at))
}

// Recorded lists the calls that stand whole in the journal of a cell; none where
// there is no journal.
func Recorded(cellDir string) ([]CallID, error) {
	r, err := journal.Read(cellDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var ids []CallID
	err = r.Each(func(e journal.Event) error {
		if e.Call != nil {
			ids = append(ids, CallID{e.Call.Purpose, e.Call.Step, e.Call.Attempt})
		}
		return nil
	})
	return ids, err
}
