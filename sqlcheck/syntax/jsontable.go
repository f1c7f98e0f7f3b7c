package syntax

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
)

// jsonTable is the name of JSON_TABLE, in lower case.
const jsonTable = "json_table"

// JSONTables writes each call of JSON_TABLE, which TiDB's parser does not know, as a derived table that sees the tables
// before it, with a column for each of its own:
//
//	JSON_TABLE(doc, '$[*]' COLUMNS (a INT PATH '$.a')) →
//	LATERAL (SELECT CAST(`json_table`(doc, '$[*]', '`a` INT PATH ''$.a''') AS SIGNED) AS `a`)
//
// [Restore] and [Print] write it back. Of columns behind a NESTED PATH the first one holds the text of all. A call that
// is not understood stays as it is, and the parser refuses it.
// Source: MySQL 8.0 Reference Manual, "JSON Table Functions".
func JSONTables(sql string) string {
	if !ContainsFold(sql, "JSON_TABLE") {
		return sql
	}
	var b strings.Builder
	from := 0
	for t, next := NextToken(sql, 0); t.Kind != EndToken; t, next = NextToken(sql, next) {
		if !strings.EqualFold(t.Name(), jsonTable) {
			continue
		}
		r := &wordReader{sql: sql, at: next}
		if text, ok := jsonTableFrom(r); ok {
			b.WriteString(sql[from:t.Pos] + text)
			from, next = r.at, r.at
		}
	}
	if from == 0 {
		return sql
	}
	return b.String() + sql[from:]
}

// jsonTableFrom reads a call of JSON_TABLE behind its name.
func jsonTableFrom(r *wordReader) (text string, ok bool) {
	if !r.word("(") {
		return "", false
	}
	args, ok := r.listed()
	if !ok || len(args) != 2 {
		return "", false
	}
	rest := &wordReader{sql: args[1]}
	path, ok := rest.text()
	if !ok || !rest.word("COLUMNS") || !rest.word("(") {
		return "", false
	}
	columns, ok := jsonColumns(rest)
	if !ok || !rest.end() {
		return "", false
	}
	doc := JSONTables(args[0])
	var fields []string
	for _, c := range columns {
		fields = append(fields, "CAST("+QuoteName(jsonTable)+"("+doc+", "+path+", "+quoteText(c.text)+") AS "+c.cast+") AS "+
			QuoteName(c.name))
	}
	return "LATERAL (SELECT " + strings.Join(fields, ", ") + ")", true
}

// jsonColumn is a column of JSON_TABLE.
type jsonColumn struct {
	name string
	cast string // the type that CAST has for the column's
	text string // what stands in COLUMNS; "" if an earlier column's text holds it
}

// jsonColumns reads a list of columns behind its first bracket.
func jsonColumns(r *wordReader) (all []jsonColumn, ok bool) {
	parts, ok := r.listed()
	for _, part := range parts {
		columns, good := jsonColumnsOf(part)
		ok = ok && good
		all = append(all, columns...)
	}
	return all, ok && len(all) > 0
}

// jsonColumnsOf reads one column, or a nested list of columns.
func jsonColumnsOf(text string) ([]jsonColumn, bool) {
	r := &wordReader{sql: text}
	if r.word("NESTED") {
		r.word("PATH")
		path, ok := r.text()
		if !ok || !r.word("COLUMNS") || !r.word("(") {
			return nil, false
		}
		columns, ok := jsonColumns(r)
		if !ok || !r.end() {
			return nil, false
		}
		var texts []string
		for i := range columns {
			if columns[i].text != "" {
				texts = append(texts, columns[i].text)
			}
			columns[i].text = ""
		}
		columns[0].text = "NESTED PATH " + path + " COLUMNS (" + strings.Join(texts, ", ") + ")"
		return columns, true
	}
	name := r.name()
	if name == "" {
		return nil, false
	}
	c := jsonColumn{name: name, cast: "UNSIGNED", text: QuoteName(name)}
	if r.word("FOR") {
		c.text += " FOR ORDINALITY"
		return []jsonColumn{c}, r.word("ORDINALITY") && r.end()
	}
	kind, cast, ok := r.jsonType()
	if !ok {
		return nil, false
	}
	c.cast, c.text = cast, c.text+" "+kind
	exists := r.word("EXISTS")
	if exists {
		c.text += " EXISTS"
	}
	if !r.word("PATH") {
		return nil, false
	}
	path, ok := r.text()
	c.text += " PATH " + path
	for _, when := range []string{"EMPTY", "ERROR"} {
		if !ok || exists || r.end() {
			break
		}
		var on string
		if on, ok = r.jsonOn(when); on != "" {
			c.text += " " + on
		}
	}
	return []jsonColumn{c}, ok && r.end()
}

// jsonOn reads what a column is where nothing is found, or no value of its type; "" where that is not said.
func (r *wordReader) jsonOn(when string) (text string, ok bool) {
	from := r.at
	switch {
	case r.word("NULL"):
		text = "NULL"
	case r.word("ERROR"):
		text = "ERROR"
	case r.word("DEFAULT"):
		value, is := r.text()
		if !is {
			return "", false
		}
		text = "DEFAULT " + value
	default:
		return "", false
	}
	if !r.word("ON") {
		return "", false
	}
	if !r.word(when) {
		r.at = from
		return "", when == "EMPTY"
	}
	return text + " ON " + when, true
}

