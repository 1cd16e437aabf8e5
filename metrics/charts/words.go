package charts

import (
	"image/color"
	"regexp"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

const maxRunes = 400 // of one title, label, name or note

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

// textStyle returns the style of sans-serif text of the given size in points.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{Font: font.From(sans, size), Color: c, Handler: plot.DefaultTextHandler}
}

func bold(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}

// printable returns s in characters that the font can show: others become
// their compatibility form (full-width letters, ligatures), or '?', never
// nothing. Line breaks and tabs become spaces, invisible controls go, and what
// is longer than maxRunes ends in "…".
func printable(s string) string {
	face := font.DefaultCache.Lookup(sans, 10).Face
	var buf sfnt.Buffer
	shown := func(r rune) bool {
		glyph, err := face.GlyphIndex(&buf, r)
		return err == nil && glyph != 0
	}
	var out []rune
	for _, r := range norm.NFC.String(clip(s, 4*maxRunes)) {
		switch {
		case unicode.IsSpace(r):
			out = append(out, ' ')
		case unicode.Is(unicode.Cf, r):
		case unicode.IsPrint(r) && shown(r):
			out = append(out, r)
		default:
			out = append(out, compatible(r, shown)...)
		}
		if len(out) > maxRunes {
			out = append(out[:maxRunes-1], '…')
			break
		}
	}
	return strings.TrimSpace(string(out))
}

// compatible returns the compatibility form of r if the font has all of it.
func compatible(r rune, shown func(rune) bool) []rune {
	form := []rune(norm.NFKC.String(string(r)))
	for _, f := range form {
		if f == unicode.ReplacementChar || !unicode.IsPrint(f) || !shown(f) {
			return []rune{'?'}
		}
	}
	return form
}

// clip cuts s after n runes.
func clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// wrap breaks s into lines no wider than width, at spaces and after
// underscores, slashes and hyphens where it can, and inside words where it
// must.
func wrap(s string, sty text.Style, width vg.Length) []string {
	if s == "" {
		return nil
	}
	var lines []string
	line := ""
	for _, piece := range pieces(s) {
		if line != "" && sty.Width(strings.TrimRight(line+piece, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line = ""
		}
		line += piece
		for sty.Width(strings.TrimRight(line, " ")) > width && len([]rune(line)) > 1 {
			head := fitting(line, sty, width)
			lines = append(lines, head)
			line = line[len(head):]
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}

// pieces cuts s after every character at which a line may break, but not within a
// count such as 2/146.
func pieces(s string) []string {
	return strings.FieldsFunc(mark(s), func(r rune) bool { return r == '\x00' })
}

func mark(s string) string {
	s = strings.NewReplacer(" ", " \x00", "_", "_\x00", "/", "/\x00", "-", "-\x00").Replace(s)
	return counts.ReplaceAllString(s, "$1/$2")
}

// counts are numbers that a slash holds together, such as 2/146.
var counts = regexp.MustCompile(`(\d)/\x00(\d)`)

// fitting returns the longest head of s, one rune at least, within width.
func fitting(s string, sty text.Style, width vg.Length) string {
	end := 0
	for i := range s {
		if i == 0 {
			continue
		}
		if end > 0 && sty.Width(s[:i]) > width {
			break
		}
		end = i
	}
	if end == 0 {
		return s
	}
	return s[:end]
}
