package sqlcheck

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// readBack parses what a tree was restored to and compares the two, node by node: only a text that means what was
// checked may run.
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
	w := treeReaders.Get().(*treeReader)
	defer w.release()
	if checked.Accept(w); !w.compare(stmts[0]) {
		return forbid("restored_otherwise", w.difference, 0), nil
	}
	return Pass("policy"), nil
}

// comparisons are what MySQL's lexer makes of several signs of comparison in a row. Others it cuts in pieces of its
// own.
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

// treeNode is all that has a meaning in one node of a tree.
type treeNode struct {
	kind    reflect.Type
	depth   int
	texts   [3]string
	set     uint // flags
	numbers [2]int64
}

// String tells a node for people.
func (n treeNode) String() string {
	return syntax.Start(strings.Join(strings.Fields(strings.ToLower(n.kind.Elem().Name())+" "+
		strings.Join(n.texts[:], " ")), " "))
}

// treeReader is the visitor that reads one tree, and compares another one with it.
type treeReader struct {
	nodes      []treeNode
	depth      int
	comparing  bool
	at         int    // in nodes, of the next node to compare
	difference string // the first node that the other tree has not, "end" if it has more
}

var treeReaders = sync.Pool{New: func() any { return &treeReader{} }}

func (w *treeReader) release() {
	clear(w.nodes)
	*w = treeReader{nodes: w.nodes[:0]}
	treeReaders.Put(w)
}

// compare says whether another tree means the same.
func (w *treeReader) compare(other ast.Node) bool {
	w.comparing, w.at = true, 0
	other.Accept(w)
	if w.difference == "" && w.at < len(w.nodes) {
		w.difference = w.nodes[w.at].String()
	}
	return w.difference == ""
}

// Enter implements ast.Visitor. Brackets have no meaning once the tree is there.
func (w *treeReader) Enter(n ast.Node) (ast.Node, bool) {
	if _, brackets := n.(*ast.ParenthesesExpr); brackets || w.difference != "" {
		return n, w.difference != ""
	}
	if join, is := n.(*ast.Join); !is || join.Right != nil {
		w.add(meaning(n))
	}
	w.depth++
	return n, w.difference != ""
}

// Leave implements ast.Visitor.
func (w *treeReader) Leave(n ast.Node) (ast.Node, bool) {
	if _, brackets := n.(*ast.ParenthesesExpr); !brackets {
		w.depth--
	}
	return n, true
}

func (w *treeReader) add(node treeNode) {
	node.depth = w.depth
	switch {
	case !w.comparing:
		w.nodes = append(w.nodes, node)
	case w.at == len(w.nodes):
		w.difference = "end"
	case w.nodes[w.at] != node:
		w.difference = w.nodes[w.at].String()
	}
	w.at++
}

// meaning is what one node says beside its kind and what is below it.
func meaning(n ast.Node) (t treeNode) {
	t.kind = reflect.TypeOf(n)
	switch n := n.(type) {
	case *ast.SelectStmt:
		t.flags(n.Distinct, n.From != nil, n.Where != nil, n.GroupBy != nil, n.Having != nil, len(n.WindowSpecs) > 0,
			n.OrderBy != nil, n.Limit != nil)
		t.operator(n.AfterSetOperator)
	case *ast.SetOprStmt:
		t.flags(n.OrderBy != nil, n.Limit != nil)
	case *ast.SetOprSelectList:
		t.flags(n.OrderBy != nil, n.Limit != nil)
		t.operator(n.AfterSetOperator)
	case *ast.WithClause:
		t.flags(n.IsRecursive)
	case *ast.CommonTableExpression:
		t.texts = [3]string{n.Name.O, joinNames(n.ColNameList)}
	case *ast.TableSource:
		t.texts = [3]string{n.AsName.O, joinNames(n.ColumnNames)}
		t.flags(n.Lateral)
	case *ast.TableName:
		t.texts = [3]string{n.Schema.O, n.Name.O}
	case *ast.Join:
		t.flags(n.Tp == ast.LeftJoin, n.Tp == ast.RightJoin, n.NaturalJoin, n.StraightJoin,
			n.On != nil, len(n.Using) > 0)
		for _, name := range n.Using {
			t.texts[0] += " " + name.Name.O
		}
	case *ast.SelectField:
		t.texts[0] = n.AsName.O
		if n.WildCard != nil {
			t.texts = [3]string{n.AsName.O, n.WildCard.Schema.O, n.WildCard.Table.O}
		}
		t.flags(n.WildCard != nil)
	case *ast.ByItem:
		t.flags(n.Desc)
	case *ast.GroupByClause:
		t.flags(n.Rollup)
	case *ast.Limit:
		t.flags(n.Offset != nil)
	case *ast.WindowSpec:
		t.texts = [3]string{n.Name.O, n.Ref.O}
		t.flags(n.OnlyAlias, n.PartitionBy != nil, n.OrderBy != nil, n.Frame != nil)
	case *ast.FrameClause:
		t.flags(n.Type == ast.Rows, n.Type == ast.Ranges)
	case *ast.FrameBound:
		t.flags(n.UnBounded, n.Type == ast.Preceding, n.Type == ast.Following, n.Expr != nil)
		t.numbers[0] = int64(n.Unit)
	case *ast.ColumnName:
		t.texts = [3]string{n.Schema.O, n.Table.O, n.Name.O}
	case ast.ExprNode:
		t.expression(n)
	} // the kind of all others says what they are
	return t
}

