package sqlcheck

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
	"github.com/pingcap/tidb/pkg/parser/types"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Caps on a tree, so that checking it takes little time whatever a model writes.
const (
	maxDepth  = 1000 // levels; long chains of AND and OR are deep
	maxTables = 61   // in one statement; MySQL allows as many in one FROM (1116)
	maxOrder  = 64   // in one ORDER BY or GROUP BY
)

// policy decides whether a statement, which is all of sql, may run at all: one SELECT that only reads this schema's
// tables, made of known constructs and known functions. A node that it does not know is refused.
func policy(sql string, stmt ast.StmtNode, s *schema.Schema) Verdict {
	w := &policyWalk{sql: sql, verdict: Pass("policy")}
	if s != nil {
		w.database = s.Name
	}
	stmt.Accept(w)
	return w.verdict
}

type policyWalk struct {
	sql      string
	database string // the only qualifier that names may have
	verdict  Verdict
	depth    int
	closed   ast.ExprNode // what the node before had in brackets or commas around it
	tables   int
	json     *syntax.JSONTable // the last one
}

func (w *policyWalk) refuse(why Reason, detail string, pos int) {
	if w.verdict.OK {
		w.verdict = forbid(why, detail, pos)
	}
}

// syntax refuses what TiDB's parser takes and MySQL's does not.
func (w *policyWalk) syntax(code uint16, detail, hint string) {
	if w.verdict.OK {
		w.verdict = Verdict{Check: "parse", Reason: "syntax", Detail: detail, Code: code, Hint: hint}
	}
}

