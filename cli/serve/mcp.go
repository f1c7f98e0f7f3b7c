package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"nl2sql/cli/mcp"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// forAgents is what agents are served: the same databases, and the same turns, as all others.
func (h *handler) forAgents() mcp.Server {
	s := mcp.Server{Version: h.Version, Log: h.Log, Ask: h.askOfAgent, Keep: h.Keep}
	for _, d := range h.Databases {
		s.Databases = append(s.Databases, mcp.Database{Name: d.Name, Backend: d.Backend.Database, Database: d.Database})
	}
	s.Query = func(ctx context.Context, d mcp.Database, sql string) (runner.Result, sqlcheck.Verdict, error) {
		return h.run(ctx, Database{Name: d.Name, Database: d.Database}, sql)
	}
	return s
}

// askOfAgent answers a question as /api/ask does.
func (h *handler) askOfAgent(
	ctx context.Context, d mcp.Database, q answer.Question, told func(line string),
) (answer.Answer, error) {
	request := askRequest{
		Question: q.Text, Database: d.Name, DryRun: q.DryRun, Behind: &q.Behind, client: mcp.User(ctx),
	}
	said := &answered{}
	ans, err := h.answer(ctx, said, request, func(_ string, data any) {
		if line := chatLine(data); line != "" {
			told(line)
		}
	})
	h.Log.Info("question of an agent", said.notes...)
	return ans, err
}

// agents serves /mcp.
func (h *handler) agents(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodPost {
		var message json.RawMessage
		if err := read(w, r, &message, false); err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(message))
	}
	who, _ := h.whose(r)
	if err := h.web.Serve(who, hurried{w}, r); err != nil {
		return problem{http.StatusServiceUnavailable, "sessions_full", err.Error(), 60}
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
