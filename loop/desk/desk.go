// Package desk is where every interface brings its questions, queries and verdicts: it has the queue, the limits, the
// history, the pairs, the words of errors and the way to an answer, so that an interface is its protocol and its page.
//
// What an answer is, loop/answer knows, and what may run, sqlcheck. It opens no model and no database, and knows no
// protocol. Begin with Desk.
package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/batch"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Database is one that is asked by its name.
type Database struct {
	Name string
	answer.Database
	Backend runner.Backend
	Doubts  func() []string // takes what its import found doubtful, which is shown once; nil is none
}

// Asker answers a question within a time, as [answer.Asker] does.
type Asker interface {
	Within(ctx context.Context, longest time.Duration, d answer.Database, q answer.Question, events func(loop.Event)) (
		answer.Answer, error)
}

// Desk serves interfaces. Its exported fields are set before it is used first; then it is safe for concurrent use.
type Desk struct {
	Asker     Asker                 // nil where Load makes it, or where no question is answered
	Load      func() (Asker, error) // makes the asker with the first question; one that failed is tried again
	Databases []Database            // the first is meant where none is named

	Together int           // questions at once; 0 means 1
	Waiting  int           // questions that may wait; more are sent away
	Longest  time.Duration // of one answer, its wait excluded; 0 is unbounded

	History *History                              // of questions; nil is none
	Keep    func(p tools.Pair, right bool) error  // keeps verdicts; nil keeps none
	Done    func(q Question, a Asked, took Costs) // hears what became of each question; nil is nobody

	once               sync.Once
	questions, queries *queue
	late               late
}

// Costs are what a question took, and how it was answered.
type Costs struct {
	Took   time.Duration // 0 where its turn never came
	Answer loop.Answer
	Err    error // of the history
}

// queriesTogether and queriesWaiting bound the queries that people write.
const queriesTogether, queriesWaiting = 4, 64

// begin makes the queues.
func (d *Desk) begin() {
	d.once.Do(func() {
		d.questions = newQueue(d.Together, d.Waiting)
		d.queries = newQueue(queriesTogether, max(queriesWaiting, d.Waiting))
	})
}

// Answers reports whether questions are answered.
func (d *Desk) Answers() bool { return d.Asker != nil || d.Load != nil }

// Close sends away who waits and who comes; who is inside stays. A load of the model that has begun is waited for.
func (d *Desk) Close() {
	d.begin()
	d.questions.close()
	d.queries.close()
	d.late.end()
}

// Open reports whether questions are taken.
func (d *Desk) Open() bool { return !d.first().closed() }

// Questions are how many are being answered, and how many wait.
func (d *Desk) Questions() (working, waiting int) {
	q := d.first()
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.inside, len(q.line)
}

// Soon is in how many seconds there may be a place for one more question.
func (d *Desk) Soon() int { return d.first().soon() }

// ErrStopping is why nothing is taken any more.
var ErrStopping = &Error{Code: "stopping", Text: "the server is stopping", Retry: 1}

// Error is why something was not done.
type Error struct {
	Code  string // for programs
	Text  string // for people, one line
	Retry int    // seconds after which it may be asked again; 0 is never
	err   error  // that it was made of, if any
}

func (e *Error) Error() string { return e.Text }

// Unwrap is for who asks what was left behind, such as a statement that could not be stopped.
func (e *Error) Unwrap() error { return e.err }

// ErrorOf is what to say of an error of a call with ctx.
func ErrorOf(ctx context.Context, err error) *Error {
	e := (*Error)(nil)
	switch {
	case errors.As(err, &e):
		return e
	case ctx.Err() != nil:
		return &Error{Code: "gone", Text: "the client went away"}
	}
	return &Error{Code: "failed", Text: err.Error()}
}

// Named finds a database by its name, the first by "".
func (d *Desk) Named(name string) (Database, error) {
	for _, at := range d.Databases {
		if name == "" || name == at.Name {
			return at, nil
		}
	}
	text := fmt.Sprintf("there is no database %q%s", name, Meant(name, d.Names()))
	return Database{}, &Error{Code: "unknown_database", Text: text}
}

// Names are those of the databases.
func (d *Desk) Names() []string {
	return syntax.Map(d.Databases, func(at Database) string { return at.Name })
}

// Meant says which of the names there are is most likely meant, or all of a few.
func Meant(name string, there []string) string {
	if near := syntax.NearNames(name, there); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(there) > 50 {
		return fmt.Sprintf(": there are %d others", len(there))
	}
	return ": there are " + strings.Join(there, ", ")
}

