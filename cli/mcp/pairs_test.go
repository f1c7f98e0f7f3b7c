package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
	"nl2sql/scripts/must"
	"nl2sql/tools"
)

// gone is a query of a table that was there once.
const gone = "SELECT COUNT(*) FROM boats"

// keeping is a server that keeps pairs, and what it kept.
func keeping(t *testing.T) (Server, *[]string) {
	t.Helper()
	s := serverOf(t, nil)
	var kept []string
	s.Keep = func(p tools.Pair, right bool) error {
		if strings.Contains(p.Question, "full") {
			return errors.New("no space left on device")
		}
		verdict := "wrong"
		if right {
			verdict = "right"
		}
		kept = append(kept, verdict+" "+p.Database+" "+p.Question+" "+p.SQL)
		return nil
	}
	d := s.Databases[0]
	d.Pairs, _, _ = tools.NewBook(nil, d.Schema) // of no pairs
	s.Databases = []desk.Database{d}
	return s, &kept
}

// Nothing is kept without a person's yes: where the client can ask them it does, whatever the agent says, and else the
// agent must say that they did.
func TestLearn(t *testing.T) {
	answers := func(action string, sure any) func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		return func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			if !strings.Contains(req.Params.Message, asking) || !strings.Contains(req.Params.Message, counted) ||
				!strings.Contains(req.Params.Message, "[293]") {
				t.Errorf("the person does not see what it is about: %s", req.Params.Message)
			}
			return &sdk.ElicitResult{Action: action, Content: map[string]any{"sure": sure}}, nil
		}
	}
	for name, tt := range map[string]struct {
		asks func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error)
		more object
		want string // begins what is kept
		says string
	}{
		"yes":               {asks: answers("accept", true), want: "right classicmodels How many", says: "Kept: "},
		"not sure":          {asks: answers("accept", false), says: "the person did not say so"},
		"no":                {asks: answers("decline", true), says: "the person did not say so"},
		"an agent's word":   {asks: answers("cancel", nil), more: object{"confirmed": true}, says: "did not say so"},
		"wrong":             {asks: answers("accept", true), more: object{"wrong": true}, want: "wrong classicmodels", says: "Taken back"},
		"nobody to ask":     {says: "nothing is kept that nobody said yes to"},
		"asked by an agent": {more: object{"confirmed": true}, want: "right classicmodels", says: "Kept: "},
		"what does not run": {more: object{"confirmed": true, "sql": "DELETE FROM orders"}, says: "it does not run"},
		"gone":              {more: object{"confirmed": true, "sql": gone, "wrong": true}, want: "wrong ", says: "Taken back"},
		"no question":       {more: object{"confirmed": true, "question": " "}, says: "question"},
		"a full disk":       {more: object{"confirmed": true, "question": "a full disk"}, says: "no space left"},
	} {
		t.Run(name, func(t *testing.T) {
			s, kept := keeping(t)
			c := connect(t, s, &sdk.ClientOptions{ElicitationHandler: tt.asks})
			arguments := object{"question": asking, "sql": counted}
			for name, value := range tt.more {
				arguments[name] = value
			}
			text, _, failed := call(t, c, "learn", arguments)
			got := strings.Join(*kept, "; ")
			if !strings.Contains(text, tt.says) || failed != (tt.want == "") || !strings.HasPrefix(got, tt.want) ||
				(got == "") != (tt.want == "") {
				t.Errorf("%q; kept %q", text, got)
			}
			list, value, _ := call(t, c, "pairs", object{})
			n := len(value["pairs"].([]any))
			if is := strings.HasPrefix(tt.want, "right"); is != (n == 1) || !is != strings.HasPrefix(list, "0 pairs") {
				t.Errorf("%d: %s", n, list)
			}
		})
	}
}

// A list of pairs shows the last ones, and says what it leaves out.
func TestPairs(t *testing.T) {
	s, _ := keeping(t)
	d := s.Databases[0]
	for _, q := range []string{"the first question", "the\nsecond question", "the third question"} {
		must.Do(t, d.Pairs.Add(tools.Pair{Question: q, SQL: counted}, true, d.Schema))
	}
	text, _, _ := call(t, connect(t, s, nil), "pairs", object{"max_rows": 2})
	lines := strings.Split(text, "\n")
	if lines[0] != "the last 2 pairs of 3" || len(lines) != 3 || !strings.Contains(lines[1], "third") {
		t.Errorf("%q", lines)
	}
}