// Enter implements ast.Visitor.
func (w *policyWalk) Enter(n ast.Node) (ast.Node, bool) {
	if w.depth++; w.depth > maxDepth {
		w.refuse("too_deep", strconv.Itoa(maxDepth)+" levels", 0)
	}
	if !w.verdict.OK {
		return n, true
	}
	switch n := n.(type) {
	case *ast.SelectStmt:
		w.selectStmt(n)
	case *ast.TableSource:
		if _, ok := n.Source.(*ast.TableName); ok {
			break
		}
		if _, ok := n.Source.(*ast.Join); !ok && n.AsName.O == "" {
			w.verdict = refuse("derived_without_alias", "", 1248, "give the subquery in FROM an alias")
		}
		if n.Lateral {
			w.json = syntax.JSONTableOf(n.Source)
		}
	case *ast.Join:
		lateral := func(t *ast.TableSource) bool { return t.Lateral && syntax.JSONTableOf(t.Source) == nil }
		if n.Tp == ast.RightJoin && slices.ContainsFunc(syntax.All[*ast.TableSource](n), lateral) {
			w.refuse("lateral_right", "", 0) // MySQL 8.0.15 ends with signal 11
		}
	case *ast.TableName:
		w.tableName(n)
	case *ast.ColumnName:
		w.qualifier(n.Schema)
	case *ast.WithClause:
		if name := cost.Unbounded(n); name != "" {
			w.refuse("unbounded_recursion", name, 0)
		}
	case *ast.FuncCallExpr:
		w.function(n)
	case *ast.AggregateFuncExpr:
		switch name := strings.ToLower(n.F); {
		case !aggregates[name]:
			w.noFunction(name, n.OriginTextPosition())
		case n.Distinct && !distinctAggregates[name]:
			w.syntax(1064, strings.ToUpper(name)+"(DISTINCT …)", "this aggregate takes no DISTINCT")
		}
	case *ast.WindowFuncExpr:
		w.window(n)
	case *ast.FuncCastExpr:
		w.cast(n)
	case *ast.MatchAgainst:
		if n.Modifier.WithQueryExpansion() {
			w.refuse("forbidden_construct", "WITH QUERY EXPANSION", n.OriginTextPosition())
		}
	case *ast.PatternLikeOrIlikeExpr:
		if !n.IsLike {
			w.syntax(1064, "ILIKE", "MySQL has no ILIKE; LIKE ignores case already")
		}
	case *ast.FrameClause:
		if n.Type == ast.Groups {
			w.syntax(1235, "GROUPS", "MySQL has no window frames in GROUPS; use ROWS or RANGE")
		}
	case *ast.OrderByClause:
		if len(n.Items) > maxOrder {
			w.refuse("too_many_items", "ORDER BY", 0)
		}
	case *ast.GroupByClause:
		w.groupBy(n)
	case *test_driver.ValueExpr:
		if set := n.Type.GetCharset(); n.Type.GetFlag()&mysql.UnderScoreCharsetFlag != 0 &&
			!strings.HasPrefix(set, "utf8") {
			w.refuse("forbidden_construct", "_"+set+" literal", n.OriginTextPosition())
		}
	case *ast.SetOprSelectList:
		for _, sel := range n.Selects[:len(n.Selects)-1] {
			if s, ok := sel.(*ast.SelectStmt); ok && !s.IsInBraces && (s.OrderBy != nil || s.Limit != nil) {
				w.syntax(1064, "ORDER BY or LIMIT before a set operator",
					"put the SELECT that has ORDER BY or LIMIT in parentheses")
			}
		}
	case *ast.SelectField:
		w.closed = n.Expr
	case *ast.ParenthesesExpr:
		w.closed = n.Expr
	case *ast.SetOprStmt, *ast.CommonTableExpression, *ast.FieldList,
		*ast.TableRefsClause, *ast.OnCondition, *ast.ByItem, *ast.HavingClause, *ast.Limit,
		*ast.WindowSpec, *ast.PartitionByClause, *ast.FrameBound,
		*ast.BetweenExpr, *ast.BinaryOperationExpr, *ast.WhenClause, *ast.CaseExpr, *ast.SubqueryExpr,
		*ast.CompareSubqueryExpr,
		*ast.ColumnNameExpr, *ast.ExistsSubqueryExpr, *ast.PatternInExpr, *ast.IsNullExpr, *ast.IsTruthExpr,
		*ast.PositionExpr, *ast.PatternRegexpExpr, *ast.RowExpr, *ast.UnaryOperationExpr,
		*ast.SetCollationExpr, *ast.TimeUnitExpr, *ast.TrimDirectionExpr, *ast.GetFormatSelectorExpr:
	case ast.ParamMarkerExpr:
		w.refuse("forbidden_construct", "?", n.OriginTextPosition())
	case *ast.VariableExpr:
		w.refuse("variable", n.Name, n.OriginTextPosition())
	default:
		w.refuse("forbidden_construct", strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast."), n.OriginTextPosition())
	}
	return n, !w.verdict.OK
}

// Leave implements ast.Visitor.
func (w *policyWalk) Leave(n ast.Node) (ast.Node, bool) {
	w.depth--
	return n, true
}

func (w *policyWalk) groupBy(n *ast.GroupByClause) {
	if len(n.Items) > maxOrder {
		w.refuse("too_many_items", "GROUP BY", 0)
	}
	for _, item := range n.Items {
		if item.Desc || !item.NullOrder {
			w.syntax(1064, "GROUP BY … DESC", "GROUP BY takes no ASC or DESC; use ORDER BY")
		}
	}
}

func (w *policyWalk) selectStmt(n *ast.SelectStmt) {
	switch {
	case n.Kind != ast.SelectStmtKindSelect:
		w.refuse("not_select", n.Kind.String(), 0)
	case n.SelectIntoOpt != nil:
		w.refuse("into", "", 0)
	case n.LockInfo != nil && n.LockInfo.LockType != ast.SelectLockNone:
		w.refuse("locking_clause", n.LockInfo.LockType.String(), 0)
	case len(n.TableHints) > 0:
		w.refuse("hint", "", 0)
	}
	if o := n.SelectStmtOpts; o != nil {
		switch {
		case o.CalcFoundRows:
			w.refuse("modifier", "SQL_CALC_FOUND_ROWS", 0)
		case o.SQLBigResult || o.SQLBufferResult || o.SQLSmallResult || !o.SQLCache || o.Priority != mysql.NoPriority:
			w.refuse("modifier", "", 0)
		case len(o.TableHints) > 0:
			w.refuse("hint", "", 0)
		}
		o.StraightJoin = false // it changes no row: what runs goes without
	}
	if n.Fields == nil || len(n.Fields.Fields) == 0 {
		w.syntax(1064, "empty select list", "")
		return
	}
	if len(n.Fields.Fields) > bind.MaxItems {
		w.refuse("too_many_items", "SELECT", 0)
	}
	for i, f := range n.Fields.Fields {
		if f.WildCard != nil {
			w.qualifier(f.WildCard.Schema) // the walk does not come by stars
		}
		if i > 0 && f.WildCard != nil && f.WildCard.Table.O == "" {
			w.syntax(1064, ", *", "a bare * must come first in the select list; write table.*")
		}
	}
}

// systemSchemas are the databases that every server has and no answer reads.
var systemSchemas = syntax.WordSet("mysql information_schema performance_schema sys metrics_schema inspection_schema")

func (w *policyWalk) tableName(n *ast.TableName) {
	if w.tables++; w.tables > maxTables {
		w.refuse("too_many_tables", strconv.Itoa(maxTables), 0)
		w.verdict.Code = 1116
	}
	switch {
	case n.AsOf != nil:
		w.syntax(1064, "AS OF", "MySQL has no AS OF")
	case n.TableSample != nil:
		w.syntax(1064, "TABLESAMPLE", "MySQL has no TABLESAMPLE")
	case len(n.PartitionNames) > 0:
		w.refuse("hint", "PARTITION", 0)
	}
	n.IndexHints = nil // they change no row: what runs goes without
	w.qualifier(n.Schema)
}

func (w *policyWalk) qualifier(db ast.CIStr) {
	switch {
	case db.L == "":
	case systemSchemas[db.L] && !strings.EqualFold(db.L, w.database):
		w.refuse("system_schema", db.O, 0)
	case !strings.EqualFold(db.L, w.database):
		w.refuse("other_database", db.O, 0)
	}
}

func (w *policyWalk) function(n *ast.FuncCallExpr) {
	name := n.FnName.L
	if n.Schema.L != "" {
		w.refuse("forbidden_function", n.Schema.O+"."+n.FnName.O, n.OriginTextPosition())
		return
	}
	if w.json != nil && slices.Contains(w.json.Calls, n) {
		return
	}
	args, ok := cost.Arities[name]
	if !ok {
		w.noFunction(name, n.OriginTextPosition())
		return
	}
	count := len(n.Args)
	if strings.HasPrefix(name, "date_") && w.closed != ast.ExprNode(n) {
		first, _ := syntax.NextToken(w.sql, min(n.OriginTextPosition(), len(w.sql)))
		// MySQL takes all that follows the plus sign for the date, comparisons too; TiDB's parser takes the next term.
		if strings.EqualFold(first.Text, "interval") {
			w.refuse("restored_otherwise", "INTERVAL … + …", n.OriginTextPosition())
			w.verdict.Hint = "write the date first: x + INTERVAL 1 DAY"
			return
		}
	}
	if !args.Takes(count) {
		code := uint16(1582)
		if grammarFunctions[name] {
			code = 1064
		}
		w.verdict = refuse("argument_count", strings.ToUpper(name), code, strings.ToUpper(name)+" takes "+args.String()+
			" arguments, not "+strconv.Itoa(count))
		w.verdict.Pos = n.OriginTextPosition()
		return
	}
	if name == "char_func" {
		if last, ok := n.Args[count-1].(*test_driver.ValueExpr); !ok || last.Kind() != test_driver.KindNull {
			w.refuse("forbidden_construct", "CHAR … USING", n.OriginTextPosition())
		}
	}
}

// noFunction refuses a function that is not in the table: one that exists by policy, another as unknown.
func (w *policyWalk) noFunction(name string, pos int) {
	if forbidden[name] {
		w.refuse("forbidden_function", name, pos)
		return
	}
	if !w.verdict.OK {
		return
	}
	hint := "MySQL has no function " + strings.ToUpper(name)
	if instead := foreignFunctions[name]; instead != "" {
		hint += "; use " + instead
	} else {
		names := slices.Collect(maps.Keys(cost.Arities))
		if near := syntax.NearNames(name, names); len(near) > 0 {
			hint += "; did you mean " + strings.ToUpper(near[0]) + "?"
		}
	}
	w.verdict = placed(refuse("no_such_function", name, 1305, hint), pos)
}

func (w *policyWalk) window(n *ast.WindowFuncExpr) {
	name := strings.ToLower(n.Name)
	switch {
	case !aggregates[name] && !windowOnly[name]:
		w.noFunction(name, n.OriginTextPosition())
	case n.Distinct || n.IgnoreNull || n.FromLast || name == "group_concat":
		w.syntax(1235, strings.ToUpper(name)+" OVER", "MySQL does not support this window function's options")
	}
}

// maxText bounds the text that a cast may make, in characters.
const maxText = 10_000

func (w *policyWalk) cast(n *ast.FuncCastExpr) {
	if n.Tp.IsArray() || n.Tp.GetType() == mysql.TypeTiDBVectorFloat32 {
		w.syntax(1064, "CAST", "MySQL cannot cast to this type")
	}
	if n.Tp.GetFlen() != types.UnspecifiedLength && n.Tp.GetFlen() > maxText && n.Tp.GetType() != mysql.TypeJSON {
		w.refuse("huge_result", "CAST", n.OriginTextPosition())
	}
}

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
