package sqlcheck

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Report is everything that strict mode has to say about one statement, for an agent that mends it by itself.
type Report struct {
	Valid      bool      `json:"valid"` // no errors; warnings do not count
	Issues     []Finding `json:"issues"`
	TablesUsed []string  `json:"tables_used"`  // base tables, as the schema spells them
	FieldsUsed []string  `json:"fields_used"`  // base columns as table.column
	Dangerous  bool      `json:"is_dangerous"` // it would do more than read this schema's tables

	Bound *bind.Bound `json:"-"` // nil if its names were not looked at, or calls have wrong arguments
}

// Finding is one error or warning.
type Finding struct {
	Type       string `json:"type"` // "error" or "warning"
	Reason     Reason `json:"reason"`
	Code       uint16 `json:"code,omitempty"` // MySQL's number; 0 if it has none
	Message    string `json:"message"`
	Suggestion string `json:"suggestion,omitempty"`
	Position   int    `json:"position,omitempty"` // byte offset; 0 is also unknown
}

// Inspect checks sql as [Check] does, but collects all errors. Warnings are the business of package doubt.
func Inspect(sql string, s *schema.Schema) Report {
	r := Report{Issues: []Finding{}, TablesUsed: []string{}, FieldsUsed: []string{}}
	sql = syntax.Readable(sql)
	stmt, v := parseOne(sql)
	if v.OK {
		v = policy(sql, stmt, s)
	}
	if !v.OK {
		r.Issues = append(r.Issues, v.finding())
		first, _ := syntax.NextToken(sql, syntax.SkipBlank(sql, 0))
		r.Dangerous = v.Check == "policy" || writeVerbs[strings.ToUpper(first.Text)]
		if v.Check != "refs" { // an unknown function leaves the names to be looked at
			return r
		}
	}
	if s == nil {
		r.Valid = v.OK
		return r
	}
	bound, issues := bind.Bind(stmt, s)
	counted := !slices.ContainsFunc(syntax.All[*ast.FuncCallExpr](stmt), func(n *ast.FuncCallExpr) bool {
		args, known := cost.Arities[n.FnName.L]
		return known && !args.Takes(len(n.Args))
	})
	if counted { // of a call with other arguments than it takes nobody can say more
		r.Bound = bound
	}
	for _, issue := range issues {
		r.Issues = append(r.Issues, verdictOf(issue, sql).finding())
	}
	if counted && len(issues) == 0 {
		if v := limits(bound, false, s); !v.OK {
			r.Issues, r.Dangerous = append(r.Issues, v.finding()), true
		}
	}
	r.Valid = len(r.Issues) == 0
	r.TablesUsed = append(r.TablesUsed, bound.Tables()...)
	r.FieldsUsed = append(r.FieldsUsed, bound.Fields()...)
	return r
}

func (v Verdict) finding() Finding {
	return Finding{"error", v.Reason, v.Code, v.String(), v.Hint, v.Pos}
}

// writeVerbs begin statements that change something, which need not parse.
var writeVerbs = syntax.WordSet("INSERT UPDATE DELETE REPLACE DROP TRUNCATE ALTER CREATE GRANT REVOKE RENAME SET CALL LOAD LOCK KILL DO EXECUTE PREPARE")
