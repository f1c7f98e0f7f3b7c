// Package batch checks many statements at a time, for `check --file`. Each goes through guards, [sqlcheck.Check] and
// its report. It knows no file and no command. Begin with Batch. It imports guard, schema and sqlcheck.
package batch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Batch checks many statements. It is safe for concurrent use.
type Batch struct {
	Guards guard.Set // applied first
	// by the name in a request, "" if it names none; called concurrently
	Schemas func(database string) (*schema.Schema, error)
	Strict  bool // with a Report each
}

// Request is a statement to check. As a line of JSON it may have other fields too.
type Request struct {
	SQL      *string `json:"sql"`
	Question string  `json:"question"` // what guards may read
	Database string  `json:"database"`
}

// Checked is the outcome for one statement. Its JSON is an interface.
type Checked struct {
	sqlcheck.Verdict
	SQL     string           `json:"sql,omitempty"`     // what would run, restored from the checked tree
	Changes []guard.Change   `json:"changes,omitempty"` // what the guards did
	Report  *sqlcheck.Report `json:"report,omitempty"`  // of Strict
}

// CheckLine checks a request that is a line of JSON, of which nothing is left if it was too long. A line that is no
// request is rejected in its place.
func (b Batch) CheckLine(line []byte, tooLong bool) Checked {
	if tooLong {
		return Checked{Verdict: sqlcheck.Reject("input", "bad_json", fmt.Sprintf("line longer than %d bytes", maxLine))}
	}
	var r Request
	if err := json.Unmarshal(bytes.TrimPrefix(line, []byte("\uFEFF")), &r); err != nil {
		return Checked{Verdict: sqlcheck.Reject("input", "bad_json", syntax.InWords(err))}
	}
	if r.SQL == nil {
		return Checked{Verdict: sqlcheck.Reject("input", "bad_json", `no "sql"`)}
	}
	return b.Check(r)
}

// Check fails closed: a check that could not run rejects. The request's SQL must be there.
func (b Batch) Check(r Request) Checked {
	schema, err := b.Schemas(r.Database)
	if err != nil {
		v := sqlcheck.Reject("input", "unknown_database", err.Error())
		v.Code = 1049
		return Checked{Verdict: v}
	}
	asked := question.Read(r.Question, schema)
	var res Checked
	sql := *r.SQL
	if len(b.Guards) > 0 {
		var v sqlcheck.Verdict
		sql, res.Changes, v = b.Guards.Apply(sql, guard.Input{Question: asked, Schema: schema})
		if !v.OK {
			res.Verdict = v
			return res
		}
	}
	q, v, err := sqlcheck.Check(sql, schema)
	if err != nil {
		v = sqlcheck.Reject("input", "check_failed", err.Error())
	}
	res.Verdict = v
	if v.OK {
		res.SQL = q.SQL()
	}
	if b.Strict {
		report := doubt.Inspect(sql, asked, schema)
		res.Report = &report
	}
	return res
}

// Schemas reads the schema of each database once; read returns its CREATE TABLE statements, and is called concurrently.
func Schemas(read func(database string) ([]byte, error)) func(database string) (*schema.Schema, error) {
	type entry struct {
		once   sync.Once
		schema *schema.Schema
		err    error
	}
	var known sync.Map
	return func(database string) (*schema.Schema, error) {
		v, _ := known.LoadOrStore(database, new(entry))
		e := v.(*entry)
		e.once.Do(func() {
			var ddl []byte
			if ddl, e.err = read(database); e.err == nil {
				e.schema, e.err = schema.ParseDDL(database, string(ddl))
			}
		})
		return e.schema, e.err
	}
}

// Lines checks every line of in, on all cores, and tells the outcomes to emit, in order. idle says that no further
// line waits. It stops at the first error of in, of emit or of ctx.
func (b Batch) Lines(ctx context.Context, in io.Reader, emit func(res Checked, idle bool) error) error {
	return eachLine(ctx, in, b.CheckLine, emit)
}

// maxLine bounds one line, in bytes.
const maxLine = 2 << 20

// eachLine sends every line of in through do, on all cores, and the outcomes to emit, in order. idle says
// that no further line waits. It stops at the first error of in, of emit or of ctx.
func eachLine(ctx context.Context, in io.Reader, do func(line []byte, tooLong bool) Checked,
	emit func(res Checked, idle bool) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	slots := make(chan struct{}, workers)
	order := make(chan chan Checked, 16*workers)
	var readErr error // set before order is closed
	go func() {
		defer close(order)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			line, tooLong, err := ReadLine(r)
			if err != nil {
				if err != io.EOF {
					readErr = fmt.Errorf("read the statements: %w", err)
				}
				return
			}
			done := make(chan Checked, 1)
			select {
			case order <- done:
			case <-ctx.Done():
				return
			}
			slots <- struct{}{}
			go func() {
				done <- do(line, tooLong)
				<-slots
			}()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case done, more := <-order:
			if !more {
				return readErr
			}
			if err := emit(<-done, len(order) == 0); err != nil {
				return err
			}
		}
	}
}

// ReadLine returns the next line without its end. Of a line beyond maxLine only tooLong is left.
func ReadLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, tooLong = nil, true
		} else if !tooLong {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || tooLong):
			return line, tooLong, nil
		case err != nil:
			return nil, false, err
		}
		return bytes.TrimSuffix(line, []byte("\n")), tooLong, nil
	}
}

// Explained is what one statement asks, in words. Its JSON is an interface.
type Explained struct {
	sqlcheck.Verdict
	Explanation *explain.Explanation `json:"explanation,omitempty"` // nil where the statement is rejected
	Warnings    []sqlcheck.Finding   `json:"warnings,omitempty"`    // those of Strict
}

// Explain puts a statement into words that was checked with Strict.
func (c Checked) Explain() Explained {
	out := Explained{Verdict: c.Verdict}
	if !c.OK || c.Report == nil || c.Report.Bound == nil {
		return out
	}
	words := explain.Of(c.Report.Bound)
	out.Explanation = &words
	out.Warnings = syntax.Filter(c.Report.Issues, func(f sqlcheck.Finding) bool { return f.Type == "warning" })
	return out
}
