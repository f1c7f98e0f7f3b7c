package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// DB is one database that can be asked. All of them take only a [sqlcheck.Query],
// which nothing but [sqlcheck.Check] can make, so no unvalidated text reaches an engine.
// A DB is safe for concurrent use.
type DB interface {
	// Query runs one SELECT. A refusal by the engine is a *QueryError; any other error
	// is ours (network, time-out, grants) and ends the run.
	Query(ctx context.Context, q sqlcheck.Query) (Result, error)
	// Schema returns the tables, keys and known values; it is read once and kept.
	Schema(ctx context.Context) (*schema.Schema, error)
	Backend() Backend
	Close() error
}

// Backend says what ran a query; it goes into traces and run cards.
type Backend struct {
	Engine   string `json:"engine"`  // "mysql", "mariadb", "tidb", "embedded"
	Version  string `json:"version"` // as the engine reports it
	Database string `json:"database"`
	Source   string `json:"source"` // the --db value, password redacted

	Role string `json:"role,omitempty"` // what a role of this name and hash sees of it; "" is all
}

// Limits bound one query. The zero value means the defaults.
type Limits struct {
	Rows    int           // 0 means 1,000
	Bytes   int64         // sum of the cells' bytes; 0 means 16 MiB
	Timeout time.Duration // 0 means 30 s

	TrustViews bool // views that call stored functions are part of the schema

	// Unread says that a server's values are left unread: whoever opens it reads them [As] a role sees them.
	Unread bool
}

// WithDefaults fills in the zero fields.
func (l Limits) WithDefaults() Limits {
	l.Rows = cmp.Or(l.Rows, 1000)
	l.Bytes = cmp.Or(l.Bytes, 16<<20)
	l.Timeout = cmp.Or(l.Timeout, 30*time.Second)
	return l
}

// Result is a bounded result set. A cell is nil, int64, uint64, float64, Decimal, string or []byte;
// dates and times are strings as MySQL prints them.
type Result struct {
	Columns   []string      `json:"columns"`
	Rows      [][]any       `json:"rows"`
	Truncated bool          `json:"truncated,omitempty"` // there were more rows or bytes; never compare such a result
	Took      time.Duration `json:"took_ns,omitempty"`
}

// RowCount says how many rows there are: "no rows", "1 row", "1000 rows shown, there are more".
func (r Result) RowCount() string {
	count := fmt.Sprintf("%d rows", len(r.Rows))
	switch len(r.Rows) {
	case 0:
		count = "no rows"
	case 1:
		count = "1 row"
	}
	if r.Truncated {
		count += " shown, there are more"
	}
	return count
}

// Decimal is an exact DECIMAL value in MySQL's notation, e.g. "-12.50".
type Decimal string

// QueryError says that the engine understood us and refused the query: the model's
// mistake, scored as VA=0 and shown to the model.
type QueryError struct {
	Code    uint16 // MySQL error number, e.g. 1054 for an unknown column; 0 if there is none
	Message string // the engine's text, no statement in it
}

func (e *QueryError) Error() string {
	if e.Code == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d: %s", e.Code, e.Message)
}

// TimedOut reports whether the statement took longer than it may.
func (e *QueryError) TimedOut() bool {
	return slices.ContainsFunc(dialects, func(d dialect) bool { return d.timedOut == e.Code })
}
