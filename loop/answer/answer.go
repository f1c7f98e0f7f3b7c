// Package answer answers questions: a method, an opened model and a database make an answer. It has the table of
// agents.
//
// It knows every agent, which flags each takes, what shapes its answers (Method), and how an answer is written for
// programs (JSON). It opens no model and no database, and scores nothing: a command, a server or a chat does, and is
// thin over it. Begin with Asker.
package answer

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/profile"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/question"
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

	known    bool             // Schema has the inferred keys
	warnings []doubt.Doubt    // of what was not found out about it
	told     func(loop.Event) // hears of queries of readings; nil is nobody
}

// Query checks a statement and runs it: the one way in which interfaces run what somebody wrote. Where the checks or
// the database refuse it the verdict says why, and there are no rows; an error is none of the statement's.
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
	q, v, err := sqlcheck.Check(sql, d.Schema)
	if err != nil || !v.OK {
		return nil
	}
	return explained(&q)
}

// Question is one question, with what its asker wants of the answer. What an agent does not take is an error where it
// is asked for.
type Question struct {
	Text   string
	Behind Turn               // the last answer of its conversation, from which it may go on; the zero value is none
	Read   *question.Question // Text, where [Method.Read] read it; nil has it read
	Show   Show               // beside SQL and rows; the zero value is nothing
	alone  bool               // the rules take it to stand alone: the model sees the last turn, and nothing else does
	refuse string             // why it goes on from the last turn and gets no answer; "" if it is asked
	Shots  []loop.Exemplar    // shown with it, as [Shots.Show] looks them up
	Pairs  *tools.Book        // verified ones; nil means those of the database

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

// Show is what is to be shown beside SQL and rows.
type Show struct {
	Words       bool // what was found, in a sentence, and what the query reads
	Readings    bool // other ways to read the question
	AsksBack    bool // the asker is asked which is meant, and needs no warning of it
	Explanation bool
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

// Asker answers questions with one method and one model, about as many databases as there are. It is safe for
// concurrent use if its model and the databases are; what is asked beside a question changes nothing of its answer, as
// far as the model keeps to that.
type Asker struct {
	method  Method
	agent   agent
	model   llm.Generator
	prompts *tools.Prompts  // of agents that take a set; without notes
	tables  *retrieve.Store // where retrieval looks for tables

	mu      sync.Mutex               // of what follows
	schemas map[*schema.Schema]known // by the schema as it is declared
}

// New joins a method to an opened model. Of tables the agent retrieval alone makes use; nil keeps nothing, and searches
// by keyword.
func New(m Method, model llm.Generator, tables *retrieve.Store) (*Asker, error) {
	a := &Asker{method: m, agent: agentNamed(m.Agent), model: model, tables: cmp.Or(tables, &retrieve.Store{})}
	if !Takes(m.Agent, "prompts") {
		return a, nil
	}
	var err error
	a.prompts, err = tools.NewPrompts(m.Prompts, nil)
	return a, err
}

// known is the schema of a database with what was found in its rows.
type known struct {
	schema  *schema.Schema
	profile *profile.Profile
}

// mostKnown bounds the databases of which a method keeps what it found: a long conversation may ask many.
const mostKnown = 64

// known is a database with the one schema that its questions are read, answered and explained by: of agents that infer
// keys, the one with the keys and references that nobody declared. That none could be looked for costs no answer: why
// is a warning. What was found is kept, until a newer look at the rows is.
func (a *Asker) known(ctx context.Context, d Database) (Database, error) {
	if d.known || !a.agent.infers || a.method.Without.Off("inferred_keys") {
		return d, nil
	}
	a.mu.Lock()
	k := a.schemas[d.Schema]
	a.mu.Unlock()
	if k.schema == nil || k.profile.Stale() {
		p, err := profile.Of(ctx, d.DB, d.Schema)
		if ctx.Err() != nil {
			return d, fmt.Errorf("look for keys that nobody declared: %w", err)
		} else if err != nil {
			d.warnings = []doubt.Doubt{failedPart("keys that nobody declared were not found", err)}
			return d, nil
		}
		k = known{p.On(d.Schema), p}
		a.mu.Lock()
		if len(a.schemas) >= mostKnown || a.schemas == nil {
			a.schemas = map[*schema.Schema]known{}
		}
		a.schemas[d.Schema] = k
		a.mu.Unlock()
	}
	d.Schema, d.known = k.schema, true
	return d, nil
}

// failedPart is the warning of a part of an answer that could not be made.
func failedPart(what string, err error) doubt.Doubt {
	return doubt.Doubt{Name: "incomplete", Text: what + ": " + err.Error()}
}

// Answer is an answer with all that was wished to be shown of it.
type Answer struct {
	loop.Answer
	Schema      *schema.Schema       // that it was read, checked and explained by
	Asks        string               // the question back; the first of Readings are its choices; "" is none
	Reply       string               // to small talk, and to questions about the last answer; "" to all else
	Readings    []Reading            // other ways to read the question
	Explanation *explain.Explanation // what SQL asks, in words
}

// Read is a question as the agent of a method reads it, and the database with the schema by which it does, before a
// model is there. Declined says why it needs none; "" if it needs one.
func (m Method) Read(
	ctx context.Context, d Database, text string,
) (in Database, read *question.Question, declined string, err error) {
	a := &Asker{method: m, agent: agentNamed(m.Agent)}
	if loop.CheckQuestion(text) != nil || !m.Ordered() {
		return d, nil, "", nil
	}
	if d, err = a.known(ctx, d); err != nil {
		return d, nil, "", err
	}
	read = question.Read(text, d.Schema)
	if !m.Without.Off("declines") {
		declined = loop.Declines(read)
	}
	return d, read, declined, nil
}

// Ask answers a question about a database. Events are told in their order, one at a time and as they happen; events may
// be nil. The partial answer comes together with the error when ctx ends, the model fails or the database goes away, so
// that a trace is never lost. What is shown beside the answer never costs it: its failure is a warning.
func (a *Asker) Ask(ctx context.Context, d Database, q Question, events func(loop.Event)) (Answer, error) {
	none := Answer{Answer: loop.Answer{Question: q.Text}, Schema: d.Schema}
	for _, flag := range q.wishes() {
		if err := Refuses(a.method.Agent, flag); err != nil {
			return none, err
		}
	}
	d, err := a.known(ctx, d)
	if err != nil {
		return none, err
	}
	shown, sides := q.Behind, q.Behind.sides()
	q.Behind.SQL = sides[len(sides)-1] // of a comparison the last
	text, last := q.Text, q.Behind
	if q.alone = true; q.Behind.Question != "" {
		if q.Read == nil || q.Read.Schema != d.Schema {
			q.Read = question.Read(q.Text, d.Schema)
		}
		// no follow-up is made of "thanks", and of "delete them"
		if q.Read.Nothing() != "" && !q.Read.Ends() || q.Read.Changes() != "" && !q.Read.Edits(last.SQL) {
			q.Behind = Turn{}
		} else if q.alone = !q.Behind.goesOn(q.Read); !q.alone {
			if q.refuse = q.Behind.unknown(q.Read, d.Notes); q.refuse != "" {
				q.Behind, q.alone = Turn{}, true
			}
		}
	}
	switch {
	case !q.alone:
		text = q.Behind.with(q.Read)
	case q.Behind.Question == "" || len(q.Behind.Question)+len(q.Behind.SQL) > mostShown:
		q.Behind = Turn{}
	}
	ans, sql, how := Answer{Schema: d.Schema}, "", loop.ByOrder
	if q.MinConfidence == 0 && !q.DryRun && !q.Scored && d.Schema != nil {
		if _, v, failed := sqlcheck.Check(statement.FindString(q.Text), d.Schema); failed == nil && v.OK {
			sql, how, text = q.Text, loop.ByHand, q.Text
		} else if !q.alone {
			sql = last.ordered(q.Read, d.Schema)
		}
	}
	if sql != "" {
		ans, err = d.Given(ctx, text, how, sql, events)
		if how == loop.ByOrder {
			ans.Confidence = min(max(last.Confidence, 0), 1)
		}
	} else {
		ans.Answer, err = a.agent.make(a, d, q, events).Run(ctx, text)
	}
	if ans.Refused != "" && ans.Read != nil {
		ans.Reply = shown.reply(ans.Read, d)
	}
	if ans.Query == nil && ans.SQL != "" && q.Show != (Show{}) && d.Schema != nil {
		if checked, v, failed := sqlcheck.Check(ans.SQL, d.Schema); failed == nil && v.OK {
			ans.Query = &checked
		}
	}
	if q.alone && q.Behind.SQL != "" && a.prompts != nil && q.Behind.keeps(ans.Query, ans.Read, d.Schema) {
		text = q.Behind.with(q.Read)
		ans.Question = text
	}
	if text != q.Text && ans.Query != nil {
		if before, known := q.Behind.query(d.Schema); known && before.SQL() == ans.Query.SQL() {
			ans.Doubts = append(ans.Doubts, doubt.Doubt{Name: "unchanged", Text: "nothing of the query changed: " +
				"say in whole what you want to see"})
		}
	}
	if text != q.Text {
		ans.Asked, ans.TakenAs = q.Text, text
		if words := ans.Explain(); words != nil {
			ans.TakenAs = words.Line()
		}
		last.doubts(&ans)
		if err == nil {
			err = last.beside(ctx, d, q.Read, sides, &ans, events)
		}
	}
	ans.Doubts = append(ans.Doubts, d.warnings...)
	if err == nil {
		d.show(ctx, q.Show, &ans, events)
	}
	return ans, err
}

// show adds what is wished beside an answer.
func (d Database) show(ctx context.Context, wished Show, ans *Answer, events func(loop.Event)) {
	if ans.Query != nil && wished.Words {
		ans.Reads, ans.Sentence = ans.Query.Reads(), sentence(ans.Answer)
	}
	if wished.Explanation {
		ans.Explanation = ans.Explain()
	}
	if !wished.Readings {
		return
	}
	d.told = func(e loop.Event) {
		if len(ans.Trace) > 0 {
			e.Step = ans.Trace[len(ans.Trace)-1].Step
		}
		if ans.Trace = append(ans.Trace, e); events != nil {
			events(e)
		}
	}
	found, err := d.Readings(ctx, ans.Answer)
	if ans.Doubts = found.With(ans.Doubts, wished.AsksBack); err != nil {
		ans.Doubts = append(ans.Doubts, failedPart("other readings of the question were not all looked at", err))
	}
	ans.Asks, ans.Readings = found.Asks, found.Others
}

// Explain says in words what the SQL of the answer asks; nil where it did not pass the check.
func (a Answer) Explain() *explain.Explanation { return explained(a.Query) }

func explained(q *sqlcheck.Query) *explain.Explanation {
	if q == nil || q.Bound() == nil {
		return nil
	}
	words := explain.Of(q.Bound())
	return &words
}

// Late is the error of an answer that took longer than it may.
type Late struct {
	Longest time.Duration
	err     error // that it ended with
}

func (l *Late) Error() string { return fmt.Sprintf("no answer within %s", l.Longest) }

// Unwrap is for who asks what was left behind, such as a statement that could not be stopped.
func (l *Late) Unwrap() error { return l.err }

// Within is Ask with an end: a [Late] where the answer took longer. 0 is unbounded.
func (a *Asker) Within(
	ctx context.Context, longest time.Duration, d Database, q Question, events func(loop.Event),
) (ans Answer, err error) {
	outer := ctx
	if longest > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, longest)
		defer cancel()
	}
	if ans, err = a.Ask(ctx, d, q, events); err != nil && outer.Err() == nil && ctx.Err() != nil {
		err = &Late{longest, err}
	}
	return ans, err
}

// sentence says what an answer found; "" where it found nothing.
func sentence(ans loop.Answer) string {
	if ans.Result == nil || ans.Query == nil || ans.Query.Bound() == nil {
		return ""
	}
	f := explain.Found{Rows: len(ans.Result.Rows), Truncated: ans.Result.Truncated}
	if f.Rows > 0 {
		f.First = ans.Result.Rows[0]
	}
	return explain.Sentence(ans.Query.Bound(), f)
}
