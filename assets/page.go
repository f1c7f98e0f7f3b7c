package assets

import (
	"embed"
	"io/fs"
)

//go:embed page
var page embed.FS

// Page returns the files of the page of `nl2sql serve`: plain HTML, CSS and modules that no build step makes.
func Page() (fs.FS, error) { return fs.Sub(page, "page") }
