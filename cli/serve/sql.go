package serve

import (
	"context"
	"errors"
	"net/http"

	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/batch"
)

// statement is what is checked, and run.
type statement struct {
	SQL      string `json:"sql"`
	Question string `json:"question,omitempty"` // that it is meant to answer; warnings read it
	Database string `json:"database,omitempty"` // "" is the first
}

// readStatement reads a statement, and checks it for its database.
func (h *handler) readStatement(w http.ResponseWriter, r *http.Request) (statement, Database, batch.Checked, error) {
	var q statement
	if err := read(w, r, &q, true); err != nil {
		return q, Database{}, batch.Checked{}, err
	}
	if q.SQL == "" {
		return q, Database{}, batch.Checked{}, problem{http.StatusBadRequest, "no_sql", `give a statement: "sql"`, 0}
	}
	d, err := h.database(q.Database)
	if err != nil {
		return q, d, batch.Checked{}, err
	}
	note(w, "database", d.Name)
	return q, d, h.batch.Check(batch.Request{SQL: &q.SQL, Question: q.Question, Database: q.Database}), nil
}

// check serves /api/check.
func (h *handler) check(w http.ResponseWriter, r *http.Request) error {
	_, _, checked, err := h.readStatement(w, r)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, checked)
}

// explain serves /api/explain.
func (h *handler) explain(w http.ResponseWriter, r *http.Request) error {
	_, _, checked, err := h.readStatement(w, r)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, checked.Explain())
}

// queried is a statement with what was said of it, and what it found.
type queried struct {
	batch.Checked
	Result *answer.Rows  `json:"result"`          // null where it was rejected, by the checks or the database
	Chart  *render.Chart `json:"chart,omitempty"` // how the result is drawn, where it is one to draw
}

// query serves /api/query.
func (h *handler) query(w http.ResponseWriter, r *http.Request) error {
	q, d, checked, err := h.readStatement(w, r)
	out := queried{Checked: checked}
	if err != nil {
		return err
	} else if !out.OK {
		return write(w, http.StatusOK, out)
	}
	res, v, err := h.run(r.Context(), d, q.SQL)
	if err != nil {
		return err
	}
	if out.Verdict = v; v.OK {
		out.Result, out.Chart = (*answer.Rows)(&res), render.ChartOf(res)
	}
	return write(w, http.StatusOK, out)
}

// run checks a statement and runs it when its turn comes.
func (h *handler) run(ctx context.Context, d Database, sql string) (runner.Result, sqlcheck.Verdict, error) {
	leave, err := h.queries.enter(ctx, func(int) {})
	if errors.Is(err, errFull) {
		err = h.queries.full("queries")
	}
	if err != nil {
		return runner.Result{}, sqlcheck.Verdict{}, err
	}
	defer leave()
	return d.Query(ctx, sql)
}

// schema serves /api/schema.
func (h *handler) schema(w http.ResponseWriter, r *http.Request) error {
	d, err := h.database(r.URL.Query().Get("database"))
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
	Name   string `json:"name"`
	Engine string `json:"engine"` // as its server says, with its version
	Tables int    `json:"tables"`
}

// databases serves /api/databases.
func (h *handler) databases(w http.ResponseWriter, _ *http.Request) error {
	out := databases{Model: h.Model, Version: h.Version, History: h.History != nil, Pairs: h.Keep != nil}
	for _, d := range h.Databases {
		engine := d.Backend.Engine + " " + d.Backend.Version
		out.Databases = append(out.Databases, source{d.Name, engine, len(d.Schema.Tables)})
	}
	return write(w, http.StatusOK, out)
}
