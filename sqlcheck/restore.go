package sqlcheck

import (
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"
)

// restoreFlags write what MySQL, MariaDB and TiDB all read.
// Backslashes must be doubled: a server reads them as escapes.
const restoreFlags = format.DefaultRestoreFlags | format.RestoreStringWithoutDefaultCharset | format.RestoreStringEscapeBackslash

// restore writes a tree as SQL text. It leaves the tree as it was, but changes it meanwhile.
func restore(n ast.Node) (string, error) { return restoreFrom("", n) }

// restoreFrom is restore of a tree that was parsed from sql.
func restoreFrom(sql string, n ast.Node) (string, error) {
	own := &ownForms{sql: sql}
	n.Accept(own)
	defer func() {
		own.back()
		if own.asWritten {
			n.Accept(&nameCollector{}) // any walk puts the literals back
		}
	}()
	var text strings.Builder
	if err := n.Restore(format.NewRestoreCtx(restoreFlags, &text)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// ownForms gives what TiDB's parser writes otherwise than MySQL reads it MySQL's form for as long as the tree is written:
// INSERT and CHAR, which are insert_func and char_func there; a "!" behind another operator, whose signs would run
// together; the introducer of a text in the connection's own character set, which would be left out; and 5. and .5, which
// have other types than 5 and 0.5.
type ownForms struct {
	sql       string // what the tree was parsed from, "" if it is not known
	undo      []func()
	asWritten bool
	closed    ast.ExprNode // what the node before has in brackets
}

// Enter implements ast.Visitor.
func (o *ownForms) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.FuncCallExpr:
		saved := *n
		switch n.FnName.L {
		case ast.InsertFunc:
			n.FnName = ast.NewCIStr("insert")
		case ast.CharFunc:
			n.FnName = ast.NewCIStr("char")
			n.Args = n.Args[:len(n.Args)-1] // the character set
		default:
			return n, false
		}
		o.undo = append(o.undo, func() { *n = saved })
	case *ast.ParenthesesExpr:
		o.closed = n.Expr
	case *ast.BinaryOperationExpr:
		o.bracket(&n.R)
	case *ast.UnaryOperationExpr:
		o.bracket(&n.V)
	case *test_driver.ValueExpr:
		if set := n.Type.GetCharset(); n.Type.GetFlag()&mysql.UnderScoreCharsetFlag != 0 && set == mysql.DefaultCharset {
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
	v, ok := n.(*test_driver.ValueExpr)
	if !ok || v.Kind() != test_driver.KindMysqlDecimal {
		return n, true
	}
	if text := numberAt(o.sql, v.OriginTextPosition()); strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".") {
		if o.asWritten = true; strings.HasSuffix(text, ".") && o.closed != ast.ExprNode(v) { // TiDB's lexer fails at "5. OR"
			text = "(" + text + ")"
		}
		return &writtenNumber{v, text}, true
	}
	return n, true
}

// writtenNumber is a literal that is restored as it was written. Its Accept is the literal's, so a walk takes it away again.
type writtenNumber struct {
	*test_driver.ValueExpr
	text string
}

// Restore implements ast.Node.
func (n *writtenNumber) Restore(ctx *format.RestoreCtx) error {
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

// fieldLabel is the column label that MySQL gives an item of the select list: its alias, the name of a bare column,
// the value of a string, else the text as written.
func fieldLabel(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	expr := unparen(f.Expr)
	for {
		plus, ok := expr.(*ast.UnaryOperationExpr) // a unary plus is no operation to MySQL
		if !ok || plus.Op != opcode.Plus {
			break
		}
		expr = unparen(plus.V)
	}
	switch e := expr.(type) {
	case *ast.ColumnNameExpr:
		return e.Name.Name.O
	case *test_driver.ValueExpr:
		switch e.Kind() {
		case test_driver.KindString:
			return e.GetString()
		case test_driver.KindNull:
			return "NULL"
		}
		return literalLabel(f.Text())
	}
	text := strings.TrimSpace(f.Text())
	if utf8.RuneCountInString(text) > maxLabel {
		text = string([]rune(text)[:maxLabel])
	}
	return text
}

// maxLabel is how many characters of its text MySQL makes the label of a column (MAX_ALIAS_NAME, less one).
const maxLabel = 255

// literalLabel is the label of a number: its text without parentheses and plus signs around it.
func literalLabel(text string) string {
	for {
		text = strings.TrimLeft(strings.TrimSpace(text), "+ ")
		if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
			break
		}
		text = text[1 : len(text)-1]
	}
	if strings.EqualFold(text, "true") || strings.EqualFold(text, "false") {
		return strings.ToUpper(text)
	}
	return text
}

// respell spells every name as it was bound, so that servers that tell cases apart find it, and gives computed
// columns of derived tables the label that their text had before, since restoring may change it.
func (b *Bound) respell() {
	for _, block := range b.Blocks {
		for _, src := range block.Sources {
			b.respellSource(src)
		}
		for _, out := range block.Output {
			if f := out.Field; f.WildCard != nil && f.WildCard.Table.O != "" && out.Source != nil {
				f.WildCard.Table, f.WildCard.Schema = ast.NewCIStr(out.Source.Name), ast.CIStr{}
			}
		}
	}
	for _, ref := range b.Columns {
		ref.Name.Schema = ast.CIStr{}
		if ref.Source == nil || ref.Name.Table.O == "" {
			continue
		}
		ref.Name.Table = ast.NewCIStr(ref.Source.Name)
	}
	for _, q := range b.query {
		if q.derived && q.block != nil {
			b.keepLabels(q.block)
		}
	}
}

func (b *Bound) respellSource(src *Source) {
	name, ok := src.Node.Source.(*ast.TableName)
	if !ok {
		return
	}
	name.Schema = ast.CIStr{}
	if src.Table != nil {
		name.Name = ast.NewCIStr(src.Table.Name)
	} else if src.Node.AsName.O == "" {
		name.Name = ast.NewCIStr(src.Name)
	}
}

// longestLabel is what may become an alias; MySQL takes up to 256 characters.
const longestLabel = 200

// keepLabels gives an unnamed computed column of a derived table its old label as alias: a name may refer to it.
func (b *Bound) keepLabels(block *Block) {
	for _, out := range block.Output {
		if out.Field == nil || out.Expr == nil || out.named || out.Label == "" || len(out.Label) > longestLabel {
			continue
		}
		if text, err := restore(out.Expr); err == nil && text != out.Label {
			out.Field.AsName = ast.NewCIStr(out.Label)
		}
	}
}
