package bind

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
)

// Fault says what is wrong, in the words of a verdict.
type Fault struct {
	Reason string // "unknown_column"
	Detail string // the offender as written, e.g. "orders.foo"
	Hint   string // what to do about it, one line
	Code   uint16 // MySQL's number for the same error
	Pos    int    // byte offset of the offender in the text; 0 is also unknown
}

// Issue is one thing that is wrong with a statement, with what a repair needs to act on it.
type Issue struct {
	Fault
	Node   ast.Node   // the offender, or nil
	Ref    *ColumnRef // the offending column name, or nil
	Block  *Block     // where it stands, or nil
	Near   []string   // names in reach that are spelled almost like the offender, best first
	Owners []Owner    // where a column of that name is
}

// Owner is a table that has the column that was looked for in the wrong place.
type Owner struct {
	Table  *schema.Table
	Source *Source       // set if the table is in FROM already
	From   *Source       // the table in FROM that Way starts at
	Way    []schema.Join // foreign keys from From to Table; nil if Source is set or no way is known
	Unique bool          // no other way is as short
}

func fault(why, detail string, code uint16, hint string) Fault {
	return Fault{Reason: why, Detail: detail, Hint: hint, Code: code}
}

// maxIssues is how many issues of one statement are told.
const maxIssues = 50

func (b *binder) issue(i Issue) {
	if len(b.issues) >= maxIssues {
		return
	}
	if i.Pos == 0 && i.Ref != nil {
		i.Pos = i.Ref.Pos
	}
	if i.Block == nil && i.Ref != nil {
		i.Block = i.Ref.Block
	}
	b.issues = append(b.issues, i)
}
