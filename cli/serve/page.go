package serve

import (
	"bytes"
	"cmp"
	"io/fs"
	"net/http"
	"path"
	"time"

	"nl2sql/assets"
)

// policy lets the page load what this server sends and nothing else: no text in it can become script or style.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// kinds are what the files of the page are, whatever this machine thinks of their names.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// page serves /, and the files of the page.
func (h *handler) page(w http.ResponseWriter, r *http.Request) error {
	files, err := assets.Page()
	if err != nil {
		return err
	}
	name := cmp.Or(r.PathValue("file"), "index.html")
	kind := kinds[path.Ext(name)]
	text, err := fs.ReadFile(files, name)
	if err != nil || kind == "" {
		return problem("not_found", "the page has no file %q", name)
	}
	if err := hurry(w); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	return nil
}
