package runner

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// ours lists server errors that no query text can cause; every other refusal is the query's.
// Source: MySQL 8.0 Error Message Reference; MariaDB Error Codes (1927 to 1969); TiDB Error Codes (from 8000).
var ours = map[uint16]bool{
	1021:        true, // disk full
	1037:        true, // out of memory
	1040:        true, // too many connections
	1041:        true, // out of resources
	1042:        true, // bad host
	1043:        true, // bad handshake
	1044:        true, // access to the database denied
	1045:        true, // access denied
	1049:        true, // unknown database: a checked query names none
	1053:        true, // server shutdown
	1077:        true, // normal shutdown
	1079:        true, // shutdown complete
	1129:        true, // host blocked
	1130:        true, // host not allowed
	1135:        true, // cannot create a thread
	1142:        true, // SELECT on the table denied: introspection lists only what may be read, so the grants changed
	1143:        true, // the same for a column
	1152:        true, // aborted connection
	1184:        true, // new aborted connection
	1203:        true, // too many connections of this user
	1205:        true, // lock wait timeout
	1213:        true, // deadlock
	1226:        true, // resource limit of the user
	1251:        true, // client does not support the authentication
	interrupted: true, // by somebody's KILL
	1698:        true, // access denied, no password
	1820:        true, // password must be changed
	1862:        true, // password expired
	1927:        true, // connection was killed (MariaDB)
	3118:        true, // account locked
	3159:        true, // secure transport required
	3169:        true, // session was killed
	3955:        true, // account blocked by password lock
	4031:        true, // disconnected for inactivity
	4151:        true, // account locked (MariaDB)
	9001:        true, // placement driver timeout (TiDB)
	9002:        true, // TiKV timeout
	9003:        true, // TiKV busy
	9005:        true, // region unavailable
}

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
	var refused *mysql.MySQLError
	if errors.As(err, &refused) && !ours[refused.Number] {
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
