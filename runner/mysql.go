package runner

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"nl2sql/sqlcheck"
)

const (
	// graceTime is how much longer than the server's own timeout we wait for it to act.
	graceTime = 5 * time.Second
	// killTime bounds stopping a statement, and so what Ctrl-C costs when the server hangs.
	killTime = 3 * time.Second
)

// server is the DB of a go-sql-driver DSN.
type server struct {
	db       *sql.DB
	dialect  dialect
	limits   Limits
	backend  Backend
	password string

	mu     sync.Mutex
	schema *sqlcheck.Schema // nil until read
}

func (s *server) Backend() Backend { return s.backend }

func (s *server) Close() error { return s.db.Close() }

// Query runs one SELECT. On return nothing of it runs on the server any more, or the error says so.
func (s *server) Query(ctx context.Context, q sqlcheck.Query) (Result, error) {
	res, err := s.run(ctx, q.SQL(), s.limits)
	if labels := q.Labels(); err == nil && len(labels) == len(res.Columns) {
		res.Columns = labels
	}
	return res, err
}

// run runs any text. Only Query, introspection and tests call it.
func (s *server) run(ctx context.Context, text string, l Limits) (Result, error) {
	start := time.Now()
	conn, id, err := s.conn(ctx)
	if err != nil {
		return Result{}, s.classify(ctx, "query", err)
	}
	limited, cancel := context.WithTimeout(ctx, l.Timeout+graceTime)
	res, ended, err := s.read(limited, conn, text, l)
	cancel()
	if !ended {
		// A small result may have been drained before the cancellation came through; the pool must not lend such a
		// connection again, least of all to the KILL that is meant for it.
		conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	conn.Close()
	res.Took = time.Since(start)

	tooLong := &QueryError{Code: s.dialect.timedOut, Message: "Query execution was interrupted, maximum statement execution time exceeded"}
	if !ended {
		if killErr := s.kill(ctx, id); killErr != nil {
			killErr = explain("stop the statement on", s.backend.Source, s.password, killErr)
			if ctx.Err() != nil {
				return Result{}, fmt.Errorf("%w (%v)", ctx.Err(), killErr)
			}
			return Result{}, killErr
		}
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return Result{}, tooLong
		}
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

// conn takes a connection and its id on the server.
func (s *server) conn(ctx context.Context) (conn *sql.Conn, id int64, err error) {
	if conn, err = s.db.Conn(ctx); err != nil {
		return nil, 0, err
	}
	err = conn.Raw(func(c any) error {
		id = c.(session).id
		return nil
	})
	if err != nil {
		conn.Close()
		return nil, 0, err
	}
	return conn, id, nil
}

// read runs text in a read-only transaction and reads its rows up to the limits. ended says that
// the statement came to its end on the server; else it may still run there, and conn is closed.
func (s *server) read(ctx context.Context, conn *sql.Conn, text string, l Limits) (res Result, ended bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: s.dialect.readOnlyTx})
	if err != nil {
		return Result{}, ctx.Err() == nil, err
	}
	defer tx.Rollback() // nothing was written, so nothing can be lost
	if err := conn.Raw(func(c any) error { return c.(session).pinned(ctx) }); err != nil {
		return Result{}, ctx.Err() == nil, err
	}
	rows, err := tx.QueryContext(ctx, text)
	if err != nil {
		return Result{}, ctx.Err() == nil, err
	}
	defer rows.Close()
	if res.Columns, err = rows.Columns(); err != nil {
		return Result{}, false, err
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
			bytes += size(row[i])
		}
		if bytes > l.Bytes {
			res.Truncated = true
			break
		}
		res.Rows = append(res.Rows, row)
	}
	if res.Truncated {
		cancel() // first, because Close would read all the other rows
		return res, false, nil
	}
	if err := rows.Err(); err != nil {
		return Result{}, ctx.Err() == nil, err
	}
	return res, true, nil
}

// kill stops the statement of a connection that is closed on our side, through another one, and returns when the
// server no longer knows it. A user may kill its own connections without any privilege.
func (s *server) kill(ctx context.Context, id int64) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTime)
	defer cancel()
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		_, err := s.db.ExecContext(ctx, fmt.Sprintf("KILL QUERY %d", id))
		var refused *mysql.MySQLError
		if errors.As(err, &refused) && refused.Number == unknownThread {
			return nil
		}
		if err != nil {
			return err
		}
		if s.dialect.engine == "tidb" {
			return nil // it does not say whether the connection is gone
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("connection %d does not end: %w", id, ctx.Err())
		case <-time.After(wait):
		}
	}
}
