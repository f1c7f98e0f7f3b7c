package assets

import (
	"embed"
	"fmt"
	"html/template"
)

//go:embed report
var report embed.FS

// ReportPage returns the template of the report's page. Style and script are in it: the page needs no network.
func ReportPage() (*template.Template, error) {
	t, err := template.New("report.html.tmpl").Option("missingkey=error").ParseFS(report, "report/*")
	if err != nil {
		return nil, fmt.Errorf("report page: %w", err)
	}
	return t, nil
}
