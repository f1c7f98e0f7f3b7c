package guard

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// ages turns the order by age round where the question asks for the other end of it: who was born first is the oldest.
// The column is one that says an age, of what the word behind "oldest" names.
//
//	Who is the oldest person? | SELECT name FROM person ORDER BY born DESC LIMIT 1
//	→ SELECT name FROM person ORDER BY born LIMIT 1
func ages(t *draft.Text, b *bind.Bound) (why string) {
	if t.Asked() == "" || len(b.Blocks) == 0 {
		return ""
	}
	block := b.Blocks[0]
	sel := block.Select
	if b.Stmt != ast.StmtNode(sel) || sel.OrderBy == nil || sel.Limit == nil || len(sel.OrderBy.Items) != 1 {
		return ""
	}
	q := t.Question
	at := q.Index(0, "oldest", "eldest", "youngest")
	if at < 0 || q.Index(at+1, "oldest", "eldest", "youngest") >= 0 {
		return ""
	}
	item := sel.OrderBy.Items[0]
	by := item.Expr
	read, isDate := by.(*ast.FuncCallExpr) // of a text
	if isDate = isDate && len(read.Args) > 0 && timeFunctions[read.FnName.L] != noTime; isDate {
		by = read.Args[0]
	}
	name, is := by.(*ast.ColumnNameExpr)
	if !is || b.Ref(name.Name) == nil {
		return ""
	}
	table, c := b.Ref(name.Name).Column()
	if c == nil || !isDate && !saysAge(c) || !isOf(q, at, table, c, block) {
		return ""
	}
	oldest := !q.Is(at, "youngest")
	if desc := oldest == (c.Kind() == schema.Number); item.Desc == desc {
		return ""
	}
	item.Desc = !item.Desc
	if oldest {
		return "the oldest come first"
	}
	return "the youngest come first"
}

// saysAge reports whether a column has ages, or days from which they may count.
func saysAge(c *schema.Column) bool {
	if c.Kind() == schema.Number {
		return lastWord(c.Name) == "age"
	}
	return timeTypes[schema.ParseType(c.Type).Name] != noTime
}

// isOf reports whether the superlative at word i of the question is of c, a column of t that says an age: the words
// behind it name t; or c is of an age by its name, as a birthday is, and they name another table of the block that has
// no age, as gymnasts who are people, or nothing but c, where the block reads t alone.
func isOf(q *question.Question, i int, t *schema.Table, c *schema.Column, block *bind.Block) bool {
	parts := map[string]bool{}
	for _, w := range words.OfName(c.Name) {
		parts[w] = true
	}
	named := c.Kind() == schema.Number || words.StandsFor(parts, "oldest")
	var behind []string
	for i++; i < len(q.Words); i++ {
		if of, _ := q.TableAt(i); of != nil {
			reads := func(s *bind.Source) bool { return s.Table == of }
			ageless := !slices.ContainsFunc(of.Columns, func(c schema.Column) bool { return saysAge(&c) })
			return of == t || named && ageless && slices.ContainsFunc(block.Sources, reads)
		}
		if words.IsStop(q.Words[i].Low) {
			break
		}
		behind = append(behind, words.Stem(q.Words[i].Low))
	}
	if !named || len(block.Sources) > 1 {
		return false
	}
	for _, k := range q.Voc.ByTable[t] {
		has := func(w string) bool { return slices.Contains(behind, w) }
		if other := q.Voc.Columns[k]; other.Col != c && slices.ContainsFunc(other.Words, has) {
			return false // the oldest ward of a table of patients
		}
	}
	return true
}

// lastWord is the last word of a name; "" if it has none, as "#".
func lastWord(name string) string {
	parts := words.OfName(name)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}
