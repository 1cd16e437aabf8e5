// Package stats holds the statistics of a benchmark report: summaries of
// scores over seeds, intervals, paired comparisons, growth fits and recovery
// times.
//
// Three rules hold throughout. A statistic that the data cannot support is an
// absent [Value], never 0 or NaN. What makes a number doubtful is returned as
// Warnings beside it. The order of the input does not matter and randomness
// comes from fixed or given seeds, so the same data always give the same
// bytes.
//
// The seed is the unit of evidence: repeats of one seed, and steps of one
// episode, tell little about the next seed, so intervals are built from
// differences between seeds.
package stats
