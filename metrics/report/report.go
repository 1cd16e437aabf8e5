// Package report derives everything that is shown of a run from its journals:
// a document of tables, pictures and words, written as Markdown, as one HTML
// page, and as a file for each table and picture. It knows of tasks and
// strategies only what the manifest and the journals say. The same journals
// give the same bytes.
package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/metrics"
	"skillbench/metrics/routing"
)

// A Report is what a run directory says.
type Report struct {
	Document
	rows    []metrics.Row
	damaged []harness.Failure
	routing *routing.Result
}

// Build reads the journals of a run directory, each once. What it holds in
// memory grows with the number of cells, and with the horizon once per
// strategy, not with steps times cells.
func Build(dir string) (*Report, error) {
	d, err := gather(dir)
	if err != nil {
		return nil, err
	}
	r := &Report{Document: d.document(), damaged: damaged(d.cells), routing: d.routing}
	for _, c := range d.cells {
		r.rows = append(r.rows, c.Row)
	}
	return r, nil
}

// Rows are the lines of cells.csv, in the order of the manifest.
func (r *Report) Rows() []metrics.Row { return r.rows }

// Routing is what the run says of routing, nil where it says nothing.
func (r *Report) Routing() *routing.Result { return r.routing }

// Files are report.md, report.html and what belongs into tables/ and plots/.
func (r *Report) Files() ([]File, error) {
	page, err := r.HTML()
	if err != nil {
		return nil, err
	}
	files := []File{{"report.md", r.Markdown()}, {"report.html", page}}
	if p := r.methodParagraph(); p != "" {
		files = append(files, File{"method.tex", []byte(escapeLaTeX(p) + "\n")})
	}
	for _, b := range r.Blocks {
		switch b := b.(type) {
		case *Table:
			fields, err := b.csv()
			if err != nil {
				return nil, err
			}
			files = append(files, File{"tables/" + b.Name + ".csv", fields}, File{"tables/" + b.Name + ".tex", b.latex()})
		case *Figure:
			files = append(files, File{"plots/" + b.Name + ".svg", b.SVG}, File{"plots/" + b.Name + ".png", b.PNG})
		}
	}
	return files, nil
}

// Write puts the files into dir. Each is replaced as a whole. Tables and plots
// of an earlier report that this one does not have are removed, so that none
// shows what is no longer so.
func (r *Report) Write(dir string) error {
	files, err := r.Files()
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Join(dir, "tables"), 0o755), os.MkdirAll(filepath.Join(dir, "plots"), 0o755))
	}
	for _, f := range files {
		if err == nil {
			err = journal.WriteFile(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	if err == nil {
		err = removeOthers(dir, files)
	}
	return err
}

// removeOthers removes what could be a table or a plot and is none of files.
func removeOthers(dir string, files []File) error {
	ours := map[string]bool{}
	for _, f := range files {
		ours[f.Name] = true
	}
	var err error
	for _, pattern := range []string{"tables/*.csv", "tables/*.tex", "plots/*.svg", "plots/*.png"} {
		found, globbing := fs.Glob(os.DirFS(dir), pattern)
		err = errors.Join(err, globbing)
		for _, name := range found {
			if !ours[name] {
				err = errors.Join(err, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
			}
		}
	}
	return err
}

// Plots names the pictures of the report, relative to its folder.
func (r *Report) Plots() []string {
	var names []string
	for _, b := range r.Blocks {
		if f, ok := b.(*Figure); ok {
			names = append(names, "plots/"+f.Name+".png", "plots/"+f.Name+".svg")
		}
	}
	return names
}

// A File is one of a report. Its name is relative to the folder of the run,
// with slashes.
type File struct {
	Name string
	Data []byte
}
