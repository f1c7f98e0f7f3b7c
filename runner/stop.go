package runner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
)

// StillRunning says that a statement may still run on a server, as which connection, and what to do about it.
type StillRunning struct {
	ID     int64  // of the connection on the server
	source string // Backend.Source
	what   string // went wrong first; "" if it was told to stop
	why    string // it could not be stopped

	refused bool // the server takes no connections at all: it is gone, and its statements with it
}

func (e *StillRunning) Error() string {
	text := "runner: query " + e.source + ": "
	if e.what != "" {
		text += e.what + "; "
	}
	return fmt.Sprintf("%s%s: its connection was dropped, and the statement may still run as connection %d: "+
		"look for it there with SHOW PROCESSLIST and end it with KILL %d", text, e.why, e.ID, e.ID)
}

// full lists the errors of a server that has no place for one more connection. The one that is being stopped may be
// about to leave its own. Source: as ours.
var full = map[uint16]bool{1040: true, 1203: true, 1226: true}

// stop ends the statement of a connection that is closed on our side, through another one, and returns when the
// server no longer knows it, or why it may still run. A user may kill its own connections without any privilege.
func (s *server) stop(ctx context.Context, at place) *StillRunning {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTime)
	defer cancel()
	still := &StillRunning{ID: at.id, source: s.backend.Source, why: "KILL could not be sent: no answer within " +
		killTime.String()}
	var conn *sql.Conn // of a pool of its own: other queries wait for connections, too
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		var err error
		elsewhere := false
		if conn == nil {
			if conn, elsewhere, err = s.killer(ctx, at); conn != nil {
				defer conn.Close()
			}
		}
		if conn != nil {
			_, err = conn.ExecContext(ctx, fmt.Sprintf("KILL %d", at.id))
		}
		refused, _ := errors.AsType[*mysql.MySQLError](err)
		switch {
		case refused != nil && refused.Number == unknownThread:
			return nil
		case refused != nil && full[refused.Number]:
			still.why = "KILL could not be sent: " + reason(s.password, err)
		case errors.Is(err, context.DeadlineExceeded):
			return still
		case elsewhere:
			still.why = "KILL could not be sent: other connections end on other servers"
		case err != nil:
			still.why = "KILL could not be sent: " + reason(s.password, err)
			still.refused = errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT)
			return still
		case s.dialect.engine == "tidb" && unlisted(ctx, conn, at.id):
			// its KILL says the same of a connection that is gone
			return nil
		default:
			still.why = "it did not end on KILL within " + killTime.String()
		}
		select {
		case <-ctx.Done():
			return still
		case <-time.After(wait):
		}
	}
}

// unlisted says that the server lists a connection no more. A user sees its own without any privilege.
func unlisted(ctx context.Context, conn *sql.Conn, id int64) bool {
	var n int
	err := conn.QueryRowContext(ctx,
		fmt.Sprintf("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = %d", id)).Scan(&n)
	return err == nil && n == 0 // after an error it is asked again, as long as there is time
}

// killer makes a connection to the server of another one. elsewhere says that it ended on another server, where the id
// may be somebody else's.
func (s *server) killer(ctx context.Context, at place) (conn *sql.Conn, elsewhere bool, err error) {
	if conn, err = s.killers.Conn(ctx); err != nil {
		return nil, false, err
	}
	now, err := placeOf(conn)
	if err == nil && now.server == at.server {
		return conn, false, nil
	}
	return nil, err == nil, errors.Join(err, conn.Close())
}
