package report

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown writes the document in GitHub's dialect. Pictures are linked by
// relative path.
func (d Document) Markdown() []byte {
	var b strings.Builder
	b.WriteString(escapeMarkdown(d.Lead) + "\n\n# " + escapeMarkdown(d.Title) + "\n")
	for _, block := range d.Blocks {
		b.WriteByte('\n')
		switch block := block.(type) {
		case Heading:
			b.WriteString(strings.Repeat("#", block.Level) + " " + escapeMarkdown(block.Text) + "\n")
		case Paragraph:
			b.WriteString(escapeMarkdown(string(block)) + "\n")
		case List:
			for _, item := range block {
				b.WriteString("- " + escapeMarkdown(item) + "\n")
			}
		case Links:
			for _, l := range block {
				b.WriteString("- [" + escapeMarkdown(l.Text) + "](" + (&url.URL{Path: l.To}).String() + ")\n")
			}
		case *Figure:
			caption := escapeMarkdown(block.Caption)
			b.WriteString("![" + escapeMarkdown(firstSentence(block.Caption)) + "](plots/" + block.Name + ".png)\n\n" + caption + " ([SVG](plots/" + block.Name + ".svg))\n")
		case *Table:
			block.markdown(&b)
		}
	}
	return []byte(b.String())
}

func (t *Table) markdown(b *strings.Builder) {
	b.WriteString("**" + escapeMarkdown(t.Caption) + "** ([CSV](tables/" + t.Name + ".csv))\n")
	if !t.Aside {
		t.grid(b)
	}
	for i, note := range t.AllNotes() {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + escapeMarkdown(note) + "\n")
	}
}

// grid writes the rows below their heads.
func (t *Table) grid(b *strings.Builder) {
	b.WriteByte('\n')
	head := make([]string, len(t.Columns))
	width := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = escapeMarkdown(c.Head)
		width[i] = max(3, utf8.RuneCountInString(head[i]))
	}
	rows := t.Shown()
	lines := make([][]string, len(rows))
	for i, row := range rows {
		lines[i] = make([]string, len(row))
		for j, c := range row {
			lines[i][j] = escapeMarkdown(c.shown())
			width[j] = max(width[j], utf8.RuneCountInString(lines[i][j]))
		}
	}
	row := func(cells []string) {
		for i, c := range cells {
			gap := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if t.Textual(i) {
				c += gap
			} else {
				c = gap + c
			}
			b.WriteString("| " + c + " ")
		}
		b.WriteString("|\n")
	}
	row(head)
	for i := range t.Columns {
		if t.Textual(i) {
			b.WriteString("|:" + strings.Repeat("-", width[i]) + "-")
		} else {
			b.WriteString("|-" + strings.Repeat("-", width[i]) + ":")
		}
	}
	b.WriteString("|\n")
	for _, line := range lines {
		row(line)
	}
}

// Textual reports whether a column holds texts, which stand to the left.
func (t *Table) Textual(column int) bool {
	for _, row := range t.Rows {
		if row[column].IsText {
			return true
		}
	}
	return false
}

// escapeMarkdown makes a text show as it is. It escapes no more than is needed,
// so that the source stays readable too.
func escapeMarkdown(s string) string {
	var b strings.Builder
	before := ' '
	for i, r := range s {
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '_' && wordy(before) && wordy(after):
			b.WriteByte('_')
		case strings.ContainsRune("\\`*_[]|~$", r),
			i == 0 && (r == '#' || r == '=' || strings.ContainsRune("+-", r) && after == ' '),
			r == '!' && after == '[',
			r == ':' && after == '/':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// firstSentence is enough to stand in for a picture whose caption follows.
func firstSentence(s string) string {
	head, _, _ := strings.Cut(s, ". ")
	return strings.TrimSuffix(head, ".")
}
