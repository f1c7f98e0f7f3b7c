package runner

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

const (
	// graceTime is how much longer than the server's own timeout we wait for it to act.
	graceTime = 5 * time.Second
	// killTime bounds stopping a statement, and so what Ctrl-C costs when the server hangs.
	killTime = 3 * time.Second
	// drainTime bounds the wait for the rest of a result that was cut off.
	drainTime = 100 * time.Millisecond
)

// server is the DB of a go-sql-driver DSN.
type server struct {
	db       *sql.DB
	killers  *sql.DB // connections that stop statements; none is kept
	dialect  dialect
	limits   Limits
	backend  Backend
	password string

	mu     sync.Mutex
	schema *schema.Schema  // nil until read
	native map[string]bool // functions that were asked for: whether they are the server's own
}

func (s *server) Backend() Backend { return s.backend }

func (s *server) Close() error { return errors.Join(s.db.Close(), s.killers.Close()) }

// Query runs one SELECT. On return nothing of it runs on the server any more, or the error says so: a [StillRunning].
func (s *server) Query(ctx context.Context, q sqlcheck.Query) (Result, error) {
	lacking, err := s.lacks(ctx, q.Calls())
	if err != nil {
		return Result{}, s.classify(ctx, "query", err)
	}
	if lacking != "" {
		return Result{}, &QueryError{Code: 1305, Message: fmt.Sprintf("%s %s has no function %s", s.backend.Engine,
			s.backend.Version, strings.ToUpper(lacking))}
	}
	res, err := s.run(ctx, q.SQL(), s.limits)
	if err != nil {
		return res, err
	}
	if labels := q.Labels(); len(labels) == len(res.Columns) {
		res.Columns = labels
	} else if labels != nil {
		return Result{}, fmt.Errorf("runner: query %s: the answer has %d columns and the checked query %d: was a table changed since its schema was read?", s.backend.Source, len(res.Columns), len(labels))
	}
	return res, nil
}

// run runs any text. Only Query, introspection and tests call it. The clock starts when there is a connection: a query
// does not pay for those that it waits behind.
func (s *server) run(ctx context.Context, text string, l Limits) (Result, error) {
	conn, at, err := s.conn(ctx)
	if err != nil {
		return Result{}, s.classify(ctx, "query", err)
	}
	start := time.Now()
	grace := graceTime
	if l.Timeout < s.limits.Timeout {
		grace = 0 // the server's own clock is that of the session
	}
	limited, cancel := context.WithTimeout(ctx, l.Timeout+grace)
	res, ended, err := s.read(limited, conn, text, l)
	cancel()
	if moved := (unpinned{}); !ended || errors.As(err, &moved) {
		// A small result may have been drained before the cancellation came through; the pool must not lend such a
		// connection again, least of all to the KILL that is meant for it.
		conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	conn.Close()
	res.Took = time.Since(start)

	tooLong := &QueryError{Code: s.dialect.timedOut,
		Message: "Query execution was interrupted, maximum statement execution time exceeded"}
	if !ended {
		late := ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded)
		if still := s.stop(ctx, at); still != nil && !(still.refused && !late && ctx.Err() == nil) {
			switch {
			case ctx.Err() != nil:
				return Result{}, fmt.Errorf("%w: %w", ctx.Err(), still)
			case late:
				still.what = fmt.Sprintf("it did not end at its limit of %s", l.Timeout)
			case err != nil:
				still.what = reason(s.password, err)
			}
			return Result{}, still
		}
		if late {
			return Result{}, tooLong
		}
	}
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return Result{}, fmt.Errorf("runner: query %s: the server did not answer within %s; the query was not sent",
			s.backend.Source, l.Timeout+grace)
	}
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok && refused.Number == interrupted &&
		ctx.Err() == nil && res.Took >= l.Timeout {
		return Result{}, tooLong // MySQL ends a search for a regular expression at its limit as if it was killed
	}
	if err != nil {
		return Result{}, s.classify(ctx, "query", err)
	}
	if ended && res.Took > l.Timeout {
		// MySQL ends SLEEP and BENCHMARK in time, but with a value instead of an error.
		return Result{}, tooLong
	}
	return res, nil
}

// conn takes a connection.
func (s *server) conn(ctx context.Context) (*sql.Conn, place, error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, place{}, err
	}
	at, err := placeOf(conn)
	if err != nil {
		conn.Close()
	}
	return conn, at, err
}

func placeOf(conn *sql.Conn) (at place, err error) {
	err = conn.Raw(func(c any) error {
		at = c.(session).place
		return nil
	})
	return at, err
}

// errNoRows is about a reply that no SELECT has.
var errNoRows = errors.New("the server answered without a result set")

