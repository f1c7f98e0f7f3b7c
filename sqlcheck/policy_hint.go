package sqlcheck

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
)

// policyHints say what to write instead of what the policy refuses.
var policyHints = map[Reason]string{
	"multiple_statements": "write one SELECT statement and nothing behind it",
	"not_select":          "write one SELECT statement; nothing else may run",
	"executable_comment":  "leave out comments and optimizer hints",
	"hint":                "leave out optimizer hints",
	"modifier":            "leave out modifiers behind SELECT other than DISTINCT",
	"into":                "leave out INTO",
	"locking_clause":      "leave out FOR UPDATE and FOR SHARE",
	"variable":            "use no variables; a subquery or a window function does the same",
	"system_schema":       "use the tables of this schema only",
	"other_database":      "use the tables of this schema only, without a database before their names",
	"forbidden_function":  "leave this function out; it may not be called",
	"forbidden_construct": "leave this construct out; it may not be used",
	"unbounded_recursion": "end the recursion with a comparison in its WHERE clause",
	"huge_result":         "make shorter texts, and use a column less often",
	"long_search":         "search a shorter text, or for a shorter one",
	"regexp_empty":        "replace what is at least one character long, and write the regular expression as one text",
	"regexp_group":        "let the replacement name only groups that the regular expression has, and write both as texts",
	"json_path":           "write the JSON path as one text, with ** once at most",
	"too_deep":            "nest less deeply",
	"too_long":            "write a shorter statement",
	"restored_otherwise":  "write this part in a plainer way, with brackets",
	"too_many_tables":     "join fewer tables",
	"too_many_items":      "name fewer columns",
}

// forbid returns a rejecting verdict of the policy.
func forbid(why Reason, detail string, pos int) Verdict {
	v := Reject("policy", why, detail)
	v.Hint, v.Pos = policyHints[why], pos
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
