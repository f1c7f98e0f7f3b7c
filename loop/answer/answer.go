// Package answer answers questions: a method, an opened model and a database make an answer. It has the table of
// agents.
//
// It knows every agent, which flags each takes, what shapes its answers (Method), and how an answer is written for
// programs (JSON). It opens no model and no database, and scores nothing: a command, a server or a chat does, and is
// thin over it. Begin with Asker.
package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/profile"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

// Database is what questions are about: what runs queries, its schema, and the glossary that belongs to it.
type Database struct {
	DB     tools.Querier
	Schema *schema.Schema
	Notes  tools.Notes
	Pairs  *tools.Book // verified ones
}

// Query checks a statement and runs it: the one way in which doors run what somebody wrote. Where the checks or the
// database refuse it the verdict says why, and there are no rows; an error is none of the statement's.
func (d Database) Query(ctx context.Context, sql string) (runner.Result, sqlcheck.Verdict, error) {
	q, v, err := sqlcheck.Check(sql, d.Schema)
	if err != nil || !v.OK {
		return runner.Result{}, v, err
	}
	return loop.Execute(ctx, d.DB, q)
}

// Find is what a query finds; nil where the checks or the database refuse it.
func (d Database) Find(ctx context.Context, sql string) (*runner.Result, error) {
	res, v, err := d.Query(ctx, sql)
	if err != nil || !v.OK {
		return nil, err
	}
	return &res, nil
}

// Explain says in words what a query asks; nil where there is none that may run.
func (d Database) Explain(sql string) *explain.Explanation {
	b, ok := explain.Bind(sql, d.Schema)
	if !ok {
		return nil
	}
	words := explain.Of(b)
	return &words
}

// Question is one question, with what its asker wants of the answer. What an agent does not take is an error where it
// is asked for.
type Question struct {
	Text   string
	Behind Turn            // the last answer of its conversation, from which it may go on; the zero value is none
	alone  bool            // the rules take it to stand alone: the model sees the last turn, and nothing else does
	Shots  []loop.Exemplar // shown with it, as [Shots.Of] draws them
	Pairs  *tools.Book     // verified ones; nil means those of the database

	Params        llm.Params // of the sampling; the zero value is greedy
	MinConfidence float64    // answers that are less likely right are refused, in [0,1]; 0 refuses none
	MinAnswerable float64    // so are answers to questions that less likely have one in this database

	// DryRun ends where the query would run: the answer has SQL and no Result. Where candidates vote with what they
	// find, it takes the greedy one.
	DryRun bool

	// Scored says that the query of the answer is run again to score it. baseline, which runs nothing before its end,
	// then leaves it at that.
	Scored bool
}

// wishes are the flags of what a question wants.
func (q Question) wishes() (flags []string) {
	for _, w := range []struct {
		flag   string
		wished bool
	}{
		{"min-confidence", q.MinConfidence > 0}, {"min-answerable", q.MinAnswerable > 0}, {"dry-run", q.DryRun},
		{"temperature", q.Params.Temperature > 0}, {"shots", len(q.Shots) > 0},
	} {
		if w.wished {
			flags = append(flags, w.flag)
		}
	}
	return flags
}

// Asker answers questions with one method and one model, about as many databases as there are. It keeps nothing between
// questions, and is safe for concurrent use if its model and the databases are; what is asked beside a question changes
// nothing of its answer, as far as the model keeps to that.
type Asker struct {
	Watcher Watcher // told of every question; set before the first; nil is none

	method  Method
	agent   agent
	model   llm.Generator
	prompts *tools.Prompts  // of agents that take a set; without notes
	tables  *retrieve.Store // where retrieval looks for tables
	schemas sync.Map        // what is known of a database, by its schema as it is declared
}

// Watcher is told of questions: for each what is called with its events, as they are told, and then with its answer. It
// is called concurrently, for different questions.
type Watcher interface {
	Begin(q Question) (event func(loop.Event), end func(loop.Answer, error))
}

// New joins a method to an opened model. Of tables the agent retrieval alone makes use; nil keeps nothing, and searches
// by keyword.
func New(m Method, model llm.Generator, tables *retrieve.Store) (*Asker, error) {
	a := &Asker{method: m, agent: agentNamed(m.Agent), model: model, tables: tables}
	if a.tables == nil {
		a.tables = &retrieve.Store{}
	}
	if !Takes(m.Agent, "prompts") {
		return a, nil
	}
	var err error
	a.prompts, err = tools.NewPrompts(m.Prompts, nil)
	return a, err
}

