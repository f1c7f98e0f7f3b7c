package role

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Rewrite makes a query read only what the role sees: each reference to a table that is not seen whole becomes a
// derived table, wherever it stands. The query is one that was checked against the role's schema; another is refused,
// and so is one that is none any more, as a verdict without a detail: that could name what the role does not see. What
// comes out was checked against the whole schema.
func (s *Sight) Rewrite(q sqlcheck.Query) (sqlcheck.Query, sqlcheck.Verdict, error) {
	b, ok := sqlcheck.Tree(q, s.Schema)
	if !ok {
		again, v, err := sqlcheck.Check(q.SQL(), s.Schema)
		if err == nil && v.OK {
			err = fmt.Errorf("role: %s does not bind, and passes the check", again.SQL())
		}
		return sqlcheck.Query{}, v, err
	}
	changed, err := s.replace(b)
	if err != nil || !changed {
		return q, sqlcheck.Pass("refs"), err
	}
	text, err := syntax.Restore(b.Stmt)
	if err != nil {
		return sqlcheck.Query{}, sqlcheck.Verdict{}, err
	}
	// How much it may cost was checked with what the role sees: whether it is refused here hangs on no row.
	out, v, err := sqlcheck.CheckView(text, s.full)
	if err == nil && !v.OK {
		v = sqlcheck.Verdict{Check: v.Check, Reason: v.Reason, Code: v.Code,
			Hint: "it is so when what the role may see of its tables is written out"}
	}
	return out, v, err
}

// replace puts the derived tables in their places.
func (s *Sight) replace(b *bind.Bound) (changed bool, err error) {
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			if src.Table == nil {
				continue
			}
			ru := s.rules[strings.ToLower(src.Table.Name)]
			if ru == nil {
				continue
			}
			stmt, ok := syntax.OneSelect(ru.derived)
			if !ok {
				return false, fmt.Errorf("role: %s cannot be read", ru.derived)
			}
			src.Node.Source, src.Node.AsName = stmt.(ast.ResultSetNode), ast.NewCIStr(src.Name)
			changed = true
		}
	}
	return changed, nil
}

// qualify puts the database's name before every table, and counts them.
func qualify(b *bind.Bound) (tables int) {
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			if src.Table == nil {
				continue
			}
			tables++
			if name, is := src.Node.Source.(*ast.TableName); is {
				name.Schema = ast.NewCIStr(b.Schema.Name)
			}
		}
	}
	return tables
}

// withValues reads a SELECT and its condition, and writes it with the values in the places of their names.
func (r *Role) withValues(before, where string) (string, error) {
	stmts, perr, err := syntax.Parse(before + where)
	if err != nil {
		return "", err
	}
	if perr != nil || len(stmts) != 1 {
		return "", fmt.Errorf("this is no condition: %s", syntax.Start(where))
	}
	sel, ok := stmts[0].(*ast.SelectStmt)
	if !ok || sel.Where == nil || sel.GroupBy != nil || sel.OrderBy != nil || sel.Limit != nil || sel.Having != nil ||
		len(sel.WindowSpecs) > 0 {
		return "", errors.New("give a condition, without the word WHERE")
	}
	if _, whole := sel.Where.(*ast.ParenthesesExpr); !whole {
		return "", errors.New("its brackets do not match")
	}
	edit.Rewrite(sel, func(n ast.ExprNode) ast.ExprNode {
		v, is := n.(*ast.VariableExpr)
		if !is || v.IsSystem || v.Value != nil {
			return n
		}
		given, there := r.values[strings.ToLower(v.Name)]
		if !there {
			err = fmt.Errorf("values has no type of @%s: add %[1]s: int", v.Name)
			return n
		}
		lit, failed := given.literal()
		if failed != nil {
			err = failed
		}
		return lit
	})
	if err != nil {
		return "", err
	}
	return syntax.Restore(sel)
}

// viewBody is what a view with that query comes to for the role. The error says what it reads that the role lacks.
func (s *Sight) viewBody(query string, view *schema.Table) (*string, error) {
	q, verdict, err := sqlcheck.CheckView(query, s.Schema)
	if err != nil {
		return nil, err
	}
	if !verdict.OK {
		return nil, fmt.Errorf("the view cannot be read by the role: %s", verdict)
	}
	b, ok := sqlcheck.Tree(q, s.Schema)
	if !ok {
		return nil, errors.New("the view cannot be read")
	}
	if err := label(b, q.Labels(), view.ColumnNames()); err != nil {
		return nil, err
	}
	qualify(b)
	if _, err := s.replace(b); err != nil {
		return nil, err
	}
	text, err := syntax.Restore(b.Stmt)
	return &text, err
}

// label gives the columns of a query the names that a view has for them.
func label(b *bind.Bound, labels, names []string) error {
	if len(labels) != len(names) {
		return fmt.Errorf("the view has %d columns, and its query %d", len(names), len(labels))
	}
	sel := firstSelect(b.Queries[b.Stmt])
	for i, name := range names {
		if labels[i] == name {
			continue
		}
		if sel == nil || len(sel.Fields.Fields) != len(names) || sel.Fields.Fields[i].WildCard != nil {
			return errors.New("the view's columns have other names than those of its query")
		}
		sel.Fields.Fields[i].AsName = ast.NewCIStr(name)
	}
	return nil
}

// firstSelect is the SELECT that names the columns of a query.
func firstSelect(q *bind.Query) *ast.SelectStmt {
	for q.Block == nil && len(q.Parts) > 0 {
		q = q.Parts[0]
	}
	if q.Block == nil {
		return nil
	}
	return q.Block.Select
}
