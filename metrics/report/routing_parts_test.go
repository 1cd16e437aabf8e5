package report

import (
	"fmt"
	"strings"
	"testing"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

func groupOf(task, agent, kind string, resolved, of int) routing.Group {
	return routing.Group{Key: routing.Key{Task: task, Agent: agent, Kind: kind}, Rates: map[string]stats.Proportion{routing.FirstContact: stats.Wilson(resolved, of, 0)}}
}

// An agent that resolves what one that never calls resolves is named, and only in
// the same arm.
func TestAgentsThatResolveLikeOneThatNeverCalls(t *testing.T) {
	t.Parallel()
	s := &scene{result: &routing.Result{}, never: []string{"silent"}, groups: []routing.Group{
		groupOf("a", "react", record.Simulated, 3, 30), groupOf("a", "hybrid", record.Simulated, 4, 30), groupOf("a", "silent", record.NoModel, 3, 30),
		groupOf("b", "react", record.Simulated, 3, 30), groupOf("b", "silent", record.NoModel, 5, 30)}}
	notes := strings.Join(s.five().AllNotes(), "\n")
	if !strings.Contains(notes, "(3/30), that of an agent that never calls (a react)") || strings.Contains(notes, "hybrid") {
		t.Errorf("got %s", notes)
	}
}

// Players whose tasks differ in what they go by stand under the arms they have.
func TestPlayersThatComeOutEqualKeepTheirArms(t *testing.T) {
	t.Parallel()
	s := &scene{result: &routing.Result{}, groups: []routing.Group{groupOf("no rules", "embed", record.NoModel, 3, 30), groupOf("rules", "embed", record.NoModel, 3, 30)}}
	rows := s.five().Shown()
	if len(rows) != 1 || rows[0][0].Text != "no rules, rules" {
		t.Errorf("got %v", rows)
	}
}

func curve(task string, points ...int) routing.Curve {
	c := routing.Curve{Key: routing.Key{Task: task, Agent: "react", Kind: record.Simulated}, Bias: &routing.Bias{}}
	for i, n := range points {
		c.Points = append(c.Points, routing.Point{From: i + 1, To: i + 1, Proportion: stats.Wilson(n/2, n, 0)})
	}
	c.Fifths = c.Points
	return c
}

// A line needs two points, and more than three bands hide one another.
func TestCurvesThatCanBeToldApart(t *testing.T) {
	t.Parallel()
	for lines, want := range map[int]string{3: "bands: 95 % intervals", 4: "which would hide one another"} {
		s := &scene{Key: routing.Key{Kind: record.Simulated}, result: &routing.Result{}, groups: []routing.Group{groupOf("a", "react", record.Simulated, 1, 2)}}
		s.result.Positions = []routing.Curve{curve("alone", 20)}
		if got := s.curves(); len(got) != 0 {
			t.Errorf("a picture of one point: %v", got)
		}
		for i := range lines {
			s.result.Positions = append(s.result.Positions, curve(fmt.Sprint("arm ", i), 20, 20, 20))
		}
		pictures := s.curves()
		if len(pictures) != 2 {
			t.Fatalf("%d pictures, want fifths and places", len(pictures))
		}
		f := pictures[0].(*Figure)
		if !strings.Contains(f.Caption, want) || strings.Contains(string(f.SVG), "alone") || !strings.Contains(string(f.SVG), "arm 0") {
			t.Errorf("%d lines: %s", lines, f.Caption)
		}
	}
}

// The depth that was asked for is named; a favourite behind it makes no deeper one.
func TestRecallShowsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	hit := func(k, hits int) routing.Recall { return routing.Recall{K: k, Proportion: stats.Wilson(hits, 20, 0)} }
	deep, shallow := groupOf("recall", "react", record.Simulated, 1, 2), groupOf("recall", "hybrid", record.Simulated, 1, 2)
	deep.Recall, shallow.Recall = []routing.Recall{hit(1, 8), hit(2, 9), hit(3, 10), hit(5, 12), hit(10, 13)}, []routing.Recall{hit(1, 8)}
	few := groupOf("recall 2", "react", record.Simulated, 1, 2)
	few.Recall = deep.Recall[:2]
	s := &scene{groups: []routing.Group{deep, shallow, groupOf("bare", "react", record.Simulated, 1, 2), few},
		result: &routing.Result{Tasks: map[string]routing.Definition{"recall": {Options: []byte(`{"k":5,"favourites":["a"]}`)}, "recall 2": {Options: []byte(`{"k":2}`)}}}}
	table := s.recall()
	var heads []string
	for _, c := range table.Columns {
		heads = append(heads, c.Key)
	}
	want := "arm agent k favourites recall_1 recall_1_counts recall_2 recall_2_counts recall_3 recall_3_counts recall_5 recall_5_counts recall recall_counts recall_interval"
	if got := strings.Join(heads, " "); got != want {
		t.Errorf("want %s\ngot %s", want, got)
	}
	if rows := table.Rows; len(rows) != 3 || rows[0][2].Value.V != 5 || rows[0][11].Text != "12/20" || rows[0][13].Text != "13/20" || rows[1][11].Text != "8/20" || rows[1][13].Text != "8/20" ||
		rows[2][7].Text != "9/20" || rows[2][11].Text != absent || rows[2][13].Text != "9/20" {
		t.Errorf("got %v", rows)
	}
}

// The pair that is compared is shown however many arms stand before it.
func TestThePairIsAmongTheArmsShown(t *testing.T) {
	t.Parallel()
	s := &scene{}
	for i := range mostArms + 3 {
		s.groups = append(s.groups, groupOf(fmt.Sprint("arm ", i), "react", record.Simulated, 1, 2))
	}
	got := s.armsOf(s.groups[mostArms+1].Key, s.groups[mostArms+2].Key)
	if len(got) != mostArms || got[0].Task != "arm 7" || got[1].Task != "arm 8" || got[2].Task != "arm 0" {
		t.Errorf("got %d arms, first %s, %s, %s", len(got), got[0].Task, got[1].Task, got[2].Task)
	}
}
