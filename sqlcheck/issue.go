package sqlcheck

import "github.com/pingcap/tidb/pkg/parser/ast"

// Issue is one thing that is wrong with a statement: a rejecting verdict, with what a repair needs to act on it.
type Issue struct {
	Verdict
	Node   ast.Node   // the offender, or nil
	Ref    *ColumnRef // the offending column name, or nil
	Block  *Block     // where it stands, or nil
	Near   []string   // names in reach that are spelled almost like the offender, best first
	Owners []Owner    // where a column of that name is
}

// Owner is a table that has the column that was looked for in the wrong place.
type Owner struct {
	Table  *Table
	Source *Source // set if the table is in FROM already
	From   *Source // the table in FROM that Way starts at
	Way    []Join  // foreign keys from From to Table; nil if Source is set or no way is known
	Unique bool    // no other way is as short
}

// refuse returns a rejecting verdict of the reference check with MySQL's error number.
func refuse(why Reason, detail string, code uint16, hint string) Verdict {
	v := Reject("refs", why, detail)
	v.Code, v.Hint = code, hint
	return v
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

// at is the issue's verdict, with a position in the statement's text if only the text has it.
func (i Issue) at(sql string) Verdict {
	v := i.Verdict
	if v.Pos == 0 && i.Node != nil {
		v.Pos = i.Node.OriginTextPosition()
	}
	if t, ok := i.Node.(*ast.TableName); ok {
		v.Pos = namePos(sql, t.Name.O)
	}
	return v
}
