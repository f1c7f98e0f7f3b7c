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

	"github.com/go-sql-driver/mysql"

	"nl2sql/sqlcheck/syntax"
)

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
