package assets

import (
	"embed"
	"fmt"
	"html/template"
	"io/fs"
)

//go:embed page
var page embed.FS

// Page returns the files of the page of `nl2sql serve`: plain HTML, CSS and modules that no build step makes.
func Page() (fs.FS, error) { return fs.Sub(page, "page") }

//go:embed report
var report embed.FS

// ReportPage returns the template of the report's page, which writes texts with functions. Style and script are in it:
// the page needs no network.
func ReportPage(functions template.FuncMap) (*template.Template, error) {
	t, err := template.New("report.html.tmpl").Option("missingkey=error").Funcs(functions).ParseFS(report, "report/*")
	if err != nil {
		return nil, fmt.Errorf("report page: %w", err)
	}
	return t, nil
}