// jsonTypes are the types of columns, with what CAST calls them.
var jsonTypes = map[string]string{
	"CHAR": "CHAR", "VARCHAR": "CHAR", "TEXT": "CHAR", "TINYTEXT": "CHAR", "MEDIUMTEXT": "CHAR", "LONGTEXT": "CHAR",
	"TINYINT": "SIGNED", "SMALLINT": "SIGNED", "MEDIUMINT": "SIGNED", "INT": "SIGNED", "INTEGER": "SIGNED",
	"BIGINT": "SIGNED", "BOOL": "SIGNED", "BOOLEAN": "SIGNED", "YEAR": "SIGNED",
	"DECIMAL": "DECIMAL", "NUMERIC": "DECIMAL", "DOUBLE": "DOUBLE", "FLOAT": "DOUBLE", "REAL": "DOUBLE",
	"DATE": "DATE", "TIME": "TIME", "DATETIME": "DATETIME", "TIMESTAMP": "DATETIME", "JSON": "JSON",
}

// jsonType reads a type: as it is written, and as CAST calls it.
func (r *wordReader) jsonType() (kind, cast string, ok bool) {
	kind = strings.ToUpper(r.name())
	cast, ok = jsonTypes[kind]
	if !ok {
		return "", "", false
	}
	if r.word("(") {
		sizes, closed := r.listed()
		for _, n := range sizes {
			if n == "" || len(n) > 8 || strings.Trim(n, "0123456789") != "" {
				return "", "", false
			}
		}
		if !closed || len(sizes) > 2 {
			return "", "", false
		}
		size := "(" + strings.Join(sizes, ", ") + ")"
		kind += size
		if cast != "SIGNED" && cast != "DOUBLE" {
			cast += size
		}
	}
	if cast == "SIGNED" && r.word("UNSIGNED") {
		kind, cast = kind+" UNSIGNED", "UNSIGNED"
	}
	return kind, cast, true
}

// A JSONTable is a call of JSON_TABLE, as [JSONTables] wrote it.
type JSONTable struct {
	Doc     ast.ExprNode
	Path    string
	Calls   []*ast.FuncCallExpr // one for each column
	columns []string            // their texts
}

// JSONTableOf is nil where a query is none.
func JSONTableOf(query ast.ResultSetNode) *JSONTable {
	sel, is := query.(*ast.SelectStmt)
	if !is || sel.From != nil || sel.Where != nil || sel.Fields == nil || sel.Limit != nil || sel.OrderBy != nil ||
		sel.GroupBy != nil || sel.Having != nil || sel.With != nil || sel.Distinct {
		return nil
	}
	t, doc := &JSONTable{}, ""
	var expected []jsonColumn // behind a NESTED PATH
	for _, f := range sel.Fields.Fields {
		call, path, text := jsonCall(f.Expr)
		if call == nil || f.AsName.O == "" {
			return nil
		}
		var own strings.Builder
		if err := call.Args[0].Restore(format.NewRestoreCtx(RestoreFlags, &own)); err != nil {
			return nil
		}
		if t.Calls == nil {
			t.Doc, t.Path, doc = call.Args[0], path, own.String()
		}
		if text != "" && len(expected) == 0 {
			expected, _ = jsonColumnsOf(text)
			t.columns = append(t.columns, text)
		}
		if len(expected) == 0 || expected[0].text != text || !strings.EqualFold(expected[0].name, f.AsName.O) ||
			path != t.Path || own.String() != doc {
			return nil
		}
		expected = expected[1:]
		t.Calls = append(t.Calls, call)
	}
	if len(expected) > 0 || t.Calls == nil {
		return nil
	}
	return t
}

// jsonCall is the call that a column of a [JSONTable] casts; nil if it is none.
func jsonCall(expr ast.ExprNode) (call *ast.FuncCallExpr, path, text string) {
	cast, is := expr.(*ast.FuncCastExpr)
	if !is {
		return nil, "", ""
	}
	call, is = cast.Expr.(*ast.FuncCallExpr)
	if !is || call.FnName.L != jsonTable || len(call.Args) != 3 {
		return nil, "", ""
	}
	path, isPath := LiteralText(call.Args[1])
	text, isText := LiteralText(call.Args[2])
	if !isPath || !isText {
		return nil, "", ""
	}
	return call, path, text
}

// writtenJSONTable is restored as MySQL reads it.
type writtenJSONTable struct {
	*ast.SelectStmt
	table *JSONTable
}

// Restore implements ast.Node.
func (n *writtenJSONTable) Restore(ctx *format.RestoreCtx) error {
	ctx.WriteKeyWord("JSON_TABLE")
	ctx.WritePlain("(")
	if err := n.table.Doc.Restore(ctx); err != nil {
		return err
	}
	ctx.WritePlain(", " + quoteText(n.table.Path))
	ctx.WriteKeyWord(" COLUMNS ")
	ctx.WritePlain("(" + strings.Join(n.table.columns, ", ") + "))")
	return nil
}

// quoteText writes a text as a literal.
func quoteText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(s) + "'"
}
