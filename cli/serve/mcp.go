package serve

import (
	"encoding/json"
	"errors"
	"net/http"

	"nl2sql/loop/desk"
)

// agents serves /mcp.
func (h *handler) agents(w http.ResponseWriter, r *http.Request) error {
	var message json.RawMessage
	tooLong := false
	if r.Method == http.MethodPost {
		bad := (*desk.Error)(nil)
		if err := read(w, r, &message, false); errors.As(err, &bad) {
			message, tooLong = nil, bad.Code == "too_large" // which the protocol has its own words for
		} else if err != nil {
			return err
		}
	}
	who, _ := h.whose(r)
	if err := h.web.Serve(who, hurried{w}, r, message, tooLong); err != nil {
		return &desk.Error{Code: "sessions_full", Text: err.Error(), Retry: 60}
	}
	if a, ok := w.(*answered); ok && a.status == 0 {
		return r.Context().Err() // it went before it heard anything
	}
	return nil
}

// hurried bounds how long the client may take for each piece of a response.
type hurried struct{ http.ResponseWriter }

// Unwrap is for [http.ResponseController].
func (w hurried) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w hurried) Write(p []byte) (int, error) {
	if err := hurry(w.ResponseWriter); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(p)
}