// known is the schema of a database with the keys and references that nobody declared; of agents that were published
// without, as it is declared.
func (a *Asker) known(ctx context.Context, d Database) (*schema.Schema, error) {
	if !a.agent.infers || a.method.Without.Off("inferred_keys") {
		return d.Schema, nil
	}
	if s, ok := a.schemas.Load(d.Schema); ok {
		return s.(*schema.Schema), nil
	}
	p, err := profile.Of(ctx, d.DB, d.Schema)
	if err != nil {
		return nil, fmt.Errorf("look for keys that nobody declared: %w", err)
	}
	s, _ := a.schemas.LoadOrStore(d.Schema, p.On(d.Schema))
	return s.(*schema.Schema), nil
}

// Ask answers a question about a database. Events are told in their order, one at a time and as they happen; events may
// be nil. The partial answer comes together with the error when ctx ends, the model fails or the database goes away, so
// that a trace is never lost.
func (a *Asker) Ask(
	ctx context.Context, d Database, q Question, events func(loop.Event),
) (ans loop.Answer, err error) {
	for _, flag := range q.wishes() {
		if err := Refuses(a.method.Agent, flag); err != nil {
			return loop.Answer{Question: q.Text}, err
		}
	}
	if d.Schema, err = a.known(ctx, d); err != nil {
		return loop.Answer{Question: q.Text}, err
	}
	end := func(loop.Answer, error) {}
	if a.Watcher != nil {
		told := events
		var event func(loop.Event)
		event, end = a.Watcher.Begin(q)
		events = func(e loop.Event) {
			event(e)
			if told != nil {
				told(e)
			}
		}
	}
	text := q.Text
	switch q.alone = !q.Behind.GoesOn(text, d.Schema); {
	case !q.alone:
		text = q.Behind.With(text)
	case q.Behind.Question == "" || len(q.Behind.Question)+len(q.Behind.SQL) > mostShown:
		q.Behind = Turn{}
	}
	ans, err = a.agent.make(a, d, q, events).Run(ctx, text)
	ans.Reads, ans.Sentence = reads(ans.SQL, d.Schema), sentence(ans, d)
	if q.alone && q.Behind.SQL != "" && a.prompts != nil && q.Behind.keeps(ans.SQL, text, d.Schema) {
		text = q.Behind.With(text)
		ans.Question = text
	}
	if text != q.Text {
		ans.Asked, ans.TakenAs = q.Text, text
		if words := d.Explain(ans.SQL); words != nil {
			ans.TakenAs = words.Line()
		}
	}
	end(ans, err)
	return ans, err
}

// Late is the error of an answer that took longer than it may.
type Late struct {
	Longest time.Duration
	err     error // that it ended with
}

func (l *Late) Error() string { return fmt.Sprintf("no answer within %s", l.Longest) }

// Unwrap is for who asks what was left behind, such as a statement that could not be stopped.
func (l *Late) Unwrap() error { return l.err }

// Within is Ask with exemplars, and with an end: a [Late] where the answer took longer. 0 is unbounded.
func (a *Asker) Within(
	ctx context.Context, longest time.Duration, shots Shots, d Database, q Question, events func(loop.Event),
) (ans loop.Answer, err error) {
	outer := ctx
	if longest > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, longest)
		defer cancel()
	}
	if q.Shots, err = shots.Of(ctx, q.Text, d); err != nil {
		return loop.Answer{Question: q.Text}, err
	}
	if ans, err = a.Ask(ctx, d, q, events); err != nil && outer.Err() == nil && ctx.Err() != nil {
		err = &Late{longest, err}
	}
	return ans, err
}

// reads lists what a query reads, the tables of which it names no column first.
func reads(sql string, s *schema.Schema) []string {
	if sql == "" || s == nil {
		return nil
	}
	r := sqlcheck.Inspect(sql, s)
	tables := slices.DeleteFunc(r.TablesUsed, func(table string) bool {
		return slices.ContainsFunc(r.FieldsUsed, func(f string) bool { return strings.HasPrefix(f, table+".") })
	})
	return append(tables, r.FieldsUsed...)
}

// sentence says what an answer found; "" where it found nothing or its query does not read the schema alone.
func sentence(ans loop.Answer, d Database) string {
	if ans.Result == nil {
		return ""
	}
	b, ok := explain.Bind(ans.SQL, d.Schema)
	if !ok {
		return ""
	}
	f := explain.Found{Rows: len(ans.Result.Rows), Truncated: ans.Result.Truncated}
	if f.Rows > 0 {
		f.First = ans.Result.Rows[0]
	}
	return explain.Sentence(b, f)
}
