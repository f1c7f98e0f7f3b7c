package names

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// respelled finds a column of the query's tables that is written otherwise: with or without underscores or the name of
// its table ("customer_name", "paymentAmount" for amount of payments, "name" for customerName of customers).
func (a repair) respelled(r *bind.ColumnRef) string {
	voc := question.VocabularyOf(a.Schema)
	want := words.OfName(r.Name.Name.O)
	if len(want) == 0 {
		return ""
	}
	match := func(c question.ColumnWords) int {
		table := voc.TableWordsOf(c.Table)
		switch {
		case slices.Equal(want, c.Words) || slices.Equal(want, words.OfName(c.Col.Name)):
			return 3
		case slices.Equal(want, slices.Concat(table, c.Words)) || slices.Equal(want, slices.Concat(table, c.Own)):
			return 2
		case slices.Equal(want, c.Own) && !words.Is(want[len(want)-1], words.Key):
			return 1
		}
		return 0
	}
	best, twice := 0, false
	var home *bind.Source
	var col *schema.Column
	for _, s := range r.Block.Sources {
		qualified := r.Name.Table.L != "" && r.Block.SourceNamed(r.Name.Table.O) != nil
		if ofAnother := qualified && !strings.EqualFold(s.Name, r.Name.Table.O); s.Table == nil || ofAnother {
			continue
		}
		for _, i := range voc.ByTable[s.Table] {
			switch m := match(voc.Columns[i]); {
			case m > best:
				best, twice, home, col = m, false, s, voc.Columns[i].Col
			case m == best && m > 0:
				twice = true
			}
		}
	}
	owns := func(t schema.Table) bool { return ownsColumn(&t, r.Name.Name.O) }
	if col == nil || twice || best < 3 && slices.ContainsFunc(a.Schema.Tables, owns) {
		return ""
	}
	old := r.Name.Name.O
	r.Name.Name = ast.NewCIStr(col.Name)
	if r.Name.Table.L != "" || len(r.Block.Sources) > 1 {
		r.Name.Table = ast.NewCIStr(home.Name)
	}
	return old + " is spelled " + col.Name
}

// aliased finds a column whose name has a blank and was written without backquotes, so that its end became an alias:
// SELECT Item Category.
func aliased(r *bind.ColumnRef) string {
	for _, f := range r.Block.Select.Fields.Fields {
		if c, ok := f.Expr.(*ast.ColumnNameExpr); !ok || c.Name != r.Name || f.AsName.O == "" {
			continue
		}
		for _, s := range r.Block.Sources {
			if r.Name.Table.L != "" && !strings.EqualFold(s.Name, r.Name.Table.O) {
				continue
			}
			whole := r.Name.Name.O + " " + f.AsName.O
			isWhole := func(c bind.SourceColumn) bool { return strings.EqualFold(c.Name, whole) }
			if i := slices.IndexFunc(s.Columns, isWhole); i >= 0 {
				name := s.Columns[i].Name
				r.Name.Name, f.AsName = ast.NewCIStr(name), ast.CIStr{}
				return syntax.QuoteName(name) + " is one name"
			}
		}
	}
	return ""
}

// nearColumn takes the one name that is spelled almost like that of a column which no table has, or else the one of the
// query's tables that it begins with, or that means the same in another language than English.
func (a repair) nearColumn(i bind.Issue) string {
	near := slices.CompactFunc(slices.Sorted(slices.Values(i.Near)), strings.EqualFold)
	if len(i.Owners) > 0 {
		return ""
	}
	if len(near) == 0 {
		same := question.SameMeaning(a.Schema, i.Ref.Name.Name.O)
		for _, s := range i.Ref.Block.Sources {
			for _, c := range s.Columns {
				meant := same(c.Name) || further(i.Ref.Name.Name.O, c.Name) != ""
				if (i.Ref.Name.Table.L == "" || strings.EqualFold(s.Name, i.Ref.Name.Table.O)) && meant {
					near = append(near, c.Name)
				}
			}
		}
	}
	if len(near) != 1 || !a.fits(i.Ref, near[0]) {
		return ""
	}
	old := i.Ref.Name.Name.O
	i.Ref.Name.Name = ast.NewCIStr(near[0])
	return "there is no column " + old + "; taken for " + near[0]
}

// further is the one word that a name has behind another one, such as "year" of "built_year" behind "built"; "" where
// that is no name of a column, or the word computes something.
func further(name, begin string) string {
	long, short := words.OfName(name), words.OfName(begin)
	n := len(short)
	const computes = words.Count | words.Avg | words.Sum | words.Max | words.Min
	if n == 0 || len(long) != n+1 || !slices.Equal(long[:n], short) || words.Is(long[n], computes) {
		return ""
	}
	return long[n]
}

