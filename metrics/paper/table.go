package paper

// Table is one published table. Horizon is 0 where rows carry their own or the
// paper names none; Budget, in characters of prompt, is 0 where there is none.
// Columns are as in the paper: score is 0 to 1, prompt is mean characters per
// call (the table headers say tokens, but only characters fit the totals),
// tokens are those of a whole episode, and <column>_sd is the sample SD.
type Table struct {
	Name    string `yaml:"-"`
	Task    string `yaml:"task"`
	Model   string `yaml:"model"`
	Horizon int    `yaml:"horizon"`
	Budget  int    `yaml:"budget"`
	Grid    `yaml:",inline"`
}

// Replication is one block of figures re-measured by others.
type Replication struct {
	By          string `yaml:"by"`
	Model       string `yaml:"model"`
	Task        string `yaml:"task"`
	Horizon     int    `yaml:"horizon"`
	RunsPerCell int    `yaml:"runs_per_cell"`
	Metric      string `yaml:"metric"`
	Grid        `yaml:",inline"`
}

// Figure is one published cell. A figure the paper does not give is absent
// (ok is false), never 0. SD is the sample SD over seeds.
type Figure struct {
	Value, SD float64
	HasSD     bool
}

// Lookup returns the figure of a runtime at a horizon without noise lines.
// Column is "score", "prompt" or "tokens", or one of table 4's own columns;
// horizon is the table's own where its rows do not differ in it, 0 for table 4.
func Lookup(table string, horizon int, runtime, column string) (Figure, bool) {
	t := published().Tables[table]
	return t.find(horizon, 0, runtime, column)
}

// LookupNoise returns the score of a runtime in a table of noise robustness
// (tables 2 and 9, T=50) with the given number of noise lines per turn.
func LookupNoise(table string, noise int, runtime string) (Figure, bool) {
	t := published().Tables[table]
	if !t.has("noise_per_turn") {
		return Figure{}, false
	}
	return t.find(t.Horizon, noise, runtime, "score")
}

func (t Table) find(horizon, noise int, runtime, column string) (Figure, bool) {
	for row := range t.Rows {
		if t.horizonOf(row) != horizon || t.noiseOf(row) != noise {
			continue
		}
		if t.has("runtime") {
			if t.Cell(row, "runtime").Text == runtime {
				return t.figure(row, column)
			}
			continue
		}
		if column == "score" && t.comparesScores() && isRuntime(runtime) {
			return t.figure(row, runtime)
		}
	}
	return Figure{}, false
}

func (t Table) figure(row int, column string) (Figure, bool) {
	v, ok := t.number(row, column)
	if !ok {
		return Figure{}, false
	}
	sd, has := t.number(row, column+"_sd")
	return Figure{Value: v, SD: sd, HasSD: has}, true
}

// comparesScores reports whether the table has one column of scores per
// runtime, rather than steps of recovery.
func (t Table) comparesScores() bool { return t.has("noise_per_turn") || t.has("horizon") }

func (t Table) horizonOf(row int) int {
	if h, ok := t.number(row, "horizon"); ok {
		return int(h)
	}
	return t.Horizon
}

func (t Table) noiseOf(row int) int {
	n, _ := t.number(row, "noise_per_turn")
	return int(n)
}

// isRuntime keeps key columns, such as horizon, from being read as scores.
func isRuntime(column string) bool { return column != "horizon" && column != "noise_per_turn" }
