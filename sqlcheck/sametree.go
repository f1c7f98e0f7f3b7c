package sqlcheck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// readBack parses what a tree was restored to and compares the two, node by node: only a text that means what was checked
// may run.
func readBack(sql string, checked ast.StmtNode) (Verdict, error) {
	if op := strangeOperator(sql); op != "" {
		return forbid("restored_otherwise", op, 0), nil
	}
	stmts, perr, err := syntax.Parse(sql)
	if err != nil {
		return Verdict{}, err
	}
	if perr != nil || len(stmts) != 1 {
		return forbid("restored_otherwise", "", 0), nil
	}
	want, got := written(checked), written(stmts[0])
	if want != got {
		return forbid("restored_otherwise", firstDifference(want, got), 0), nil
	}
	return Pass("policy"), nil
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			return syntax.Start(strings.TrimSpace(w[i]))
		}
	}
	return "end"
}

// comparisons are what MySQL's lexer makes of several signs of comparison in a row. Others it cuts in pieces of its own.
var comparisons = syntax.WordSet("< > = ! <= >= <> != <=> << >>")

// compareSigns are the signs that MySQL's lexer takes together.
const compareSigns = "<>=!"

// strangeOperator finds signs in a row that TiDB's lexer tells apart and MySQL's does not: "!!" is one "!" to it.
func strangeOperator(sql string) string {
	for i := 0; i < len(sql); i++ {
		switch sql[i] {
		case '\'', '"', '`':
			i = syntax.SkipQuoted(sql, i) - 1
		case '<', '>', '=', '!':
			op := signs(sql[i:])
			if !comparisons[op] {
				return op
			}
			i += len(op) - 1
		}
	}
	return ""
}

// signs are the signs of comparison that a text begins with.
func signs(s string) string { return s[:len(s)-len(strings.TrimLeft(s, compareSigns))] }

// written is a tree with all that has a meaning in it, one node a line. Brackets have none once the tree is there.
func written(n ast.Node) string {
	w := &treeWriter{}
	w.Grow(treeBytes)
	n.Accept(w)
	return w.String()
}

// treeBytes is about what a statement needs.
const treeBytes = 4 << 10

type treeWriter struct{ strings.Builder }