func (t *treeNode) expression(n ast.ExprNode) {
	switch n := n.(type) {
	case *ast.BinaryOperationExpr:
		t.numbers[0] = int64(n.Op)
	case *ast.UnaryOperationExpr:
		t.numbers[0] = int64(n.Op)
	case *ast.FuncCallExpr:
		t.texts[0] = n.FnName.L
	case *ast.MatchAgainst:
		t.numbers[0] = int64(n.Modifier)
	case *ast.FuncCastExpr:
		t.texts[0] = n.Tp.String()
		t.flags(n.FunctionType == ast.CastFunction, n.FunctionType == ast.CastConvertFunction)
	case *ast.AggregateFuncExpr:
		t.texts[0] = strings.ToLower(n.F)
		t.flags(n.Distinct, n.Order != nil)
	case *ast.WindowFuncExpr:
		t.texts[0] = strings.ToLower(n.Name)
		t.flags(n.Distinct, n.IgnoreNull, n.FromLast)
	case *test_driver.ValueExpr:
		t.value(n)
	case *ast.CaseExpr:
		t.flags(n.Value != nil, n.ElseClause != nil)
	case *ast.BetweenExpr:
		t.flags(n.Not)
	case *ast.PatternInExpr:
		t.flags(n.Not, n.Sel != nil)
	case *ast.PatternLikeOrIlikeExpr:
		t.numbers[0] = int64(n.Escape)
		t.flags(n.Not, n.IsLike)
	case *ast.PatternRegexpExpr:
		t.flags(n.Not)
	case *ast.IsNullExpr:
		t.flags(n.Not)
	case *ast.IsTruthExpr:
		t.flags(n.Not, n.True != 0)
	case *ast.CompareSubqueryExpr:
		t.numbers[0] = int64(n.Op)
		t.flags(n.All)
	case *ast.ExistsSubqueryExpr:
		t.flags(n.Not)
	case *ast.PositionExpr:
		t.numbers[0] = int64(n.N)
	case *ast.SetCollationExpr:
		t.texts[0] = n.Collate
	case *ast.TimeUnitExpr:
		t.numbers[0] = int64(n.Unit)
	case *ast.TrimDirectionExpr:
		t.numbers[0] = int64(n.Direction)
	case *ast.GetFormatSelectorExpr:
		t.numbers[0] = int64(n.Selector)
	}
}

func (t *treeNode) flags(set ...bool) {
	for i, is := range set {
		if is {
			t.set |= 1 << i
		}
	}
}

func (t *treeNode) operator(op *ast.SetOprType) {
	if op != nil {
		t.numbers[0] = int64(*op) + 1
	}
}

// value is a literal: its kind, its value, and the character set that was written before it.
func (t *treeNode) value(n *test_driver.ValueExpr) {
	introduced := n.Type.GetFlag()&mysql.UnderScoreCharsetFlag != 0
	t.numbers[0] = int64(n.Kind())
	t.flags(n.Type.GetFlag()&mysql.IsBooleanFlag != 0, introduced)
	if introduced {
		t.texts[0] = strings.ToLower(n.Type.GetCharset())
	}
	switch n.Kind() {
	case test_driver.KindString, test_driver.KindBytes:
		t.texts[1] = n.GetString()
	case test_driver.KindInt64:
		t.numbers[1] = n.GetInt64()
	case test_driver.KindUint64:
		t.numbers[1] = int64(n.GetUint64())
	case test_driver.KindMysqlDecimal:
		t.texts[1] = n.GetMysqlDecimal().String()
	default:
		t.texts[1] = fmt.Sprint(n.GetValue())
	}
}

func joinNames(names []ast.CIStr) (text string) {
	for _, name := range names {
		text += " " + name.O
	}
	return text
}
