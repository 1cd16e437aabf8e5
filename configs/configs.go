// Package configs embeds the experiments, models, templates and skills that
// skillbench ships. A user points to files of his own instead.
package configs

import "embed"

// FS holds skills/<name>/, templates/, libraries/<name>/<skill>/, suites/, and the
// files that reports look things up in.
//
//go:embed all:skills all:templates all:libraries all:suites prices.yaml claims.yaml
var FS embed.FS
