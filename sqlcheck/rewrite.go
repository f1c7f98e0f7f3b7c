package sqlcheck

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
	"github.com/pingcap/tidb/pkg/parser/opcode"
)

// oneSelect parses sql and returns its tree if it is exactly one SELECT or set operation.
// Anything else is left for Check to refuse.
func oneSelect(sql string) (ast.StmtNode, bool) {
	stmts, perr, err := parse(sql)
	if err != nil || perr != nil || len(stmts) != 1 {
		return nil, false
	}
	switch stmts[0].(type) {
	case *ast.SelectStmt, *ast.SetOprStmt:
		return stmts[0], true
	}
	return nil, false
}

// printSQL writes a changed tree, with back quotes only where a name needs them.
// ok is false if the text does not read back, in which case the change is dropped.
func printSQL(n ast.Node, in Input) (sql string, ok bool) {
	in.forget()
	var b strings.Builder
	const flags = format.DefaultRestoreFlags | format.RestoreStringWithoutCharset | format.RestoreStringEscapeBackslash | format.RestoreSpacesAroundBinaryOperation
	if err := n.Restore(format.NewRestoreCtx(flags, &b)); err != nil {
		return "", false
	}
	sql = unquoteNames(b.String())
	_, ok = in.parse(sql)
	return sql, ok
}

// reservedWords need quotes when they are names.
var reservedWords = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range parser.Keywords {
		if k.Reserved {
			m[strings.ToLower(k.Word)] = true
		}
	}
	return m
}()

// unquoteNames takes the back quotes off plain names in restored SQL, and writes COUNT(1) as COUNT(*),
// which is what the parser made it from.
func unquoteNames(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\'':
			end := skipQuotedText(s, i)
			b.WriteString(s[i:end])
			i = end
		case c == '`':
			end := skipQuotedText(s, i)
			name := s[i+1 : max(end-1, i+1)]
			if isPlainName(name) && !(end < len(s) && s[end] == '(') {
				b.WriteString(name)
			} else {
				b.WriteString(s[i:end])
			}
			i = end
		case c == 'C' && strings.HasPrefix(s[i:], "COUNT(1)"):
			b.WriteString("COUNT(*)")
			i += len("COUNT(1)")
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// skipQuotedText is the offset after the quoted text that opens at i; a doubled quote or a backslash does not close it.
func skipQuotedText(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote:
			if i+1 < len(s) && s[i+1] == quote {
				i++
				continue
			}
			return i + 1
		}
	}
	return len(s)
}

func isPlainName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != "" && !reservedWords[strings.ToLower(s)]
}

// has reports whether the source offers a column; one whose columns are not known may offer any.
func (s *Source) has(col string) bool {
	for _, c := range s.Columns {
		if strings.EqualFold(c.Name, col) {
			return true
		}
	}
	return s.broke
}

// sourceNamed is the source that a qualifier means in b or a block around it, or nil.
func (b *Block) sourceNamed(name string) *Source {
	for ; b != nil; b = b.Outer {
		for _, s := range b.Sources {
			if strings.EqualFold(s.Name, name) {
				return s
			}
		}
	}
	return nil
}

// reads is a source of b that is table t itself, or nil.
func (b *Block) reads(t *Table) *Source {
	for _, s := range b.Sources {
		if s.Table == t {
			return s
		}
	}
	return nil
}

// columnExpr builds the expression of a column, qualified if qualifier is not empty.
func columnExpr(qualifier, name string) *ast.ColumnNameExpr {
	return &ast.ColumnNameExpr{Name: &ast.ColumnName{Table: ast.NewCIStr(qualifier), Name: ast.NewCIStr(name)}}
}

// parts are the conditions of an AND tree; none of nil.
func parts(e ast.ExprNode) []ast.ExprNode {
	if e == nil {
		return nil
	}
	return conjuncts(e)
}

// allOf joins conditions with AND; nil if there are none.
func allOf(es []ast.ExprNode) ast.ExprNode {
	var all ast.ExprNode
	for _, e := range es {
		if all == nil {
			all = e
			continue
		}
		all = &ast.BinaryOperationExpr{Op: opcode.LogicAnd, L: all, R: e}
	}
	return all
}
