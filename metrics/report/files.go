package report

import (
	"bytes"
	"encoding/csv"
	"strings"
)

// csv writes the table for programs: full figures, spreads in columns of their
// own, absent values as empty fields.
func (t *Table) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var head []string
	for _, c := range t.Columns {
		head = append(head, unformula(c.Key))
		if c.Spread {
			head = append(head, unformula(c.Key+"_sd"))
		}
	}
	if err := w.Write(head); err != nil {
		return nil, err
	}
	for _, row := range t.Rows {
		var line []string
		for i, c := range row {
			line = append(line, c.field())
			if t.Columns[i].Spread {
				line = append(line, c.SD.CSV())
			}
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func (c Cell) field() string {
	switch {
	case c.IsText:
		return unformula(c.Text)
	case c.Decimals == 0 && !c.SD.OK && c.Value.V == float64(int64(c.Value.V)):
		return c.Value.Format(0)
	}
	return c.Value.CSV()
}

// unformula keeps a spreadsheet from running a text as a formula. Numbers never
// pass through it.
func unformula(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// latex writes the table as a plain tabular.
func (t *Table) latex() []byte {
	var b strings.Builder
	b.WriteString("% " + escapeLaTeX(t.Caption) + "\n\\begin{tabular}{")
	for i := range t.Columns {
		if t.Textual(i) {
			b.WriteByte('l')
		} else {
			b.WriteByte('r')
		}
	}
	b.WriteString("}\n\\hline\n")
	for i, c := range t.Columns {
		b.WriteString(separator(i) + escapeLaTeX(c.Head))
	}
	b.WriteString(" \\\\\n\\hline\n")
	for _, row := range t.Rows {
		for i, c := range row {
			b.WriteString(separator(i) + escapeLaTeX(c.shown()))
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString("\\hline\n\\end{tabular}\n")
	return []byte(b.String())
}

func separator(i int) string {
	if i == 0 {
		return ""
	}
	return " & "
}

var latex = strings.NewReplacer(
	`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `_`, `\_`, `%`, `\%`,
	`^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`, `<`, `\textless{}`, `>`, `\textgreater{}`, `|`, `\textbar{}`, "`", `\textasciigrave{}`,
	"±", `$\pm$`, "≥", `$\geq$`, "≤", `$\leq$`, "×", `$\times$`, "÷", `$\div$`, "−", `$-$`, "→", `$\rightarrow$`, "Σ", `$\Sigma$`, "²", `$^2$`,
	"–", `--`, "…", `\ldots{}`,
)

func escapeLaTeX(s string) string { return latex.Replace(s) }
