package doubt

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Literals are all constants of a statement, as texts.
func Literals(stmt ast.Node) (out []string) {
	for _, e := range syntax.All[ast.ValueExpr](stmt) {
		out = append(out, fmt.Sprint(e.GetValue()))
	}
	return out
}

// readBy are the stems of what a statement reads: its tables, those that they refer to, its columns and its
// constants; and those of its columns' comments.
func readBy(b *bind.Bound) (stems, comments map[string]bool) {
	stems, comments = map[string]bool{}, map[string]bool{}
	add := func(list []string) {
		for _, w := range list {
			stems[w] = true
		}
	}
	voc := question.VocabularyOf(b.Schema)
	used := map[string]bool{}
	for _, name := range append(b.Tables(), b.Fields()...) {
		used[name] = true
		t, ok := b.Schema.Table(name)
		if !ok {
			continue
		}
		add(voc.TableWordsOf(t))
		for _, fk := range t.ForeignKeys { // who reads enrolments reads of students
			if ref, ok := b.Schema.Table(fk.RefTable); ok {
				add(voc.TableWordsOf(ref))
			}
		}
	}
	for _, c := range voc.Columns {
		if used[c.Table.Name+"."+c.Col.Name] {
			add(c.Words)
			maps.Copy(comments, words.NewBag(c.Col.Comment).Has)
		}
	}
	for _, text := range Literals(b.Stmt) {
		add(words.OfName(text))
	}
	return stems, comments
}

// unsaid counts the words and values of the question for which nothing in the query stands: no name, no constant,
// nothing that means them, and no comment of a column that it reads. Named are those that name a table or a column.
func (c *Case) unsaid() (n int, named []string) {
	coded := map[string]bool{} // what values are called
	for _, v := range c.Values {
		for _, w := range words.Stems(cmp.Or(v.Said, v.Value)) {
			coded[w] = true
		}
		if !c.uses(v) {
			n++
		}
	}
	for _, stem := range c.Question.Content() {
		if coded[stem] || c.reads(stem) {
			continue
		}
		n++
		if i := slices.IndexFunc(c.Question.Words, func(w question.Word) bool {
			return words.Stem(w.Low) == stem
		}); i >= 0 && c.Question.Voc.HasName(stem) {
			named = append(named, c.Question.Words[i].Low)
		}
	}
	return n, named
}

// reads says that something in the query stands for a word.
func (c *Case) reads(w string) bool {
	return words.StandsFor(c.stands, w) || c.means().Has(w) || words.StandsFor(c.comments, w)
}

// uses says that something in the query stands for a value.
func (c *Case) uses(v Value) bool {
	own := strings.ToLower(v.Value)
	return slices.ContainsFunc(words.Stems(cmp.Or(v.Said, v.Value)), c.reads) ||
		slices.ContainsFunc(Literals(c.bound.Stmt), func(text string) bool {
			text = strings.ToLower(strings.Trim(text, "% "))
			return text != "" && (strings.Contains(text, own) || strings.Contains(own, text))
		})
}

// unsaidValue finds a value that the question names and the query does not look for. A word that a table or a column
// is called may mean that.
func unsaidValue(c *Case) (out []sqlcheck.Finding) {
	for _, v := range c.Values {
		said := cmp.Or(v.Said, v.Value)
		if len(said) > 1 && !c.uses(v) && !slices.ContainsFunc(words.Stems(said), c.Question.Voc.HasName) {
			out = append(out, finding("the question says %q, a value of %s.%s, and the query does not look for it", said,
				v.Table, v.Column)...)
		}
	}
	return out
}

// nothingKnown finds a question of which neither the database nor the query has a word: "what is the weather?"
func nothingKnown(c *Case) []sqlcheck.Finding {
	q := c.Question
	known := func(w question.Word) bool { return q.Voc.HasName(words.Stem(w.Low)) }
	if q.Schema == nil || q.Lang != words.English || len(c.Glossary) > 0 || !q.Foreign(q.Schema.Name) ||
		q.Asks(words.Avg|words.Sum|words.Max|words.Min|words.Distinct) || slices.ContainsFunc(q.Words, known) ||
		slices.ContainsFunc(q.Content(), c.reads) {
		return nil
	}
	return finding("nothing of the question is known to this database")
}

// missingWords finds what the question names and nothing in the query stands for.
func missingWords(c *Case) (out []sqlcheck.Finding) {
	_, named := c.missing()
	for _, said := range named {
		out = append(out, finding("nothing in the query stands for %q", said)...)
	}
	return out
}

// inventedValue finds a text or number that a column is compared with, and of which the question does not speak.
func inventedValue(c *Case) []sqlcheck.Finding {
	if c.Question.Text == "" {
		return nil
	}
	var out []sqlcheck.Finding
	check := func(op opcode.Op, l ast.ExprNode, text string, isText bool) {
		if f, is := l.(*ast.FuncCallExpr); is && f.FnName.L == ast.Year && len(f.Args) == 1 {
			l = f.Args[0]
		}
		col, ok := c.bound.Column(l)
		if text = strings.Trim(text, "% "); ok && text != "" && !c.speaksOf(op, text) {
			out = append(out, finding("the query compares %s with %s, of which the question does not speak",
				col.Name, quoted(text, isText))...)
		}
	}
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		for _, p := range [][2]ast.ExprNode{{l, r}, {r, l}} {
			if text, isText, ok := edit.Constant(p[1]); ok {
				check(op, p[0], text, isText)
			}
		}
	})
	eachLike(c.bound, func(l *ast.PatternLikeOrIlikeExpr, text string) { check(opcode.Like, l.Expr, text, true) })
	return out
}

