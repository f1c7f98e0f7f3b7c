package desk_test

import (
	"context"
	"encoding/json"
	"net"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner/render"
)

// lines is an interface: over a socket, a value of JSON a line each way. It has what a desk has.
type lines struct{ *desk.Desk }

// call is a line that comes: one of its fields is given.
type call struct {
	Ask   *desk.Question
	Run   *desk.Statement
	Judge *desk.Judged
	Past  *string // the database whose history is wanted
}

// serve serves all who come until the socket is closed.
func (s lines) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go s.talk(conn)
	}
}

// talk answers one client, line by line.
func (s lines) talk(conn net.Conn) {
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in := json.NewDecoder(conn)
	say := func(v any) {
		text, err := render.JSONText(v)
		if err == nil {
			_, err = conn.Write(append(text, '\n'))
		}
		if err != nil {
			cancel() // nobody hears it
		}
	}
	for c := (call{}); in.Decode(&c) == nil; c = (call{}) {
		out, err := s.answer(ctx, c, func(step desk.Step) { say(step.Line()) })
		if err != nil {
			out = desk.ErrorOf(ctx, err)
		}
		say(out)
	}
}

func (s lines) answer(ctx context.Context, c call, told func(desk.Step)) (any, error) {
	switch {
	case c.Ask != nil:
		ans, err := s.Desk.Ask(ctx, *c.Ask, told)
		return answer.AsJSON(c.Ask.ID, ans), err
	case c.Run != nil:
		return s.Desk.Run(ctx, *c.Run)
	case c.Judge != nil:
		return s.Desk.Judge(ctx, *c.Judge)
	case c.Past != nil:
		return s.History.Of("", *c.Past), nil
	}
	return nil, &desk.Error{Code: "bad_call", Text: `give "ask", "run", "judge" or "past"`}
}
