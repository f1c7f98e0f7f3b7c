package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// query is a SELECT in pieces of its own text: what no change touches stays as it was written.
type query struct {
	distinct                          bool
	fields, where                     []string // where are conditions with AND between them
	from, group, having, order, limit string   // without their keywords
	tables                            map[string]*schema.Table
	main                              string // the name, as in tables, of the table that is shown
}

// split takes a query to pieces. It is not ok where that is not one plain SELECT about tables.
func split(sql string, s *schema.Schema) (q query, ok bool) {
	stmt, _ := syntax.OneSelect(sql)
	sel, is := stmt.(*ast.SelectStmt)
	if !is || sel.From == nil || sel.With != nil {
		return q, false
	}
	b, issues := bind.Bind(stmt, s)
	if len(issues) > 0 {
		return q, false
	}
	block := b.Blocks[0]
	q.tables, q.main = map[string]*schema.Table{}, block.Sources[0].Name
	for _, src := range block.Sources {
		if q.tables[src.Name] = src.Table; src.Table == nil {
			return q, false
		}
	}
	if o := block.Output[0]; o.Table != nil && slices.Contains(block.Sources, o.Source) {
		q.main = o.Source.Name
	}
	at := map[string]string{}
	parts, clauses := cut(sql, "SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT")
	for i, clause := range clauses {
		at[clause] = parts[i+1]
	}
	fields, distinct := strings.CutPrefix(at["SELECT"], "DISTINCT ")
	q.distinct, q.from, q.having, q.limit = distinct, at["FROM"], at["HAVING"], at["LIMIT"]
	q.group, q.order = strings.TrimPrefix(at["GROUP"], "BY "), strings.TrimPrefix(at["ORDER"], "BY ")
	q.fields, _ = cut(fields, ",")
	if where := at["WHERE"]; where != "" {
		if q.where, _ = cut(where, "AND"); strings.Contains(where, "BETWEEN") || strings.Contains(where, " OR ") {
			q.where = []string{where}
		}
	}
	return q, strings.EqualFold(syntax.OneLine(sql), q.String())
}

// cut cuts a text at words or signs that stand outside of brackets, and gives those that it found.
func cut(text string, at ...string) (parts, found []string) {
	depth, from := 0, 0
	for t, next := syntax.NextToken(text, 0); t.Kind != syntax.EndToken; t, next = syntax.NextToken(text, next) {
		switch word := strings.ToUpper(t.Text); {
		case word == "(":
			depth++
		case word == ")":
			depth--
		case depth == 0 && slices.Contains(at, word):
			parts, found = append(parts, strings.TrimSpace(text[from:t.Pos])), append(found, word)
			from = next
		}
	}
	return append(parts, strings.TrimSpace(text[from:])), found
}

func (q query) String() string {
	text := "SELECT "
	if q.distinct {
		text += "DISTINCT "
	}
	text += strings.Join(q.fields, ", ")
	for _, clause := range [][2]string{{"FROM", q.from}, {"WHERE", strings.Join(q.where, " AND ")},
		{"GROUP BY", q.group}, {"HAVING", q.having}, {"ORDER BY", q.order}, {"LIMIT", q.limit}} {
		if clause[1] != "" {
			text += " " + clause[0] + " " + clause[1]
		}
	}
	return text
}

// aggregate is the function of a field and its argument, in capitals; "" where there is none.
func aggregate(field string) (function, of string) {
	function, of, _ = strings.Cut(field, "(")
	function = strings.ToUpper(function)
	if strings.Index(of, ")") != len(of)-1 || !slices.Contains(strings.Fields("COUNT AVG MAX MIN SUM"), function) {
		return "", ""
	}
	return function, of[:len(of)-1]
}

// rows says that a row of the result is a row of the tables: nothing is grouped, computed of many or cut off.
func (q query) rows() bool {
	return !q.distinct && cmp.Or(q.group, q.having, q.limit) == "" &&
		!slices.ContainsFunc(q.fields, func(f string) bool { return strings.Contains(f, "(") })
}

// counts says that the query counts rows of one table, and does nothing else.
func (q query) counts() bool {
	function, of := aggregate(q.fields[0])
	return len(q.fields)+len(q.tables) == 2 && function == "COUNT" && !strings.Contains(of, " ") &&
		q.group+q.having == ""
}

// column finds what a name of the query stands for; nil where it is none.
func (q query) column(name string) (*schema.Table, *schema.Column) {
	of, bare, qualified := strings.Cut(strings.ReplaceAll(name, "`", ""), ".")
	for alias, table := range q.tables {
		if col, ok := table.Column(cmp.Or(bare, of)); ok && (!qualified || strings.EqualFold(alias, of)) {
			return table, col
		}
	}
	return nil, nil
}

// name is how the query calls a column of one of its tables.
func (q query) name(alias, column string) string {
	if len(q.tables) == 1 {
		return quoted(column)
	}
	return quoted(alias) + "." + quoted(column)
}

// quoted is a name, in backquotes where it needs them.
func quoted(name string) string {
	if t, next := syntax.NextToken(name, 0); t.Kind == syntax.WordToken && next == len(name) && !syntax.Reserved(name) {
		return name
	}
	return syntax.QuoteName(name)
}
