package serve

import (
	"net/http"
	"strings"
	"time"

	"nl2sql/loop"
	"nl2sql/tools"
)

// judged is what a person says of an answer.
type judged struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
	Database string `json:"database,omitempty"` // "" is the first
	Right    bool   `json:"right"`              // false takes back what was said to be right
}

// judge serves /api/pairs: what is right is kept, and answers questions that repeat it, from the next one on.
func (h *handler) judge(w http.ResponseWriter, r *http.Request) error {
	if h.Keep == nil {
		return problem{http.StatusNotFound, "no_pairs", "no verdict is kept: serve --pairs FILE keeps them", 0}
	}
	var j judged
	if err := read(w, r, &j, true); err != nil {
		return err
	}
	d, err := h.database(j.Database)
	if err != nil {
		return err
	}
	note(w, "database", d.Name)
	if err := loop.CheckQuestion(j.Question); err != nil {
		return problem{http.StatusBadRequest, "bad_question", err.Error(), 0}
	}
	if j.Right { // what is wrong may not run any more
		if _, v, err := h.run(r.Context(), d, j.SQL); err != nil {
			return err
		} else if !v.OK {
			return problem{http.StatusBadRequest, "bad_sql", "it does not run: " + v.Advice(), 0}
		}
	}
	p := tools.Pair{Question: strings.TrimSpace(j.Question), SQL: j.SQL, Database: d.Backend.Database,
		Date: time.Now().Format(time.DateOnly)}
	if err := h.Keep(p, j.Right); err != nil {
		return err
	}
	if err := d.Pairs.Add(p, j.Right, d.Schema); err != nil {
		return err
	}
	return write(w, http.StatusOK, p)
}
