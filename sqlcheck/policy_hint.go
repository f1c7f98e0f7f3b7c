package sqlcheck

import (
	_ "embed"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// hints say what to write instead of what the policy refuses.
//
//go:embed hints.txt
var hints string

var policyHints = syntax.Table(hints)

// forbid returns a rejecting verdict of the policy.
func forbid(why Reason, detail string, pos int) Verdict {
	v := Reject("policy", why, detail)
	v.Hint, v.Pos = policyHints[string(why)], pos
	return v
}

// refuse returns a rejecting verdict of the reference check with MySQL's error number.
func refuse(why Reason, detail string, code uint16, hint string) Verdict {
	v := Reject("refs", why, detail)
	v.Code, v.Hint = code, hint
	return v
}

// verdictOf is the verdict on an issue, with a position in the statement's text if only the text has it.
func verdictOf(i bind.Issue, sql string) Verdict {
	v := refuse(Reason(i.Reason), i.Detail, i.Code, i.Hint)
	v.Pos = i.Pos
	if v.Pos == 0 && i.Node != nil {
		v.Pos = i.Node.OriginTextPosition()
	}
	if t, ok := i.Node.(*ast.TableName); ok {
		v.Pos = namePos(sql, t.Name.O)
	}
	return v
}
