package sqlcheck

import (
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Tree parses a query that was checked against s once more and binds it. The tree is the caller's to change.
// ok is false if there is no schema to bind to.
func Tree(q Query, s *schema.Schema) (b *bind.Bound, ok bool) {
	stmt, ok := syntax.OneSelect(q.sql)
	if !ok || s == nil {
		return nil, false
	}
	b, issues := bind.Bind(stmt, s)
	return b, len(issues) == 0
}