// read runs text in a read-only transaction and reads its rows up to the limits. ended says that
// the statement came to its end on the server; else it may still run there, and conn is closed.
func (s *server) read(ctx context.Context, conn *sql.Conn, text string, l Limits) (res Result, ended bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: s.dialect.readOnlyTx})
	if err != nil {
		return Result{}, true, err
	}
	defer tx.Rollback() // nothing was written, so nothing can be lost
	if err := conn.Raw(func(c any) error { return c.(session).pinned(ctx) }); err != nil {
		return Result{}, true, err
	}
	rows, err := tx.QueryContext(ctx, text)
	if err != nil {
		return Result{}, answered(err), err
	}
	defer rows.Close()
	if res.Columns, err = rows.Columns(); err != nil {
		return Result{}, false, err
	}
	if len(res.Columns) == 0 {
		return Result{}, true, errNoRows
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return Result{}, false, err
	}
	var bytes int64
	raw, into := make([]any, len(types)), make([]any, len(types))
	for i := range raw {
		into[i] = &raw[i]
	}
	for rows.Next() {
		if len(res.Rows) == l.Rows {
			res.Truncated = true
			break
		}
		if err := rows.Scan(into...); err != nil {
			return Result{}, false, err
		}
		row := make([]any, len(raw))
		for i, v := range raw {
			if row[i], err = cell(v, types[i].DatabaseTypeName()); err != nil {
				cancel()
				return Result{}, false, err
			}
			bytes += CellBytes(row[i])
		}
		if bytes > l.Bytes {
			res.Truncated = true
			break
		}
		res.Rows = append(res.Rows, row)
	}
	if res.Truncated {
		// What is left is passed over if that is soon done: then nothing has to be stopped. Else the connection goes
		// first, because Close would read all the other rows.
		stop := time.AfterFunc(drainTime, cancel)
		for rows.Next() {
		}
		stop.Stop()
		ended := ctx.Err() == nil && (rows.Err() == nil || answered(rows.Err()))
		cancel()
		return res, ended, nil
	}
	if err := rows.Err(); err != nil {
		return Result{}, answered(err), err
	}
	return res, true, nil
}

// answered says that an error is the server's answer: the statement has ended. After any other it may still run.
func answered(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused)
}

//go:embed errors.txt
var errorList string

// ours are errors that no text of a query can cause, with what they say.
var ours = syntax.Table(errorList)

// interrupted is the error of a statement that was ended.
const interrupted = 1317

// unknownThread is the error of KILL for a connection that is gone. (The manual calls it ER_NO_SUCH_THREAD.)
const unknownThread = 1094

// serverError is an error of ours. Its text holds no password, whatever the wrapped error says.
type serverError struct {
	text string
	err  error
}

func (e *serverError) Error() string { return e.text }
func (e *serverError) Unwrap() error { return e.err }

// classify turns an error of the driver into one of three: the caller's own cancellation, a refusal
// of the query, or an error of ours that says what was being done and where.
func (s *server) classify(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok && ours[strconv.Itoa(int(refused.Number))] == "" {
		return &QueryError{Code: refused.Number, Message: scrub(refused.Message, s.password)}
	}
	return explain(doing, s.backend.Source, s.password, err)
}

// explain makes an error of ours: one line, the source redacted.
func explain(doing, source, password string, err error) error {
	return &serverError{fmt.Sprintf("runner: %s %s: %s", doing, source, reason(password, err)), err}
}

// reason is what an error of the driver's means, without the password.
func reason(password string, err error) string {
	text := err.Error()
	var (
		refused *mysql.MySQLError
		network *net.OpError
	)
	switch {
	case errors.As(err, &refused):
		// what was wrapped around it, such as a script's line, stays
		text = strings.Replace(text, refused.Error(), fmt.Sprintf("%d: %s", refused.Number, refused.Message), 1)
	case errors.Is(err, context.DeadlineExceeded):
		text = "the server does not answer; is it the right one, and not overloaded?"
	case errors.As(err, &network) && network.Op == "dial":
		text = network.Err.Error()
	case errors.Is(err, mysql.ErrInvalidConn), errors.Is(err, driver.ErrBadConn), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, sql.ErrConnDone), errors.As(err, &network):
		text = "the server closed the connection; was it stopped?"
	}
	return scrub(text, password)
}

// lacks returns the first of some functions that is not one of the server's own; "" is none. MySQL takes a stored or
// loaded function of that name then, and such a one may do anything. So the server is asked, by preparing a call
// without arguments, which runs nothing: its own functions complain of the number (1582) or the syntax (1064), nothing
// else does. Source: MySQL 8.0 Reference Manual, "Function Name Parsing and Resolution"; what 8.0.15 and MariaDB 10.11
// say.
func (s *server) lacks(ctx context.Context, names []string) (string, error) {
	if s.dialect.engine == "tidb" {
		return "", nil // it has no stored functions
	}
	var conn *sql.Conn
	for _, name := range names {
		s.mu.Lock()
		native, known := s.native[name]
		s.mu.Unlock()
		if !known {
			if conn == nil {
				var err error
				if conn, err = s.db.Conn(ctx); err != nil {
					return "", err
				}
				defer conn.Close()
			}
			stmt, err := conn.PrepareContext(ctx, fmt.Sprintf("SELECT %s()", name))
			if err == nil {
				stmt.Close()
			}
			var refused *mysql.MySQLError
			if err != nil && !errors.As(err, &refused) {
				return "", err
			}
			native = refused != nil && (refused.Number == 1582 || refused.Number == 1064)
			s.mu.Lock()
			s.native[name] = native
			s.mu.Unlock()
		}
		if !native {
			return name, nil
		}
	}
	return "", nil
}