// fits reports whether a column may be meant where r stands: what r is compared with may be a value of it. Without a
// date beside it no year is taken for a date ("built_year"), and no name for the date of what it names ("status" for
// status_date) that tells nothing done ("shipped").
func (a repair) fits(r *bind.ColumnRef, column string) bool {
	var col *schema.Column
	for _, s := range r.Block.Sources {
		if s.Table != nil && col == nil {
			col, _ = s.Table.Column(column)
		}
	}
	if col == nil {
		return true
	}
	compared, fits := false, true
	edit.Comparisons(r.Block.Select, func(_ opcode.Op, left, right ast.ExprNode) {
		for _, p := range [][2]ast.ExprNode{{left, right}, {right, left}} {
			c, is := syntax.Unparen(p[0]).(*ast.ColumnNameExpr)
			if text, isText, ok := edit.Constant(p[1]); is && ok && c.Name == r.Name {
				compared, fits = true, fits && edit.Unlike(col, text, isText) == ""
			} else if other, known := a.Column(p[1]); is && known && c.Name == r.Name {
				compared, fits = true, fits && other.Kind() == col.Kind()
			}
		}
	})
	if compared || col.Kind() != schema.Date || col.Type == "year" {
		return fits
	}
	name := r.Name.Name.O
	return !words.Is(further(name, col.Name), words.Period) &&
		(further(col.Name, name) == "" || strings.HasSuffix(strings.ToLower(name), "ed"))
}

// nearTable takes the one table whose name is that of an unknown one but for case, underscores and plural, or else
// the one that is spelled almost like it, or else, in another language than English, the one that means the same. It
// must have the columns that are called its own.
func (a repair) nearTable(i bind.Issue) string {
	name, is := i.Node.(*ast.TableName)
	if !is || name.Schema.L != "" {
		return ""
	}
	at := slices.IndexFunc(i.Block.Sources, func(s *bind.Source) bool { return s.Node.Source == name })
	if at < 0 {
		return ""
	}
	src := i.Block.Sources[at]
	plain := func(name string) string { return strings.Join(words.OfName(name), "") }
	same := slices.DeleteFunc(a.Schema.TableNames(), func(t string) bool { return plain(t) != plain(name.Name.O) })
	if len(same) == 0 {
		same = i.Near
	}
	if len(same) == 0 {
		meant := question.SameMeaning(a.Schema, name.Name.O)
		same = slices.DeleteFunc(a.Schema.TableNames(), func(t string) bool { return !meant(t) })
	}
	var own, bare []*ast.ColumnName // columns that are called its own, and those that can be of no other table
	for _, r := range a.Columns {
		switch {
		case r.Name.Table.L != "" && r.Block.SourceNamed(r.Name.Table.L) == src:
			own = append(own, r.Name)
		case r.Name.Table.L == "" && r.Block == i.Block && len(i.Block.Sources) == 1 &&
			r.Clause != bind.InHaving && r.Clause != bind.InOrder:
			bare = append(bare, r.Name)
		}
	}
	having := func(same []string, columns []*ast.ColumnName) []string {
		return slices.DeleteFunc(slices.Clone(same), func(name string) bool {
			t, known := a.Schema.Table(name)
			lacks := func(c *ast.ColumnName) bool { return !ownsColumn(t, c.Name.L) }
			return !known || slices.ContainsFunc(columns, lacks)
		})
	}
	if same = having(same, own); len(same) > 1 {
		same = having(same, bare)
	}
	if len(same) != 1 {
		return ""
	}
	old := name.Name
	name.Name = ast.NewCIStr(same[0])
	if src.Node.AsName.L == "" {
		for _, c := range own {
			c.Table = name.Name
		}
		for _, f := range i.Block.Select.Fields.Fields {
			if f.WildCard != nil && f.WildCard.Table.L == old.L {
				f.WildCard.Table = name.Name
			}
		}
	}
	return "there is no table " + old.O + "; taken for " + same[0]
}

// holderOf renames a column that is compared with known values to the one column of the query's tables that holds
// them: "state = 'Shipped'" where only status knows 'Shipped'.
func (a repair) holderOf(r *bind.ColumnRef) string {
	texts := comparedWith(r)
	if len(texts) == 0 {
		return ""
	}
	var home *bind.Source
	var col *schema.Column
	for _, s := range r.Block.Sources {
		if s.Table == nil {
			continue
		}
		for i := range s.Table.Columns {
			c := &s.Table.Columns[i]
			if !c.Holds(texts...) {
				continue
			}
			if col != nil {
				return ""
			}
			home, col = s, c
		}
	}
	if col == nil {
		return ""
	}
	old := r.Name.Name.O
	r.Name.Name = ast.NewCIStr(col.Name)
	if r.Name.Table.L != "" || len(r.Block.Sources) > 1 {
		r.Name.Table = ast.NewCIStr(home.Name)
	}
	return "'" + texts[0] + "' is a " + col.Name + "; there is no " + old
}

// comparedWith are the string literals that WHERE and HAVING say r equals.
func comparedWith(r *bind.ColumnRef) (texts []string) {
	conditions := syntax.Conjuncts(r.Block.Select.Where)
	if r.Block.Select.Having != nil {
		conditions = append(conditions, syntax.Conjuncts(r.Block.Select.Having.Expr)...)
	}
	for _, c := range conditions {
		edit.Equated(c, func(column *ast.ColumnNameExpr, value ast.ValueExpr) {
			if text, isText := value.GetValue().(string); isText && column.Name == r.Name {
				texts = append(texts, text)
			}
		})
	}
	return texts
}
