// Package draft is a model's text while guards mend it: parsed and bound once for all rules
// that leave it as it is. It knows no rule. Begin with Text. It imports bind, question, schema and syntax.
package draft

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// MaxBytes is the longest query that guards look into; what is longer is left to Check as it is.
const MaxBytes = 8 << 10

// Text is what guards mend. The rules of one pipeline share one, in turn.
type Text struct {
	SQL      string
	Question *question.Question // nil, or one without words, switches the rules that read it off
	Schema   *schema.Schema     // nil switches the rules that need one off

	parsed string       // what stmt and the others were made of
	stmt   ast.StmtNode // nil if that is not one SELECT
	bound  *bind.Bound
	issues []bind.Issue
}

// Asked is the question's text; "" where there is none.
func (t *Text) Asked() string {
	if t.Question == nil {
		return ""
	}
	return t.Question.Text
}

// Parse is the tree of a text, with a memory of the last one; ok is false if it is not one SELECT.
func (t *Text) Parse(sql string) (stmt ast.StmtNode, ok bool) {
	if t.parsed != sql || sql == "" {
		t.stmt, _ = syntax.OneSelect(sql)
		t.parsed, t.bound = sql, nil
	}
	return t.stmt, t.stmt != nil
}

// Bind is the tree of the text with its names bound, and what is wrong with them; ok is false if it is not one
// SELECT, too long, or if there is no schema. A rule that changes the tree and then leaves the text as it is must
// forget it.
func (t *Text) Bind() (b *bind.Bound, issues []bind.Issue, ok bool) {
	if t.Schema == nil || len(t.SQL) > MaxBytes {
		return nil, nil, false
	}
	stmt, ok := t.Parse(t.SQL)
	if !ok {
		return nil, nil, false
	}
	if t.bound == nil {
		t.bound, t.issues = bind.Bind(stmt, t.Schema)
	}
	return t.bound, t.issues, true
}

// Forget drops a tree that was changed.
func (t *Text) Forget() { t.parsed, t.stmt, t.bound = "", nil, nil }

// Print writes a changed tree. ok is false if it does not read back, or as the text itself, in which case the change
// is dropped.
func (t *Text) Print(n ast.Node) (sql string, ok bool) {
	t.Forget()
	sql, err := syntax.Print(n)
	if err != nil || sql == t.SQL {
		return t.SQL, false
	}
	if _, ok = t.Parse(sql); !ok {
		return t.SQL, false
	}
	return sql, true
}

// OnTree makes a rule of what mends the tree of a query and says why, or leaves it as it is and says nothing.
func OnTree(mend func(t *Text, b *bind.Bound) (why string)) func(t *Text) (out, why string) {
	return func(t *Text) (out, why string) {
		b, _, ok := t.Bind()
		if !ok {
			return t.SQL, ""
		}
		if why = mend(t, b); why == "" {
			return t.SQL, ""
		}
		if out, ok = t.Print(b.Stmt); !ok {
			return t.SQL, ""
		}
		return out, why
	}
}
