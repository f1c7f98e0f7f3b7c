package dissertation

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/guard/names"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
)

// Grouping groups a lone aggregate by the column that the question wants one value for each of, if that is one column
// of the tables in hand or of the nearest one.
//
//	Average fee per country | SELECT AVG(fee) FROM visits
//	→ SELECT patients.country,AVG(fee) FROM visits JOIN patients ON visits.patientId = patients.patientId
//	  GROUP BY country
func Grouping(t *draft.Text) (out, why string) {
	b, issues, ok := t.Bind()
	if !ok || t.Asked() == "" || len(issues) > 0 {
		return t.SQL, ""
	}
	sel, is := b.Stmt.(*ast.SelectStmt)
	if is && sel.GroupBy != nil {
		return draft.OnTree(showGroup)(t)
	}
	if !is || sel.From == nil || sel.Distinct || sel.With != nil || sel.Limit != nil || len(b.Blocks) != 1 {
		return t.SQL, ""
	}
	if plain, aggs, other := edit.Fields(sel); len(plain) > 0 || aggs != len(sel.Fields.Fields) || other {
		return t.SQL, ""
	}
	name := perColumn(t.Question, b.Blocks[0])
	if name == "" {
		return t.SQL, ""
	}
	for _, r := range b.Columns { // a filter on the same column: one group is meant
		if r.Name.Name.L == ast.NewCIStr(name).L {
			return t.SQL, ""
		}
	}
	sel.Fields.Fields = append([]*ast.SelectField{{Expr: syntax.ColumnExpr("", name)}}, sel.Fields.Fields...)
	sel.GroupBy = &ast.GroupByClause{Items: []*ast.ByItem{{Expr: syntax.ColumnExpr("", name), NullOrder: true}}}
	if out, ok = t.Print(sel); !ok {
		return t.SQL, ""
	}
	why = "the question asks for one value for each " + name
	grouped := draft.Text{SQL: out, Schema: t.Schema}
	if _, issues, _ := grouped.Bind(); len(issues) == 0 {
		return out, why
	}
	joined, joins := names.Columns(&grouped)
	if joins == "" {
		return t.SQL, ""
	}
	mended := draft.Text{SQL: joined, Schema: t.Schema}
	if _, issues, ok := mended.Bind(); !ok || len(issues) > 0 {
		return t.SQL, ""
	}
	return joined, why + "; " + joins
}

// perColumn is the column that stands after "per", "for each" or "by", if all columns so called have one name; else "".
// The name of a table that sc reads means its rows, not a column.
func perColumn(q *question.Question, sc *bind.Block) string {
	for i := range q.Words {
		each, by := q.Is(i, "each") && q.Is(i-1, "for", "in"), q.Is(i, "by") && !agent(q, i) && !q.Ranks()
		if !q.Is(i, "per") && !each && !by {
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

// agent reports whether the "by" at word i follows a participle and so names who did something, or an order: "made
// by", "sorted by".
func agent(q *question.Question, i int) bool {
	return i > 0 && (strings.HasSuffix(q.Words[i-1].Low, "ed") ||
		q.Is(i-1, "made", "sold", "written", "given", "taken", "taught", "run", "held", "built",
			"won", "order", "sort"))
}

// showGroup puts the group before its aggregates where the question asks for one value for each of it and only the
// aggregates are shown: numbers that nobody can tell apart.
func showGroup(t *draft.Text, b *bind.Bound) (why string) {
	sc := b.Blocks[0]
	sel := sc.Select
	plain, aggs, other := edit.Fields(sel)
	if len(plain) > 0 || other || aggs == 0 || len(sel.GroupBy.Items) != 1 || sc.Outer != nil {
		return ""
	}
	group, is := sel.GroupBy.Items[0].Expr.(*ast.ColumnNameExpr)
	if !is || !strings.EqualFold(group.Name.Name.O, perColumn(t.Question, sc)) {
		return ""
	}
	sel.Fields.Fields = append([]*ast.SelectField{{Expr: group}}, sel.Fields.Fields...)
	return "the question asks for one value for each " + group.Name.Name.O
}