// Question is one, as programs send it. Its JSON is an interface.
type Question struct {
	Question string `json:"question"`
	Database string `json:"database,omitempty"` // "" is the first
	ID       string `json:"id,omitempty"`       // comes back with the answer

	// the last answer of a conversation, its question in whole and its SQL as they came: the question may go on from it
	Behind *answer.Turn `json:"behind,omitempty"`

	DryRun        bool    `json:"dry_run,omitempty"`
	MinConfidence float64 `json:"min_confidence,omitempty"`
	MinAnswerable float64 `json:"min_answerable,omitempty"`
	Temperature   float32 `json:"temperature,omitempty"`
	TopP          float32 `json:"top_p,omitempty"`
	Seed          uint32  `json:"seed,omitempty"`

	Explain bool `json:"explain,omitempty"` // the answer says in words what its SQL asks

	Read     *question.Question `json:"-"` // Question, where [answer.Method.Read] read it; nil has it read
	AsksBack bool               `json:"-"` // who asks is asked which reading is meant

	Client string `json:"-"` // who asks, where there are several
	Agent  bool   `json:"-"` // a program that has other tools asks
}

// behind is the answer before; the zero value is none.
func (q Question) behind() answer.Turn {
	if q.Behind == nil {
		return answer.Turn{}
	}
	return *q.Behind
}

// check says what is wrong with a question.
func (q Question) check() error {
	err := loop.CheckQuestion(q.Question)
	if err == nil {
		err = q.behind().Check()
	}
	for _, n := range []struct {
		name        string
		value, most float64
	}{
		{"min_confidence", q.MinConfidence, 1}, {"min_answerable", q.MinAnswerable, 1},
		{"temperature", float64(q.Temperature), 2}, {"top_p", float64(q.TopP), 1},
	} {
		if err == nil && !(n.value >= 0 && n.value <= n.most) {
			err = fmt.Errorf("%s: %v is not possible: give a number from 0 to %v", n.name, n.value, n.most)
		}
	}
	if err != nil {
		return &Error{Code: "bad_question", Text: err.Error()}
	}
	return nil
}

// Step is what happens until an answer is there: a place in the queue, a wait for something else, or an event.
type Step struct {
	Place int    // in the queue, the next is 1
	Wait  string // for what
	Event loop.Event
}

// Line is the step in a line; "" of what a reader needs not know.
func (s Step) Line() string {
	if s.Place > 0 {
		return fmt.Sprintf("waiting, place %d", s.Place)
	} else if s.Wait != "" {
		return s.Wait
	}
	return s.Event.Line()
}

// Ask answers a question when its turn comes. told hears of each step, one at a time. The error is an [Error], or that
// of ctx or of what the program needs.
func (d *Desk) Ask(ctx context.Context, q Question, told func(Step)) (ans answer.Answer, err error) {
	q.Question = answer.JoinLines(strings.TrimSpace(q.Question))
	if err := q.check(); err != nil {
		return ans, err
	}
	at, err := d.Named(q.Database)
	if err != nil {
		return ans, err
	}
	asker, err := d.asker(ctx, told)
	if err != nil {
		return ans, err
	}
	asked := Asked{Client: q.Client, Database: at.Name, Question: q.Question}
	leave, err := d.turn(ctx, d.first(), "questions", func(place int) { told(Step{Place: place}) })
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.Code == "queue_full" {
			asked.Outcome = "full"
			d.done(q, asked, Costs{})
		}
		return ans, err
	}
	defer leave()
	start := time.Now()
	ans, err = asker.Within(ctx, d.Longest, at.Database, answer.Question{
		Text: q.Question, Read: q.Read, Behind: q.behind(),
		Params:        llm.Params{Temperature: q.Temperature, TopP: q.TopP, Seed: q.Seed},
		MinConfidence: q.MinConfidence, MinAnswerable: q.MinAnswerable, DryRun: q.DryRun,
		Show: answer.Show{Words: true, Readings: true, AsksBack: q.AsksBack, Explanation: q.Explain},
	}, func(e loop.Event) { told(Step{Event: e}) })
	late := (*answer.Late)(nil)
	switch {
	case err == nil:
	case errors.As(err, &late):
		err = &Error{Code: "late", Text: err.Error(), err: err}
	case errors.Is(err, llm.ErrContextFull):
		err = &Error{Code: "too_long", Text: err.Error(), err: err}
	case len(ans.Trace) == 0: // nothing was begun: the agent does not take what was wished
		err = &Error{Code: "bad_question", Text: err.Error(), err: err}
	}
	asked.Outcome = Outcome(ctx, ans, err)
	d.done(q, asked, Costs{Took: time.Since(start), Answer: ans.Answer})
	return ans, err
}

// Outcome is what became of a question.
func Outcome(ctx context.Context, ans answer.Answer, err error) string {
	switch {
	case err != nil && ctx.Err() != nil:
		return "gone"
	case err != nil:
		return ErrorOf(ctx, err).Code
	case ans.Refused != "":
		return "refused"
	case ans.Result == nil && ans.How != loop.ByDryRun:
		return "none"
	}
	return "answered"
}