// What a query excludes by, and what stands behind a word that then denies nothing: "not only", "no more than", "no 5".
var (
	excludes = regexp.MustCompile(`(?i)<>|!=|<=|>=|\b(not|except|null|left|right|between|distinct|case|0)\b|'(un|in|non|dis|no |(no|n|f|false)')`)
	notOnly  = regexp.MustCompile(`^(only|nur|s[oó]lo|seulement|more|mehr|m[aá]s|plus|less|menos|moins|\d.*|.*er)$`)
)

// notDenied finds a query that excludes nothing where the question says that something is not so.
func notDenied(c *Case) []sqlcheck.Finding {
	asked := cmp.Or(c.Said, c.Question)
	for i, w := range asked.Words {
		behind := i+1 < len(asked.Words) && notOnly.MatchString(asked.Words[i+1].Low)
		number := w.Low == "no" && (i+1 == len(asked.Words) || words.IsStop(asked.Words[i+1].Low))
		if asked.IsFor(i, words.Denies) && !behind && !number && !c.stands[w.Low] && !excludes.MatchString(c.SQL) {
			return finding("the question says %q, and the query excludes nothing", w.Low)
		}
	}
	return nil
}

// speaksOf reports whether the question, or what the glossary says of it, has a constant or what may stand for it.
// Small numbers and dates are said in many ways, and bounds may be one off.
func (c *Case) speaksOf(op opcode.Op, text string) bool {
	low, asked := strings.ToLower(text), strings.ToLower(strings.ReplaceAll(c.Question.Text, ",", ""))
	if words.Is(low, words.Answer) || edit.DateLike.MatchString(text) || strings.Contains(asked, low) {
		return true
	}
	if slices.ContainsFunc(c.Values, func(v Value) bool { return words.SameText(v.Value, text) }) ||
		slices.ContainsFunc(c.Glossary, func(g string) bool { return strings.Contains(strings.ToLower(g), low) }) {
		return true
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		said := n >= -1 && n <= 2
		for i, k := range []int{int(n), int(n) + 1, int(n) - 1} {
			near := i == 0 || op != opcode.EQ || c.Question.Has("before", "previous", "next", "following", "later")
			said = said || near && (c.Question.HasNumber(k) || strings.Contains(asked, strconv.Itoa(k)))
		}
		for _, unit := range []float64{1e3, 1e6, 1e9} {
			said = said || n >= unit && strings.Contains(asked, strconv.FormatFloat(n/unit, 'f', -1, 64))
		}
		return said
	}
	bag := c.Question.Bag()
	if slices.ContainsFunc(words.Stems(text), func(w string) bool { return words.Stands(bag.Has, w) }) {
		return true
	}
	for n := 1; n <= 4; n++ { // words that mean one text: "United States" is USA
		for i := 0; i+n <= len(bag.List); i++ {
			if _, means := question.NearestValue(text, []string{strings.Join(bag.List[i:i+n], " ")}, true); means {
				return true
			}
		}
	}
	return false
}

// whoNumber finds a query that shows numbers alone where the question asks who, and names none of these columns; and
// one that only counts where it asks who or which.
func whoNumber(c *Case) []sqlcheck.Finding {
	asked := cmp.Or(c.Said, c.Question)
	who := asked.Is(0, "who", "wer", "quien", "qui")
	other := func(o bind.Output) bool {
		agg, is := o.Expr.(*ast.AggregateFuncExpr)
		return (!is || !strings.EqualFold(agg.F, "count")) && (!who || o.Column == nil ||
			o.Column.Kind() != schema.Number || c.Question.Mention(0, words.OfName(o.Column.Name)) >= 0)
	}
	which := asked.Is(0, "which", "welche", "quels", "quelles", "cuales") && !asked.Has("number", "count", "many")
	if len(c.bound.Output) == 0 || !who && !which || slices.ContainsFunc(c.bound.Output, other) {
		return nil
	}
	name := "a count"
	if col := c.bound.Output[0].Column; col != nil {
		name = col.Name + ", a number"
	}
	return advice("show a name", "the question asks who or which, and the query shows %s", name)
}

// What words stand for the first of days, the last, an average, "or", what has no match, too, and places from 1 on.
var (
	early  = regexp.MustCompile(`^(old|eld|earl|älteste|früheste|antigu)`)
	late   = regexp.MustCompile(`^(new|young|latest|recent|jüngste|neueste|späteste|reciente)`)
	means  = regexp.MustCompile(`(?i)averag|avg|\bmean\b|schnitt|\bmedi[ao]s?\b|promedi|moyen`)
	ors    = regexp.MustCompile(` (oder|o|ou) `)
	keeps  = regexp.MustCompile(`(?i)^$|\b(also|even|incl\w*|without|if any|auch|ohne|tambi.n|sin|hay|aussi|sans)\b`)
	places = regexp.MustCompile(`(?i)^-|rank|place|position|grade|note|level|priority|puesto|rang|platz`)
)

