package serve

import (
	"net/http"
	"net/url"

	"nl2sql/loop/desk"
	"nl2sql/sqlcheck/batch"
)

// checked serves /api/check, and /api/explain, by what is told of a statement that was checked.
func checked(tells func(batch.Checked) any) func(*handler, *http.Request, desk.Statement) (any, string, error) {
	return func(h *handler, _ *http.Request, q desk.Statement) (any, string, error) {
		_, c, err := h.Check(q)
		return tells(c), q.Database, err
	}
}

// query serves /api/query.
func (h *handler) query(r *http.Request, q desk.Statement) (out any, database string, err error) {
	out, err = h.Run(r.Context(), q)
	return out, q.Database, err
}

// judge serves /api/pairs: what is right is kept, and answers questions that repeat it, from the next one on.
func (h *handler) judge(r *http.Request, j desk.Judged) (out any, database string, err error) {
	out, err = h.Judge(r.Context(), j)
	return out, j.Database, err
}

// named is the database that the one parameter there is names.
func (h *handler) named(r *http.Request) (desk.Database, error) {
	all, err := url.ParseQuery(r.URL.RawQuery)
	name := all.Get("database")
	if delete(all, "database"); err != nil || len(all) > 0 {
		return desk.Database{}, problem("bad_parameter", "?%s: write ?database=NAME and no more", r.URL.RawQuery)
	}
	return h.Named(name)
}

// histories is what was asked.
type histories struct {
	Questions []desk.Asked `json:"questions"` // the newest first
}

// history serves /api/history.
func (h *handler) history(w http.ResponseWriter, r *http.Request) error {
	if h.History == nil {
		return problem("no_history", "no history is kept: serve --history FILE keeps one")
	}
	who, _ := h.whose(r)
	if _, err := h.named(r); err != nil {
		return err
	}
	return write(w, http.StatusOK, histories{h.History.Of(who, r.FormValue("database"))})
}

// schema serves /api/schema.
func (h *handler) schema(w http.ResponseWriter, r *http.Request) error {
	d, err := h.named(r)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, d.Schema)
}

// databases are what can be asked.
type databases struct {
	Model     string   `json:"model"`
	Version   string   `json:"version"` // of the program
	Databases []source `json:"databases"`
	History   bool     `json:"history"` // one is kept: /api/history
	Pairs     bool     `json:"pairs"`   // verdicts are kept: /api/pairs
}

// source is a database that can be asked.
type source struct {
	Name   string   `json:"name"`
	Engine string   `json:"engine"` // as its server says, with its version
	Tables int      `json:"tables"`
	Doubts []string `json:"doubts,omitempty"` // of its import, told once
}

// databases serves /api/databases.
func (h *handler) databases(w http.ResponseWriter, _ *http.Request) error {
	out := databases{Model: h.Model, Version: h.Version, History: h.History != nil, Pairs: h.Keep != nil}
	for _, d := range h.Databases {
		engine := d.Backend.Engine + " " + d.Backend.Version
		of := source{Name: d.Name, Engine: engine, Tables: len(d.Schema.Tables)}
		if d.Doubts != nil {
			of.Doubts = d.Doubts()
		}
		out.Databases = append(out.Databases, of)
	}
	return write(w, http.StatusOK, out)
}