// done writes a question into the history, if there is one, and tells of it.
func (d *Desk) done(q Question, a Asked, c Costs) {
	if a.Time = time.Now().UTC().Truncate(time.Second); d.History != nil && c.Took > 0 {
		a.SQL, a.Confidence = c.Answer.SQL, c.Answer.Confidence
		a.Seconds = c.Answer.Took.Round(time.Millisecond).Seconds()
		if c.Answer.Result != nil {
			a.Rows = len(c.Answer.Result.Rows)
		}
		c.Err = d.History.add(a)
	}
	if d.Done != nil {
		d.Done(q, a, c)
	}
}

func (d *Desk) first() *queue {
	d.begin()
	return d.questions
}

// turn waits for a turn in a queue of questions or queries.
func (d *Desk) turn(ctx context.Context, q *queue, what string, told func(int)) (leave func(), err error) {
	if leave, err = q.enter(ctx, told); errors.Is(err, errFull) {
		text := fmt.Sprintf("%d %s wait already: ask again later", q.most, what)
		err = &Error{Code: "queue_full", Text: text, Retry: q.soon()}
	}
	return leave, err
}

// Query checks a statement and runs it when its turn comes, as [answer.Database.Query] does.
func (d *Desk) Query(ctx context.Context, at Database, sql string) (runner.Result, sqlcheck.Verdict, error) {
	d.begin()
	leave, err := d.turn(ctx, d.queries, "queries", func(int) {})
	if err != nil {
		return runner.Result{}, sqlcheck.Verdict{}, err
	}
	defer leave()
	return at.Query(ctx, sql)
}

// Statement is what is checked, and run. Its JSON is an interface.
type Statement struct {
	SQL      string `json:"sql"`
	Question string `json:"question,omitempty"` // that it is meant to answer; warnings read it
	Database string `json:"database,omitempty"` // "" is the first
}

// Check checks a statement for its database.
func (d *Desk) Check(s Statement) (Database, batch.Checked, error) {
	at, err := d.Named(s.Database)
	if err != nil {
		return at, batch.Checked{}, err
	}
	b := batch.Batch{Strict: true, Schemas: func(string) (*schema.Schema, error) { return at.Schema, nil }}
	return at, b.Check(batch.Request{SQL: &s.SQL, Question: s.Question, Database: s.Database}), nil
}

// Judged is what a person says of an answer. Its JSON is an interface.
type Judged struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
	Database string `json:"database,omitempty"` // "" is the first
	Right    bool   `json:"right"`              // false takes back what was said to be right
}

// Look is the pair that would be kept, and what its SQL finds; nil where it does not run, which only what is wrong may.
func (d *Desk) Look(ctx context.Context, j Judged) (p tools.Pair, found *runner.Result, err error) {
	at, err := d.Named(j.Database)
	if err != nil {
		return p, nil, err
	}
	if err := loop.CheckQuestion(j.Question); err != nil {
		return p, nil, &Error{Code: "bad_question", Text: err.Error()}
	}
	p = tools.Pair{Question: strings.TrimSpace(j.Question), SQL: strings.TrimSpace(j.SQL),
		Database: at.Backend.Database, Date: time.Now().Format(time.DateOnly)}
	res, v, err := d.Query(ctx, at, p.SQL)
	switch {
	case err == nil && v.OK:
		return p, &res, nil
	case !j.Right:
		return p, nil, ctx.Err()
	case err != nil:
		return p, nil, err
	}
	return p, nil, &Error{Code: "bad_sql", Text: "it does not run, so that nothing is kept: " + v.Advice()}
}

// Judge keeps what is right, which answers questions that repeat it from the next one on, and takes back what is wrong.
func (d *Desk) Judge(ctx context.Context, j Judged) (tools.Pair, error) {
	if d.Keep == nil {
		return tools.Pair{}, &Error{Code: "no_pairs", Text: "no verdict is kept: --pairs FILE keeps them"}
	}
	p, _, err := d.Look(ctx, j)
	if err != nil {
		return p, err
	}
	at, _ := d.Named(j.Database) // which it looked at
	if err = d.Keep(p, j.Right); err == nil {
		err = at.Pairs.Add(p, j.Right, at.Schema)
	}
	return p, err
}

// Queried is a statement with what was said of it, and what it found. Its JSON is an interface.
type Queried struct {
	batch.Checked
	Result *answer.Rows  `json:"result"`          // null where it was rejected, by the checks or the database
	Chart  *render.Chart `json:"chart,omitempty"` // how the result is drawn, where it is one to draw
}

// Run checks a statement, and runs it when its turn comes.
func (d *Desk) Run(ctx context.Context, s Statement) (Queried, error) {
	at, checked, err := d.Check(s)
	out := Queried{Checked: checked}
	if err != nil || !out.OK {
		return out, err
	}
	res, v, err := d.Query(ctx, at, s.SQL)
	if out.Verdict = v; err == nil && v.OK {
		out.Result, out.Chart = (*answer.Rows)(&res), render.ChartOf(res)
	}
	return out, err
}
