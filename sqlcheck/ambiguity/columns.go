package ambiguity

import (
	"maps"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// others calls f with each column of the same table that may be meant instead of one: of its kind, no key, and not
// named by the query.
func (r *reader) others(u use, used []use, f func(w question.ColumnWords)) {
	for _, k := range r.q.Voc.ByTable[u.src.Table] {
		w := r.q.Voc.Columns[k]
		there := slices.ContainsFunc(used, func(o use) bool { return o.src.Table == u.src.Table && o.col == w.Col })
		if !there && w.Col.Kind() == u.col.Kind() && !r.q.Voc.IsKey(u.src.Table, w.Col) {
			f(w)
		}
	}
}

// columns exchanges a column that the question names by a word which another one of its table has too.
//
//	"the amount of each claim"  SELECT amount_claimed FROM claims → SELECT amount_settled FROM claims
func (r *reader) columns() {
	used := r.uses()
	for _, u := range used {
		if u.col.Kind() == schema.Date || r.q.Voc.IsKey(u.src.Table, u.col) {
			continue
		}
		own := r.q.Voc.WordsOf(u.src.Table, u.col)
		r.others(u, used, func(w question.ColumnWords) {
			said := r.shared(own, w, used)
			if said == "" || len(tells(own.Own, w.Own)) == 0 || r.settled(own, w) || isPart(own) || isPart(w) {
				return
			}
			r.add(Alternative{Kind: Column, Word: said, Taken: name(u.col.Name), Other: name(w.Col.Name)},
				rename(u.names, w.Col.Name))
		})
	}
}

// shared is the word of the question that names two columns, "" where none does, or it names something else as well:
// a table, or all of another column that the query reads.
func (r *reader) shared(a, b question.ColumnWords, used []use) string {
	for _, w := range a.Own {
		i := r.q.Mention(0, []string{w})
		ofTable := func(t schema.Table) bool {
			own, _ := r.q.Schema.Table(t.Name)
			return slices.Contains(r.q.Voc.TableWordsOf(own), w)
		}
		if i < 0 || !slices.Contains(b.Own, w) || building[w] || words.Is(w, words.Key) ||
			slices.ContainsFunc(r.q.Schema.Tables, ofTable) {
			continue
		}
		if !slices.ContainsFunc(used, func(u use) bool {
			return u.col != a.Col && slices.Equal(r.q.Voc.WordsOf(u.src.Table, u.col).Own, []string{w})
		}) {
			return r.q.Words[i].Low
		}
	}
	return ""
}

// isPart reports whether a column is a part of a name: who asks for names wants no choice of them.
func isPart(w question.ColumnWords) bool {
	return slices.ContainsFunc(w.Own, func(s string) bool { return partsOfNames[s] })
}

var partsOfNames = syntax.WordSet("first last middle family given initial")

// dates exchanges a date that the question does not name.
//
//	"claims from 2017"  … WHERE YEAR(date_made) = 2017 → … WHERE YEAR(date_settled) = 2017
func (r *reader) dates() {
	used := r.uses()
	for _, u := range used {
		if u.col.Kind() != schema.Date {
			continue
		}
		own := r.q.Voc.WordsOf(u.src.Table, u.col)
		r.others(u, used, func(w question.ColumnWords) {
			if r.settled(own, w) {
				return
			}
			r.add(Alternative{Kind: Date, Taken: name(u.col.Name), Other: name(w.Col.Name)},
				rename(u.names, w.Col.Name))
		})
	}
}

// values exchanges the column that has a value of the question, where another one of the same table has it too.
//
//	"flights of Chicago"  … WHERE origin = 'Chicago' → … WHERE destination = 'Chicago'
func (r *reader) values() {
	used := r.uses()
	for _, block := range r.b.Blocks {
		if block.Select == nil {
			continue
		}
		for _, cond := range edit.Conditions(block.Select) {
			edit.Equated(syntax.Unparen(cond), func(c *ast.ColumnNameExpr, v ast.ValueExpr) {
				if text, is := syntax.LiteralText(v); is && !r.placed(text) {
					r.value(r.b.Ref(c.Name), text, used)
				}
			})
		}
	}
}

// value exchanges a column that has a value.
func (r *reader) value(ref *bind.ColumnRef, text string, used []use) {
	src, col := behind(ref)
	if col == nil || src.Table == nil {
		return
	}
	own, at := r.q.Voc.WordsOf(src.Table, col), []int{slices.Index(r.b.Columns, ref)}
	r.others(use{src: src, col: col}, used, func(w question.ColumnWords) {
		is := func(o string) bool { return words.SameText(o, text) }
		if slices.ContainsFunc(r.q.Known()[w.Col], is) && !r.settled(own, w) {
			a := Alternative{Kind: Value, Word: text, Taken: name(col.Name), Other: name(w.Col.Name)}
			r.add(a, rename(at, w.Col.Name))
		}
	})
}

// placed reports whether a preposition before a value says which way it is meant.
func (r *reader) placed(value string) bool {
	stems := words.Stems(value)
	for i := range r.q.Words {
		if i+len(stems) <= len(r.q.Words) && len(stems) > 0 && words.Stem(r.q.Words[i].Low) == words.Stem(stems[0]) &&
			i > 0 && directions[r.q.Words[i-1].Low] {
			return true
		}
	}
	return false
}

var directions = syntax.WordSet("from to into at against by leaving")

// tables exchanges the one table of a query that the question does not name, where another one has all its columns.
//
//	"all first names"  SELECT first_name FROM customers → SELECT first_name FROM staff
func (r *reader) tables() {
	if len(r.b.Blocks) != 1 || len(r.b.Blocks[0].Sources) != 1 || r.b.Blocks[0].Sources[0].Table == nil {
		return
	}
	src := r.b.Blocks[0].Sources[0]
	own := r.q.Voc.TableWordsOf(src.Table)
	for i := range r.q.Schema.Tables {
		t := &r.q.Schema.Tables[i]
		their := r.q.Voc.TableWordsOf(t)
		names, said := r.counterparts(src.Table, t)
		if t == src.Table || said == "" || len(tells(own, their)) == 0 || len(tells(their, own)) == 0 {
			continue
		}
		if r.named(tells(own, their)) || r.named(tells(their, own)) || r.speaksOfMore(src.Table, names) {
			continue
		}
		r.add(Alternative{Kind: Table, Word: said, Taken: "of " + name(src.Table.Name), Other: "of " + name(t.Name)},
			moved(t, names))
	}
}

// named reports whether the question speaks of a table, by a word of its name or by one that means it.
func (r *reader) named(table []string) bool {
	return slices.ContainsFunc(table, func(w string) bool { return r.says(w, nil) })
}

// speaksOfMore reports whether the question has words for which no column of a query stands: they may say what it is
// about.
func (r *reader) speaksOfMore(t *schema.Table, columns map[string]string) bool {
	known := map[string]bool{}
	for name := range columns {
		col, _ := t.Column(name)
		maps.Copy(known, syntax.Set(r.q.Voc.WordsOf(t, col).Words))
	}
	means := words.MeaningOf(known)
	return slices.ContainsFunc(r.q.Content(), func(w string) bool {
		return !words.Is(w, words.Superlative) && !words.StandsFor(known, w) && !means.Has(w)
	})
}

// counterparts are the names that the columns of a query have in another table, and the words of the question that
// name one in both, or are a value of both; "" where that lacks one.
func (r *reader) counterparts(from, to *schema.Table) (names map[string]string, said string) {
	names = map[string]string{}
	for _, ref := range r.b.Columns {
		_, col := behind(ref)
		if col == nil {
			if ref.Source == nil && ref.Output >= 0 {
				continue // an alias
			}
			return nil, ""
		}
		if r.q.Voc.IsKey(from, col) {
			return nil, ""
		}
		own := r.bare(from, col)
		k := slices.IndexFunc(r.q.Voc.ByTable[to], func(k int) bool {
			w := r.q.Voc.Columns[k]
			return w.Col.Kind() == col.Kind() && slices.Equal(r.bare(to, w.Col), own)
		})
		if k < 0 {
			return nil, ""
		}
		other := r.q.Voc.Columns[r.q.Voc.ByTable[to][k]].Col
		names[col.Name] = other.Name
		if i := r.q.Mention(0, own); said == "" && i >= 0 {
			for _, w := range r.q.Words[i : i+len(own)] {
				said = strings.TrimPrefix(said+" "+w.Low, " ")
			}
		}
		for _, v := range r.q.Known()[col] {
			if said == "" && slices.Contains(r.q.Known()[other], v) {
				said = v
			}
		}
	}
	return names, said
}

// bare are the words of a column's name without those of its table before them.
func (r *reader) bare(t *schema.Table, c *schema.Column) []string {
	table, own := r.q.Voc.TableWordsOf(t), r.q.Voc.WordsOf(t, c).Words
	for len(own) > 1 && slices.Contains(table, own[0]) {
		own = own[1:]
	}
	return own
}

// moved reads another table instead of the one that a query reads, and its columns.
func moved(t *schema.Table, names map[string]string) func(b *bind.Bound) (ast.Node, bool) {
	return func(b *bind.Bound) (ast.Node, bool) {
		src := b.Blocks[0].Sources[0]
		node, is := src.Node.Source.(*ast.TableName)
		if !is {
			return nil, false
		}
		for _, ref := range b.Columns {
			if _, col := behind(ref); col != nil {
				ref.Name.Name = ast.NewCIStr(names[col.Name])
				if src.Node.AsName.O == "" && ref.Name.Table.O != "" {
					ref.Name.Table = ast.NewCIStr(t.Name)
				}
			}
		}
		node.Name = ast.NewCIStr(t.Name)
		return b.Stmt, true
	}
}