// Enter implements ast.Visitor.
func (w *treeWriter) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.ParenthesesExpr:
	case *ast.SelectStmt:
		w.line("select", "")
		w.flags(n.Distinct, n.From != nil, n.Where != nil, n.GroupBy != nil, n.Having != nil, len(n.WindowSpecs) > 0, n.OrderBy != nil, n.Limit != nil)
		w.operator(n.AfterSetOperator)
	case *ast.SetOprStmt:
		w.line("set", "")
		w.flags(n.OrderBy != nil, n.Limit != nil)
	case *ast.SetOprSelectList:
		w.line("list", "")
		w.flags(n.OrderBy != nil, n.Limit != nil)
		w.operator(n.AfterSetOperator)
	case *ast.WithClause:
		w.line("with", "")
		w.flags(n.IsRecursive)
	case *ast.CommonTableExpression:
		w.line("cte", n.Name.O)
		w.names(n.ColNameList)
	case *ast.TableSource:
		w.line("source", n.AsName.O)
		w.flags(n.Lateral)
		w.names(n.ColumnNames)
	case *ast.TableName:
		w.line("table", n.Schema.O)
		w.WriteString("." + n.Name.O)
	case *ast.Join:
		if n.Right == nil {
			break
		}
		w.line("join", "")
		w.flags(n.Tp == ast.LeftJoin, n.Tp == ast.RightJoin, n.NaturalJoin, n.StraightJoin, n.On != nil, len(n.Using) > 0)
		for _, name := range n.Using {
			w.WriteString(" " + name.Name.O)
		}
	case *ast.SelectField:
		w.line("field", n.AsName.O)
		if n.WildCard != nil {
			w.WriteString(" *" + n.WildCard.Schema.O + "." + n.WildCard.Table.O)
		}
	case *ast.ByItem:
		w.line("by", "")
		w.flags(n.Desc)
	case *ast.GroupByClause:
		w.line("group", "")
		w.flags(n.Rollup)
	case *ast.Limit:
		w.line("limit", "")
		w.flags(n.Offset != nil)
	case *ast.WindowSpec:
		w.line("window", n.Name.O)
		w.WriteString(" " + n.Ref.O)
		w.flags(n.OnlyAlias, n.PartitionBy != nil, n.OrderBy != nil, n.Frame != nil)
	case *ast.FrameClause:
		w.line("frame", "")
		w.flags(n.Type == ast.Rows, n.Type == ast.Ranges)
	case *ast.FrameBound:
		w.line("bound", "")
		w.flags(n.UnBounded, n.Type == ast.Preceding, n.Type == ast.Following, n.Expr != nil)
		w.number(int64(n.Unit))
	case *ast.ColumnName:
		w.line("column", n.Schema.O)
		w.WriteString("." + n.Table.O + "." + n.Name.O)
	case *ast.BinaryOperationExpr:
		w.line("binary", n.Op.String())
	case *ast.UnaryOperationExpr:
		w.line("unary", n.Op.String())
	case *ast.FuncCallExpr:
		w.line("call", n.FnName.L)
	case *ast.FuncCastExpr:
		w.line("cast", n.Tp.String())
		w.flags(n.FunctionType == ast.CastFunction, n.FunctionType == ast.CastConvertFunction)
	case *ast.AggregateFuncExpr:
		w.line("aggregate", strings.ToLower(n.F))
		w.flags(n.Distinct, n.Order != nil)
	case *ast.WindowFuncExpr:
		w.line("over", strings.ToLower(n.Name))
		w.flags(n.Distinct, n.IgnoreNull, n.FromLast)
	case *test_driver.ValueExpr:
		w.value(n)
	case *ast.CaseExpr:
		w.line("case", "")
		w.flags(n.Value != nil, n.ElseClause != nil)
	case *ast.BetweenExpr:
		w.line("between", "")
		w.flags(n.Not)
	case *ast.PatternInExpr:
		w.line("in", "")
		w.flags(n.Not, n.Sel != nil)
	case *ast.PatternLikeOrIlikeExpr:
		w.line("like", string(n.Escape))
		w.flags(n.Not, n.IsLike)
	case *ast.PatternRegexpExpr:
		w.line("regexp", "")
		w.flags(n.Not)
	case *ast.IsNullExpr:
		w.line("null", "")
		w.flags(n.Not)
	case *ast.IsTruthExpr:
		w.line("truth", "")
		w.flags(n.Not, n.True != 0)
	case *ast.CompareSubqueryExpr:
		w.line("compare", n.Op.String())
		w.flags(n.All)
	case *ast.ExistsSubqueryExpr:
		w.line("exists", "")
		w.flags(n.Not)
	case *ast.PositionExpr:
		w.line("position", "")
		w.number(int64(n.N))
	case *ast.SetCollationExpr:
		w.line("collate", n.Collate)
	case *ast.TimeUnitExpr:
		w.line("unit", "")
		w.number(int64(n.Unit))
	case *ast.TrimDirectionExpr:
		w.line("trim", "")
		w.number(int64(n.Direction))
	case *ast.GetFormatSelectorExpr:
		w.line("format", "")
		w.number(int64(n.Selector))
	case *ast.FieldList:
		w.line("fields", "")
	case *ast.TableRefsClause:
		w.line("from", "")
	case *ast.OnCondition:
		w.line("on", "")
	case *ast.HavingClause:
		w.line("having", "")
	case *ast.OrderByClause:
		w.line("order", "")
	case *ast.PartitionByClause:
		w.line("partition", "")
	case *ast.WhenClause:
		w.line("when", "")
	case *ast.SubqueryExpr:
		w.line("subquery", "")
	case *ast.ColumnNameExpr:
		w.line("name", "")
	case *ast.RowExpr:
		w.line("row", "")
	default: // the policy lets no others through
		fmt.Fprintf(w, "\n%T", n)
	}
	return n, false
}

// Leave implements ast.Visitor.
func (w *treeWriter) Leave(n ast.Node) (ast.Node, bool) {
	if _, ok := n.(*ast.ParenthesesExpr); !ok {
		w.WriteString(" .")
	}
	return n, true
}

func (w *treeWriter) line(kind, detail string) {
	w.WriteByte('\n')
	w.WriteString(kind)
	w.WriteByte(' ')
	w.WriteString(detail)
}

func (w *treeWriter) flags(set ...bool) {
	w.WriteByte(' ')
	for _, is := range set {
		if is {
			w.WriteByte('1')
		} else {
			w.WriteByte('0')
		}
	}
}

func (w *treeWriter) names(names []ast.CIStr) {
	for _, name := range names {
		w.WriteString(" " + name.O)
	}
}

func (w *treeWriter) number(n int64) {
	w.WriteByte(' ')
	w.WriteString(strconv.FormatInt(n, 10))
}

func (w *treeWriter) operator(op *ast.SetOprType) {
	if op != nil {
		w.number(int64(*op) + 1)
	}
}

// value writes a literal: its kind, its value, and the character set that was written before it.
func (w *treeWriter) value(n *test_driver.ValueExpr) {
	w.line("value", "")
	w.number(int64(n.Kind()))
	w.flags(n.Type.GetFlag()&mysql.IsBooleanFlag != 0, n.Type.GetFlag()&mysql.UnderScoreCharsetFlag != 0)
	if n.Type.GetFlag()&mysql.UnderScoreCharsetFlag != 0 {
		w.WriteString(strings.ToLower(n.Type.GetCharset()))
	}
	switch n.Kind() {
	case test_driver.KindString, test_driver.KindBytes:
		w.number(int64(len(n.GetString())))
		w.WriteString(n.GetString())
	case test_driver.KindInt64:
		w.number(n.GetInt64())
	case test_driver.KindUint64:
		w.WriteString(" " + strconv.FormatUint(n.GetUint64(), 10))
	case test_driver.KindMysqlDecimal:
		w.WriteString(" " + n.GetMysqlDecimal().String())
	default:
		fmt.Fprint(w, " ", n.GetValue())
	}
}
