package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
	"nl2sql/tools"
)

type pairsIn struct {
	Database string `json:"database,omitempty"`
	MaxRows  int    `json:"max_rows,omitempty" jsonschema:"pairs to show; 100 unless given"`
}

// verified are pairs as agents read them.
type verified struct {
	Pairs []tools.Pair `json:"pairs" jsonschema:"the last that was kept is the first"`
	Note  string       `json:"note" jsonschema:"how many there are, and what is not shown"`
}

// pairs lists what was kept.
func (s Server) pairs(_ context.Context, in pairsIn, _ caller) (reply[verified], error) {
	d, err := s.Named(in.Database)
	if err != nil {
		return reply[verified]{}, err
	}
	in.MaxRows = cmp.Or(in.MaxRows, usualRows)
	all := d.Pairs.All()
	out := verified{Pairs: []tools.Pair{}, Note: fmt.Sprintf("%d pairs", len(all))}
	var lines []string
	bytes := 0
	for _, p := range slices.Backward(all) {
		line := jsonLine(p)
		if bytes += len(line); len(lines) == in.MaxRows || bytes > mostText && len(lines) > 0 {
			out.Note = fmt.Sprintf("the last %d pairs of %d", len(lines), len(all))
			break
		}
		out.Pairs, lines = append(out.Pairs, p), append(lines, line)
	}
	return reply[verified]{value: &out, text: out.Note + "\n" + strings.Join(lines, "\n")}, nil
}

type learnIn struct {
	Question  string `json:"question" jsonschema:"as the person asked it"`
	SQL       string `json:"sql" jsonschema:"the SELECT that answers it"`
	Wrong     bool   `json:"wrong,omitempty" jsonschema:"the person says that the SELECT is wrong: a pair that was kept is taken back"`
	Confirmed bool   `json:"confirmed,omitempty" jsonschema:"the person saw this SELECT with what it finds, and said so; never true by yourself"`
	Database  string `json:"database,omitempty"`
}

// learn keeps a pair that a person says yes to: asked by the client where it can, and else by the agent, who says so.
func (s Server) learn(ctx context.Context, in learnIn, by caller) (reply[tools.Pair], error) {
	var out reply[tools.Pair]
	j := desk.Judged{Question: in.Question, SQL: in.SQL, Database: in.Database, Right: !in.Wrong}
	switch {
	case by.asks && by.said == nil:
		p, found, err := s.Look(ctx, j)
		table := "It does not run any more."
		if found != nil {
			_, table = shownRows(*found, shownOfPair)
		}
		out.asks = consent(p, table, in.Wrong)
		return out, err
	case by.asks && (by.said.Action != "accept" || by.said.Content["sure"] != true):
		return out, errors.New("the person did not say so: nothing is kept")
	case !by.asks && !in.Confirmed:
		return out, errors.New("nothing is kept that nobody said yes to: show the person the question, the SQL and what " +
			"it finds, ask whether it is right, and call again with confirmed: true if they say so")
	}
	p, err := s.Judge(ctx, j)
	if err != nil {
		return out, err
	}
	p.Database = ""
	out.value, out.text = &p, "Kept: questions that repeat it, but for values, are answered by its SQL."
	if in.Wrong {
		out.text = "Taken back: it answers no question any more."
	}
	return out, nil
}

// shownOfPair are the rows that a person sees of what is to be kept.
const shownOfPair = 10

// consent asks a person.
func consent(p tools.Pair, table string, wrong bool) *sdk.ElicitParams {
	is := "right"
	if wrong {
		is = "wrong"
	}
	return &sdk.ElicitParams{
		Message: fmt.Sprintf("Is this answer %s?\n\n%s\n\n%s\n\n%s", is, jsonLine(p.Question), jsonLine(p.SQL), table),
		RequestedSchema: map[string]any{
			"type": "object", "required": []string{"sure"},
			"properties": map[string]any{"sure": map[string]any{"type": "boolean", "title": "It is " + is}},
		},
	}
}
