package bind

import (
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/syntax"
)

// fieldLabel is the column label that MySQL gives an item of the select list: its alias, the name of a bare column,
// the value of a string, else the text as written.
func fieldLabel(f *ast.SelectField) string {
	if f.AsName.O != "" {
		return f.AsName.O
	}
	expr := syntax.Unparen(f.Expr)
	for {
		plus, ok := expr.(*ast.UnaryOperationExpr) // a unary plus is no operation to MySQL
		if !ok || plus.Op != opcode.Plus {
			break
		}
		expr = syntax.Unparen(plus.V)
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
