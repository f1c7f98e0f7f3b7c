package dump

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// View is a view that a script defines. What its query means, and whether it can be run, is for others to say.
type View struct {
	Name    string
	Columns []string // nil: those of the query
	Query   string   // with every name in backquotes
	Kept    bool     // MySQL keeps its rows in a temporary table instead of merging it
	Broken  error    // why its definition cannot be read; the rest is then empty, but the name
}

// view notes a definition, or that there is none any more. mysqldump writes a stand-in first, and the view at the end.
func (l *loader) view(text string) {
	if strings.EqualFold(text[:5], "ALTER") {
		text = "CREATE" + text[5:]
	}
	node, err := schema.Statement(syntax.WithoutCheckOption(text))
	switch stmt := node.(type) {
	case *ast.DropTableStmt:
		for _, t := range stmt.Tables {
			l.dropView(t.Name.O)
		}
	case *ast.CreateViewStmt:
		v := View{Name: stmt.ViewName.Name.O}
		for _, c := range stmt.Cols {
			v.Columns = append(v.Columns, c.O)
		}
		if sel, ok := stmt.Select.(*ast.SelectStmt); ok && stmt.Algorithm == ast.AlgorithmTemptable {
			v.Kept = sel.Limit == nil
		}
		for _, t := range syntax.All[*ast.TableName](stmt.Select) {
			t.IndexHints = nil // they change no row
		}
		v.Query, v.Broken = syntax.Restore(stmt.Select)
		l.keepView(v)
	default:
		if m := passedName.FindStringSubmatch(text); m != nil && err != nil {
			l.keepView(View{Name: unquoted(m[1]), Broken: err})
		}
	}
}

func (l *loader) keepView(v View) {
	l.dropView(v.Name)
	l.Views = append(l.Views, v)
}

func (l *loader) dropView(name string) {
	l.Views = slices.DeleteFunc(l.Views, func(v View) bool { return strings.EqualFold(v.Name, name) })
}
