// Package configs embeds the experiments, models, templates and skills that
// skillbench ships. A user points to files of his own instead.
package configs

import "embed"

// FS holds this folder: *.yaml experiments, skills/<name>/, templates/.
//
//go:embed all:skills all:templates
var FS embed.FS
