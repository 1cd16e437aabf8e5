package charts

import (
	"image/color"
	"sort"
	"strings"

	"gonum.org/v1/plot/vg"
)

// look is how a name appears in every chart: colour, line width and dash,
// marker. Widths fall along the main strategies so that where lines coincide
// each thinner, dashed line leaves the wider one below it visible.
type look struct {
	colour color.NRGBA
	width  vg.Length
	dash   []vg.Length
	marker marker
}

// Okabe and Ito's colours, told apart by readers of every colour vision, and
// four of Tol's muted ones that stay clear of them.
var (
	black      = color.NRGBA{A: 255}
	orange     = color.NRGBA{R: 0xE6, G: 0x9F, A: 255}
	sky        = color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 255}
	green      = color.NRGBA{G: 0x9E, B: 0x73, A: 255}
	yellow     = color.NRGBA{R: 0xF0, G: 0xE4, B: 0x42, A: 255}
	blue       = color.NRGBA{G: 0x72, B: 0xB2, A: 255}
	vermillion = color.NRGBA{R: 0xD5, G: 0x5E, A: 255}
	purple     = color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 255}
	grey       = color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 255}
	olive      = color.NRGBA{R: 0x99, G: 0x99, B: 0x33, A: 255}
	wine       = color.NRGBA{R: 0x88, G: 0x22, B: 0x55, A: 255}
	indigo     = color.NRGBA{R: 0x33, G: 0x22, B: 0x88, A: 255}
)

var (
	solid    []vg.Length
	long     = []vg.Length{9, 3}
	short    = []vg.Length{5, 3}
	dotted   = []vg.Length{1.5, 2.5}
	dashDot  = []vg.Length{7, 2.5, 1.5, 2.5}
	twoDots  = []vg.Length{7, 2, 1.5, 2, 1.5, 2}
	thinDots = []vg.Length{0.8, 2.2}
)

// looks are the fixed appearances of the context strategies.
var looks = map[string]look{
	"skillstate":     {blue, 3, solid, circle},
	"react":          {vermillion, 2.1, long, square},
	"memory":         {orange, 1.7, short, triangle},
	"stateful":       {green, 1.5, dashDot, diamond},
	"truncated":      {purple, 1.5, short, down},
	"summary_capped": {sky, 1.5, long, pentagon},
	"llmlingua":      {grey, 1.5, dotted, hexagon},
	"masked":         {olive, 1.5, dashDot, square},
	"compacted":      {wine, 1.5, long, triangle},
	"ledger":         {black, 1.5, twoDots, diamond},
	"hybrid":         {indigo, 1.9, solid, star},
}

// spare are the appearances of other names, in the order they are given out.
var spare = []look{
	{purple, 1.5, solid, circle},
	{black, 1.5, short, square},
	{sky, 1.5, dashDot, triangle},
	{olive, 1.5, long, diamond},
	{wine, 1.5, dotted, down},
	{grey, 1.5, solid, pentagon},
	{indigo, 1.5, short, hexagon},
	{orange, 1.5, solid, star},
	{green, 1.5, long, circle},
	{vermillion, 1.5, dotted, triangle},
	{blue, 1.5, dashDot, square},
}

// baseName cuts a trailing remark in parentheses, so that "react (paper)"
// looks like "react".
func baseName(name string) string {
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
		return name[:i]
	}
	return name
}

// assign returns the appearance of each name. Names without a fixed one get
// the spare ones in alphabetical order: the order of the series plays no part.
func assign(names []string) map[string]look {
	out := map[string]look{}
	var rest []string
	for _, name := range names {
		base := baseName(name)
		if _, seen := out[base]; seen {
			continue
		}
		fixed, ok := looks[base]
		out[base] = fixed
		if !ok {
			rest = append(rest, base)
		}
	}
	sort.Strings(rest)
	for _, base := range rest {
		delete(out, base)
	}
	for i, base := range rest {
		out[base] = free(out, i)
	}
	return out
}

// free returns the first spare appearance whose colour nobody has, else the
// first that nobody has, else the i-th, which then comes twice.
func free(taken map[string]look, i int) look {
	colours, pairs := map[color.NRGBA]bool{}, map[shade]bool{}
	for _, l := range taken {
		colours[l.colour] = true
		pairs[shade{l.colour, l.marker}] = true
	}
	for _, l := range spare {
		if !colours[l.colour] {
			return l
		}
	}
	for _, l := range spare {
		if !pairs[shade{l.colour, l.marker}] {
			return l
		}
	}
	return spare[i%len(spare)]
}

// shade is what tells two appearances apart without their lines.
type shade struct {
	colour color.NRGBA
	marker marker
}

// fills are the fixed colours of what a prompt is made of, of the token purposes
// and of what follows a drift, for stacked charts.
var fills = map[string]color.NRGBA{
	"instructions": blue,
	"contract":     sky,
	"state":        green,
	"observation":  yellow,
	"history":      vermillion,
	"summary":      orange,
	"ledger":       wine,
	"feedback":     purple,
	"notes":        olive,
	"recall":       indigo,

	"recovered":                  green,
	"acted on the obsolete fact": vermillion,
	"waited or erred otherwise":  yellow,
	"no longer watched":          grey,
}

var spareFills = []color.NRGBA{blue, orange, green, purple, sky, vermillion, yellow, grey, olive, wine, indigo, black}

// assignFills returns one colour per part. A part without a fixed colour takes
// the first spare one that no other part of the chart has, while there are any.
func assignFills(parts []string) []color.NRGBA {
	out := make([]color.NRGBA, len(parts))
	used := map[color.NRGBA]bool{}
	for i, part := range parts {
		if c, ok := fills[strings.ToLower(part)]; ok {
			out[i] = c
			used[c] = true
		}
	}
	next := 0
	for i, part := range parts {
		if _, ok := fills[strings.ToLower(part)]; ok {
			continue
		}
		for tries := 0; used[spareFills[next%len(spareFills)]] && tries < len(spareFills); tries++ {
			next++
		}
		out[i] = spareFills[next%len(spareFills)]
		used[out[i]] = true
		next++
	}
	return out
}

// fade returns c with the given opacity.
func fade(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}
