package syntax

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
)

// RestoreFlags write what MySQL, MariaDB and TiDB all read.
const RestoreFlags = commonFlags | format.RestoreStringWithoutDefaultCharset

// Backslashes must be doubled: a server reads them as escapes.
const commonFlags = format.DefaultRestoreFlags | format.RestoreStringEscapeBackslash

// A style is how a tree is written.
type style struct {
	flags format.RestoreFlags
	count bool // COUNT(1) as COUNT(*), which is what the parser made it from
}

var (
	toRun  = style{flags: RestoreFlags}
	toRead = style{flags: commonFlags | format.RestoreStringWithoutCharset | format.RestoreSpacesAroundBinaryOperation,
		count: true}
)

// Restore writes a tree as SQL text to run. It leaves the tree as it was, but changes it meanwhile.
func Restore(n ast.Node) (string, error) { return toRun.write("", n) }

// RestoreFrom is Restore of a tree that was parsed from sql.
func RestoreFrom(sql string, n ast.Node) (string, error) { return toRun.write(sql, n) }

// Print writes a tree as SQL text to read, with back quotes only where a name needs them. Like Restore it leaves the
// tree as it was.
func Print(n ast.Node) (string, error) {
	text, err := toRead.write("", n)
	return unquoteNames(text), err
}

func (s style) write(sql string, n ast.Node) (string, error) {
	own := &ownForms{sql: sql, count: s.count}
	n.Accept(own)
	defer func() {
		own.back()
		if own.asWritten {
			Visit(n, func(ast.Node) bool { return true }) // any walk puts the literals back
		}
	}()
	var text strings.Builder
	text.Grow(len(sql) + len(sql)/4)
	if err := n.Restore(format.NewRestoreCtx(s.flags, &text)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// ownForms gives what TiDB's parser writes otherwise than MySQL reads it MySQL's form for as long as the tree is
// written: INSERT and CHAR, which are insert_func and char_func there; a "!" behind another operator, whose signs
// would run together; the introducer of a text in the connection's own character set, which would be left out; 5. and
// .5, which have other types than 5 and 0.5; and a [JSONTable].
type ownForms struct {
	sql       string // what the tree was parsed from, "" if it is not known
	count     bool   // COUNT(1) becomes COUNT(*)
	undo      []func()
	asWritten bool
	closed    ast.ExprNode // what the node before has in brackets
}

// Enter implements ast.Visitor.
func (o *ownForms) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.FuncCallExpr:
		name, args := n.FnName, n.Args
		switch name.L {
		case ast.InsertFunc:
			n.FnName = ast.NewCIStr("insert")
		case ast.CharFunc:
			n.FnName = ast.NewCIStr("char")
			n.Args = n.Args[:len(n.Args)-1] // the character set
		default:
			return n, false
		}
		o.undo = append(o.undo, func() { n.FnName, n.Args = name, args })
	case *ast.ParenthesesExpr:
		o.closed = n.Expr
	case *ast.BinaryOperationExpr:
		o.bracket(&n.R)
	case *ast.UnaryOperationExpr:
		o.bracket(&n.V)
	case *test_driver.ValueExpr:
		if set := n.Type.GetCharset(); n.Type.GetFlag()&mysql.UnderScoreCharsetFlag != 0 &&
			set == mysql.DefaultCharset {
			n.Type.SetCharset(strings.ToUpper(set))
			o.undo = append(o.undo, func() { n.Type.SetCharset(set) })
		}
	}
	return n, false
}

func (o *ownForms) bracket(at *ast.ExprNode) {
	if expr := *at; beginsWithNot(expr) {
		*at = &ast.ParenthesesExpr{Expr: expr}
		o.undo = append(o.undo, func() { *at = expr })
	}
}

// beginsWithNot says that an expression is written with a "!" first.
func beginsWithNot(expr ast.ExprNode) bool {
	switch n := expr.(type) {
	case *ast.UnaryOperationExpr:
		return n.Op == opcode.Not2
	case *ast.BinaryOperationExpr:
		return beginsWithNot(n.L)
	case *ast.PatternInExpr:
		return beginsWithNot(n.Expr)
	case *ast.PatternLikeOrIlikeExpr:
		return beginsWithNot(n.Expr)
	case *ast.PatternRegexpExpr:
		return beginsWithNot(n.Expr)
	case *ast.BetweenExpr:
		return beginsWithNot(n.Expr)
	case *ast.IsNullExpr:
		return beginsWithNot(n.Expr)
	case *ast.IsTruthExpr:
		return beginsWithNot(n.Expr)
	case *ast.SetCollationExpr:
		return beginsWithNot(n.Expr)
	case *ast.CompareSubqueryExpr:
		return beginsWithNot(n.L)
	}
	return false
}

// Leave implements ast.Visitor.
func (o *ownForms) Leave(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.AggregateFuncExpr:
		o.star(n.F, n.Distinct, n.Args)
	case *ast.WindowFuncExpr:
		o.star(n.Name, n.Distinct, n.Args)
	case *ast.TableSource:
		if table := JSONTableOf(n.Source); table != nil && n.Lateral {
			query := n.Source
			n.Lateral, n.Source = false, &writtenJSONTable{query.(*ast.SelectStmt), table}
			o.undo = append(o.undo, func() { n.Lateral, n.Source = true, query })
		}
	}
	v, ok := n.(*test_driver.ValueExpr)
	if !ok || v.Kind() != test_driver.KindMysqlDecimal {
		return n, true
	}
	if text := numberAt(o.sql, v.OriginTextPosition()); strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".") {
		// TiDB's lexer fails at "5. OR"
		if o.asWritten = true; strings.HasSuffix(text, ".") && o.closed != ast.ExprNode(v) {
			text = "(" + text + ")"
		}
		return &writtenText{v, text}, true
	}
	return n, true
}

// star makes the 1 of COUNT(1) a star.
func (o *ownForms) star(name string, distinct bool, args []ast.ExprNode) {
	if !o.count || distinct || len(args) != 1 || !strings.EqualFold(name, ast.AggFuncCount) {
		return
	}
	v, ok := args[0].(*test_driver.ValueExpr)
	if ok && v.Kind() == test_driver.KindInt64 && v.GetInt64() == 1 && v.Type.GetFlag()&mysql.IsBooleanFlag == 0 {
		args[0] = &writtenText{v, "*"}
		o.undo = append(o.undo, func() { args[0] = v })
	}
}

// writtenText is a literal that is restored as it was written. Its Accept is the literal's, so a walk takes it away
// again.
type writtenText struct {
	*test_driver.ValueExpr
	text string
}

// Restore implements ast.Node.
func (n *writtenText) Restore(ctx *format.RestoreCtx) error {
	ctx.WritePlain(n.text)
	return nil
}

// numberAt is the number in a text that begins at a position.
func numberAt(sql string, at int) string {
	at = min(at, len(sql))
	end := at
	for end < len(sql) && (sql[end] >= '0' && sql[end] <= '9' || sql[end] == '.') {
		end++
	}
	return sql[at:end]
}

func (o *ownForms) back() {
	for _, undo := range o.undo {
		undo()
	}
}
