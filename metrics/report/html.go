package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"strconv"
	"strings"
)

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"kind": kindOf, "svg": inlineSVG, "id": anchor, "sort": Cell.sortKey, "shown": Cell.shown,
}).Parse(pageHTML))

// HTML writes the document as one file that needs nothing else.
func (d Document) HTML() ([]byte, error) {
	var b bytes.Buffer
	if err := page.Execute(&b, d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func kindOf(b Block) string {
	switch b.(type) {
	case Heading:
		return "heading"
	case Paragraph:
		return "paragraph"
	case List:
		return "list"
	case Links:
		return "links"
	case *Table:
		return "table"
	case *Figure:
		return "figure"
	}
	return ""
}

// inlineSVG cuts the prolog off a picture that this program drew; charts have
// escaped every text in it.
func inlineSVG(f *Figure) template.HTML {
	s := string(f.SVG)
	if i := strings.Index(s, "<svg"); i >= 0 {
		s = s[i:]
	}
	return template.HTML(s)
}

// anchor makes a heading's text fit for a link within the page.
func anchor(s string) string {
	return strings.Trim(strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-"), "-")
}

// sortKey is the number by which a cell is sorted, "" for texts and absences.
func (c Cell) sortKey() string {
	if c.IsText || !c.Value.OK {
		return ""
	}
	return strconv.FormatFloat(c.Value.V, 'g', -1, 64)
}
