package question

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// A Shape is what a query is made of, subqueries included, as one sees without knowing what its names mean.
type Shape struct {
	Width     int             // columns of the result; a star has those of its tables
	Aggregate bool            // it has an aggregate function
	Grouped   bool            // it has GROUP BY or a window
	Tables    []string        // that it reads, each as often as it names it; those of WITH are among them
	Names     map[string]bool // of columns, lower case; those that a star stands for are among them
	Words     map[string]bool // stems of names of tables and columns; in capitals its aggregate functions, and GROUP
	Texts     []string        // that it compares with, or computes from
}

// ShapeOf reads a query; ok is false for a text that is not one SELECT.
func ShapeOf(sql string, s *schema.Schema) (shape Shape, ok bool) {
	stmt, ok := syntax.OneSelect(sql)
	if !ok {
		return Shape{}, false
	}
	shape = Shape{Names: map[string]bool{}, Words: map[string]bool{}}
	shape.Width = shape.stars(stmt, s)
	f := factsOf(stmt)
	shape.Aggregate, shape.Grouped = len(f.aggs) > 0, f.grouped || f.window
	for name := range f.aggs {
		shape.Words[name] = true
	}
	if shape.Grouped {
		shape.Words["GROUP"] = true
	}
	syntax.Visit(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TableName:
			shape.Tables = append(shape.Tables, n.Name.O)
			shape.words(n.Name.O)
		case *ast.ColumnName:
			shape.Names[n.Name.L] = true
			shape.words(n.Name.O)
		case ast.ExprNode:
			if text, ok := syntax.LiteralText(n); ok {
				shape.Texts = append(shape.Texts, text)
			}
		}
		return true
	})
	return shape, true
}

func (shape Shape) words(name string) {
	for _, w := range words.OfName(name) {
		shape.Words[w] = true
	}
}

// stars counts the columns of a query's result, and notes the names of those that a star stands for.
func (shape Shape) stars(n ast.Node, s *schema.Schema) (width int) {
	sel, ok := n.(*ast.SelectStmt)
	if u, union := n.(*ast.SetOprStmt); union && len(u.SelectList.Selects) > 0 {
		return shape.stars(u.SelectList.Selects[0], s)
	} else if !ok || sel.Fields == nil {
		return 1
	}
	for _, f := range sel.Fields.Fields {
		if f.WildCard == nil {
			width++
			continue
		}
		if sel.From == nil {
			continue
		}
		syntax.Visit(sel.From, func(n ast.Node) bool {
			source, ok := n.(*ast.TableSource)
			if !ok {
				return true
			}
			table, real := source.Source.(*ast.TableName)
			name := source.AsName.L
			if real && name == "" {
				name = table.Name.L
			}
			switch only := f.WildCard.Table.L; {
			case only != "" && only != name:
			case !real:
				width += shape.stars(source.Source, s)
			default:
				t, _ := s.Table(table.Name.O)
				if t == nil {
					break
				}
				width += len(t.Columns)
				for _, c := range t.Columns {
					shape.Names[strings.ToLower(c.Name)] = true
				}
			}
			return false
		})
	}
	return width
}