// otherEnd finds the first rows of an order of which the one superlative of the question asks for the other end.
func otherEnd(c *Case) []sqlcheck.Finding {
	q, ends := c.Question, []int{}
	is := func(i int, r *regexp.Regexp) bool { return !q.Words[i].Masked && r.MatchString(q.Words[i].Low) }
	for i := range q.Words { // "most recent" and "más corto" are no most
		most := q.Is(i, "most") && (q.Lang > words.German || i+1 < len(q.Words) && is(i+1, late))
		if q.IsFor(i, words.High|words.Low) && !most || is(i, early) || is(i, late) {
			ends = append(ends, i)
		}
	}
	sel := c.bound.Blocks[0].Select
	if sel.Limit == nil || sel.OrderBy == nil || len(ends) != 1 {
		return nil
	}
	by, up, down := sel.OrderBy.Items[0], is(ends[0], early), is(ends[0], late)
	text, _ := syntax.Print(by.Expr) // it was read
	_, col := c.bound.RefOf(by.Expr).Column()
	if col == nil || col.Kind() != schema.Date && (len(col.Least) != 4 || len(col.Most) != 4) { // no day and no year
		up, down = q.IsFor(ends[0], words.Low) && !down, q.IsFor(ends[0], words.High) && !up
	}
	if up == down || by.Desc == down || places.MatchString(text) {
		return nil
	}
	return finding("the question says %q, and the order of %s begins with the other end", q.Words[ends[0]].Low, text)
}

// openOr finds a OR b AND c for the question's "a or b", where c is asked of both: AND goes before OR.
func openOr(c *Case) (out []sqlcheck.Finding) {
	asked := ors.ReplaceAllString(words.Phrase(strings.ReplaceAll(c.Question.Text, ",", " and ")), " or ")
	for _, or := range syntax.All[*ast.BinaryOperationExpr](c.bound.Stmt) {
		conds := edit.Alternatives(or)
		for i := 0; len(conds) == 2 && i < 2; i++ {
			for _, cond := range syntax.Conjuncts(conds[1-i]) {
				edit.Equated(syntax.Unparen(conds[i]), func(l *ast.ColumnNameExpr, a ast.ValueExpr) {
					edit.Equated(cond, func(r *ast.ColumnNameExpr, b ast.ValueExpr) {
						x, y, same := a.GetValue(), b.GetValue(), c.bound.ExprKey(l) == c.bound.ExprKey(r)
						xy, yx := words.Phrase(fmt.Sprint(x, " or ", y)), words.Phrase(fmt.Sprint(y, " or ", x))
						if same && cond != conds[1-i] && (strings.Contains(asked, xy) || strings.Contains(asked, yx)) {
							out = advice("put the OR in brackets", "AND goes before OR, and takes %v or %v", x, y)
						}
					})
				})
			}
		}
	}
	return out
}

//go:embed units.txt
var unitText string

// units has of a word what it measures, and how many of the smallest unit of that it is.
var units = syntax.Table(unitText)

// unitsIn are the units that a text names, by what they measure.
func unitsIn(text string) map[string]unit {
	of := map[string]unit{}
	for t := range words.Tokens(text) {
		if measure, times, ok := strings.Cut(units[cmp.Or(t.Fold, t.Text)], " "); ok {
			of[measure] = unit{times, t.Text}
		}
	}
	return of
}

type unit struct{ times, word string }

// otherUnit finds a column of numbers whose name or comment says one unit, where the question says another one and
// nothing in the query turns one into the other: it neither multiplies nor divides, and has no number above 2 that
// the question has not.
func otherUnit(c *Case) []sqlcheck.Finding {
	asked := unitsIn(c.Question.Text)
	if len(asked) == 0 {
		return nil
	}
	scales := func(n *ast.BinaryOperationExpr) bool { return n.Op == opcode.Mul || n.Op == opcode.Div }
	converts := slices.ContainsFunc(syntax.All[*ast.BinaryOperationExpr](c.bound.Stmt), scales)
	for _, text := range Literals(c.bound.Stmt) {
		n, err := strconv.ParseFloat(text, 64)
		converts = converts || err == nil && n > 2 && !strings.Contains(c.Question.Text, text)
	}
	for _, ref := range c.bound.Columns {
		_, col := ref.Column()
		valued := ref.Clause == bind.InFields || ref.Clause == bind.InWhere || ref.Clause == bind.InHaving
		if converts || col == nil || col.Kind() != schema.Number || !valued {
			continue
		}
		for measure, has := range unitsIn(strings.Join(words.Parts(col.Name), " ") + " " + col.Comment) {
			if want := asked[measure]; want.word != "" && want.times != has.times {
				return finding("%s is in %s, and the question says %s", col.Name, has.word, want.word)
			}
		}
	}
	return nil
}
