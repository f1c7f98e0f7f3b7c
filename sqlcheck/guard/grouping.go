package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
)

// grouping groups a lone aggregate by the column that the question wants one value for each of ("average fee per
// country"), if that is one column of the tables in hand or of the nearest one. It fired on 2 texts: 0 saved, 0 harmed.
func grouping(sql string, in Input) (string, string, sqlcheck.Verdict) {
	ok := sqlcheck.Pass("clean")
	if in.Schema == nil || in.Question == "" {
		return sql, "", ok
	}
	b, issues, parsed := in.bind(sql)
	if !parsed || len(issues) > 0 {
		return sql, "", ok
	}
	sel, is := b.Stmt.(*ast.SelectStmt)
	if is && sel.GroupBy != nil {
		return rewritten(sql, b.Stmt, showGroup(b.Blocks[0], in.asked()), in)
	}
	if !is || sel.From == nil || sel.Distinct || sel.With != nil || sel.Limit != nil || len(b.Blocks) != 1 {
		return sql, "", ok
	}
	if plain, aggs, other := fieldKinds(b.Blocks[0]); len(plain) > 0 || aggs != len(sel.Fields.Fields) || other {
		return sql, "", ok
	}
	name := perColumn(in.asked(), b.Blocks[0])
	if name == "" {
		return sql, "", ok
	}
	for _, r := range b.Columns { // a filter on the same column: one group is meant
		if r.Name.Name.L == ast.NewCIStr(name).L {
			return sql, "", ok
		}
	}
	sel.Fields.Fields = append([]*ast.SelectField{{Expr: syntax.ColumnExpr("", name)}}, sel.Fields.Fields...)
	sel.GroupBy = &ast.GroupByClause{Items: []*ast.ByItem{{Expr: syntax.ColumnExpr("", name), NullOrder: true}}}
	out, good := in.print(sel)
	if !good {
		in.forget()
		return sql, "", ok
	}
	why := "the question asks for one value for each " + name
	if _, issues, _ := in.bind(out); len(issues) == 0 {
		return out, why, ok
	}
	joined, joins, _ := columns(out, in)
	if joins == "" {
		return sql, "", ok
	}
	if _, issues, parsed := in.bind(joined); !parsed || len(issues) > 0 {
		return sql, "", ok
	}
	return joined, why + "; " + joins, ok
}

// perColumn is the column that stands after "per", "for each" or "by", if all columns so called have one name; else "".
// The name of a table that sc reads means its rows, not a column.
func perColumn(q *question.Question, sc *bind.Block) string {
	for i := range q.Words {
		if !q.Is(i, "per") && !(q.Is(i, "each") && q.Is(i-1, "for", "in")) && !(q.Is(i, "by") && !agent(q, i) && !q.Ranks()) {
			continue
		}
		if t, _ := q.TableAt(i + 1); t != nil && sc.Reads(t) != nil {
			return ""
		}
		var names []string
		longest := 0
		for _, c := range q.Voc.Columns {
			for _, words := range [][]string{c.Words, c.Own} {
				if len(words) < longest || q.Mention(i+1, words) != i+1 {
					continue
				}
				if len(words) > longest {
					longest, names = len(words), nil
				}
				if !slices.Contains(names, c.Col.Name) {
					names = append(names, c.Col.Name)
				}
			}
		}
		if len(names) == 1 {
			return names[0]
		}
	}
	return ""
}

// agent reports whether the "by" at word i follows a participle and so names who did something, or an order: "made by", "sorted by".
func agent(q *question.Question, i int) bool {
	return i > 0 && (strings.HasSuffix(q.Words[i-1].Low, "ed") ||
		q.Is(i-1, "made", "sold", "written", "given", "taken", "taught", "run", "held", "built", "won", "order", "sort"))
}

// showGroup puts the group before its aggregates where the question asks for one value for each of it and only the
// aggregates are shown: numbers that nobody can tell apart.
func showGroup(sc *bind.Block, q *question.Question) (why string) {
	sel := sc.Select
	plain, aggs, other := fieldKinds(sc)
	if len(plain) > 0 || other || aggs == 0 || len(sel.GroupBy.Items) != 1 || sc.Outer != nil {
		return ""
	}
	group, is := sel.GroupBy.Items[0].Expr.(*ast.ColumnNameExpr)
	if !is || !strings.EqualFold(group.Name.Name.O, perColumn(q, sc)) {
		return ""
	}
	sel.Fields.Fields = append([]*ast.SelectField{{Expr: group}}, sel.Fields.Fields...)
	return "the question asks for one value for each " + group.Name.Name.O
}
