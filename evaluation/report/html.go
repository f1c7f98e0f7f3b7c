package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"

	"nl2sql/assets"
	"nl2sql/evaluation/score"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// page is what the template shows: the report, and what it does not say itself.
type page struct {
	Report
	Title, Lead string
	Sections    []section
	Differing   int
}

// shown are what the template writes texts with: html/template escapes markup, these what else a browser obeys.
var shown = template.FuncMap{
	"visible": render.Visible, "lines": visibleLines, "class": score.Class.Words,
	"first": func(s string) string { return render.Visible(firstLine(s)) },
	"one":   func(s string) string { return render.Visible(syntax.OneLine(s)) },
	"cell":  func(v any) string { return render.Visible(render.CellText(v)) },
	"text":  func(v any) bool { _, is := v.(string); return is },
}

// WriteHTML writes a report as one page, which needs no network and can be read without scripts.
func (r Report) WriteHTML(w io.Writer) error {
	t, err := assets.ReportPage(shown)
	if err != nil {
		return err
	}
	p := page{Report: r, Title: "nl2sql report", Sections: r.sections(), Differing: len(r.differing())}
	runs := 0
	var names []string
	for _, c := range r.Conditions {
		runs += len(c.Seeds)
		names = append(names, c.Name)
	}
	if len(names) <= 3 {
		p.Title += ": " + strings.Join(names, ", ")
	}
	p.Lead = fmt.Sprintf("%s, %s of %s; scores of profile %s.", counted(len(r.Conditions), "condition"),
		counted(runs, "run"), counted(len(r.Items), "item"), r.Profile)
	if card := r.Conditions[0].Card; card.Commit != "" {
		p.Lead += fmt.Sprintf(" Program %s, on %s.", card.Commit, card.Machine)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err = w.Write(bytes.Map(printable, b.Bytes()))
	return err
}

// printable leaves lines and tabs of all that a terminal would obey: a page is also read with cat.
func printable(r rune) rune {
	if c := string(r); r != '\n' && r != '\t' && (r < ' ' || r > '~') && render.Visible(c) != c {
		return '\uFFFD'
	}
	return r
}
