package doubt

import (
	"cmp"
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
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// literals are all constants of a statement, as texts.
func literals(b *bind.Bound) (out []string) {
	syntax.Visit(b.Stmt, func(n ast.Node) bool {
		if e, ok := n.(ast.ValueExpr); ok {
			out = append(out, fmt.Sprint(e.GetValue()))
		}
		return true
	})
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
	for _, text := range literals(b) {
		add(words.OfName(text))
	}
	return stems, comments
}

// unread is the first word of a list for which nothing in the statement stands, of those that content has; nil is all
// of them.
func (c *Case) unread(list, content []string) (string, bool) {
	for _, w := range list {
		if (content == nil || slices.Contains(content, w)) && !c.reads(w) {
			return w, true
		}
	}
	return "", false
}

// reads reports whether something in the statement stands for a word, or means it.
func (c *Case) reads(word string) bool {
	return words.StandsFor(c.stands, word) || c.means().Has(word)
}

// missingValue finds a value that the question holds and for which nothing in the query stands.
func missingValue(c *Case) []sqlcheck.Finding {
	var out []sqlcheck.Finding
	texts := literals(c.bound)
	for _, v := range c.Values {
		own := strings.ToLower(v.Value)
		there := slices.ContainsFunc(texts, func(text string) bool {
			text = strings.ToLower(strings.Trim(text, "% "))
			return text != "" && (strings.Contains(text, own) || strings.Contains(own, text))
		})
		said := cmp.Or(v.Said, v.Value)
		if _, unread := c.unread(words.Stems(said), nil); !there && unread {
			out = append(out, finding("nothing in the query stands for %q (%s.%s)", said, v.Table, v.Column)...)
		}
	}
	return out
}

// Numbers of a question, not within words or dates, and of a query.
var (
	askedNumber = regexp.MustCompile(`(?:^|[^\pL\pN_.,/:-])(\d+(?:,\d{3})*(?:\.\d+)?)`)
	digits      = regexp.MustCompile(`\d+(?:\.\d+)?`)
)

// missingNumber finds a number of the question that is in no part of the query. "More than 3" may be >= 4, and 5
// percent 0.05.
func missingNumber(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	var out []sqlcheck.Finding
	text := strings.Join(literals(c.bound), " ")
	var have []float64
	for _, m := range digits.FindAllString(text, -1) {
		if n, err := strconv.ParseFloat(m, 64); err == nil {
			have = append(have, n)
		}
	}
	lacks := func(n float64) bool {
		ways := []float64{n, n + 1, n - 1, n / 100, 1 - n/100, n * 1e3, n * 1e6, n * 1e9}
		return !slices.ContainsFunc(ways, func(k float64) bool { return slices.Contains(have, k) })
	}
	for _, m := range askedNumber.FindAllStringSubmatch(c.Question.Text, -1) {
		plain := strings.ReplaceAll(m[1], ",", "")
		if n, err := strconv.ParseFloat(plain, 64); err == nil && n > 1 && lacks(n) && !strings.Contains(text, plain) {
			out = append(out, finding("nothing in the query stands for %s", m[1])...)
		}
	}
	for i, w := range c.Question.Words { // "at least three"
		n := c.Question.Number(i)
		bounds := c.Question.Is(i-1, "least", "most", "than", "exactly", "over", "top")
		if n > 1 && w.Low[0] > '9' && bounds && lacks(float64(n)) {
			out = append(out, finding("nothing in the query stands for %q", w.Low)...)
		}
	}
	return out
}

// missingTable finds a table that the question names, and that the query neither reads nor refers to.
func missingTable(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	var out []sqlcheck.Finding
	content := c.Question.Content()
	for i, w := range c.Question.Words {
		t, n := c.Question.TableAt(i)
		if t == nil || w.Masked || c.Question.ColumnHere(i, n, t) > 0 {
			continue
		}
		if _, unread := c.unread(c.Question.Voc.TableWordsOf(t), content); unread {
			out = append(out, finding("the question names %s, which the query does not read", t.Name)...)
		}
	}
	if t := c.hiddenTable(); t != nil && len(out) == 0 {
		out = finding("the question counts %s, which the query does not read", t.Name)
	}
	return out
}

// missingColumn finds a column that the question names, and for which nothing in the query stands: no name, no
// constant, and no comment of a column that it reads. (Comments that explain codes say nothing of which code is
// meant, so other doubts do not ask them.)
func missingColumn(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	var out []sqlcheck.Finding
	content := c.Question.Content()
	seen := map[string]bool{}
	for _, col := range c.Question.Voc.Columns {
		if len(col.Words) == 1 && words.Is(col.Words[0], words.Key) || c.Question.Mention(0, col.Words) < 0 {
			continue
		}
		if w, unread := c.unread(col.Words, content); unread && !seen[w] && !words.StandsFor(c.comments, w) {
			seen[w] = true
			said := strings.Join(col.Words, " ")
			out = append(out, finding("nothing in the query stands for %q (%s.%s)", said,
				col.Table.Name, col.Col.Name)...)
		}
	}
	return out
}

// longestName is how many words of a question may mean one text.
const longestName = 4

// inventedValue finds a text or number that a column is compared with, and of which the question does not speak.
func inventedValue(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	var out []sqlcheck.Finding
	check := func(l ast.ExprNode, text string, isText bool) {
		col, ok := c.bound.Column(l)
		if text = strings.Trim(text, "% "); ok && text != "" && !c.speaksOf(text) {
			out = append(out, finding("the query compares %s with %s, of which the question does not speak",
				col.Name, quoted(text, isText))...)
		}
	}
	eachComparison(c.bound, func(_ opcode.Op, l, r ast.ExprNode) {
		for _, p := range [][2]ast.ExprNode{{l, r}, {r, l}} {
			if text, isText, ok := literal(p[1]); ok {
				check(p[0], text, isText)
			}
		}
	})
	eachLike(c.bound, func(like *ast.PatternLikeOrIlikeExpr, pattern string) { check(like.Expr, pattern, true) })
	return out
}

// speaksOf reports whether the question, or what the glossary says of it, has a constant or what may stand for it.
// Small numbers and dates are said in many ways.
func (c *Case) speaksOf(text string) bool {
	low, asked := strings.ToLower(text), strings.ToLower(strings.ReplaceAll(c.Question.Text, ",", ""))
	if words.Is(low, words.Answer) || dateLike.MatchString(text) || strings.Contains(asked, low) {
		return true
	}
	if slices.ContainsFunc(c.Values, func(v Value) bool { return words.SameText(v.Value, text) }) ||
		slices.ContainsFunc(c.Glossary, func(g string) bool { return strings.Contains(strings.ToLower(g), low) }) {
		return true
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		said := n >= -1 && n <= 2
		for _, k := range []int{int(n), int(n) + 1, int(n) - 1} {
			said = said || c.Question.HasNumber(k) || strings.Contains(asked, strconv.Itoa(k))
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
	for n := 1; n <= longestName; n++ { // "United States" is USA
		for i := 0; i+n <= len(bag.List); i++ {
			if _, means := question.NearestValue(text, []string{strings.Join(bag.List[i:i+n], " ")}, true); means {
				return true
			}
		}
	}
	return false
}

// constraint finds a structure that the question asks for beyond doubt and the query does not have.
func constraint(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	for _, v := range []sqlcheck.Verdict{
		c.Question.Constraints().Check(c.bound.Stmt),
		c.Question.CheckIntentOf(c.bound.Stmt),
	} {
		if !v.OK {
			asks, _, _ := strings.Cut(v.Hint, ":")
			return []sqlcheck.Finding{{Reason: v.Reason, Message: asks + ", and the query does not"}}
		}
	}
	return nil
}

// wrongWay finds an order that begins at the other end than the question asks for. Of ranks and years it says nothing.
func wrongWay(c *Case) []sqlcheck.Finding {
	if c.Question == nil {
		return nil
	}
	most, least := false, false
	for i := range c.Question.Words {
		if !c.Question.Is(i-1, "at") && !c.Question.Is(i+1, "recent", "recently") {
			most = most || c.Question.IsFor(i, words.High)
			least = least || c.Question.IsFor(i, words.Low)
		}
	}
	if most == least {
		return nil
	}
	for _, block := range c.bound.Blocks {
		order := block.Select.OrderBy
		if order == nil || block.Select.Limit == nil || len(order.Items) == 0 || order.Items[0].Desc == most {
			continue
		}
		expr := order.Items[0].Expr
		if col, ok := c.bound.Column(expr); ok && c.ranksUp(col) || !ok && syntax.HasAggregate(expr) {
			return finding("the order begins at the other end than the question asks for")
		}
	}
	return nil
}

// ranksUp reports whether more of a column is more of what the question asks for.
func (c *Case) ranksUp(col *schema.Column) bool {
	parts := words.OfName(col.Name)
	if c.Question.Has("oldest", "youngest") {
		return slices.Contains(parts, "age")
	}
	isPlace := func(w string) bool { return slices.Contains([]string{"rank", "ranking", "position", "year"}, w) }
	return col.Kind() == schema.Number && !slices.ContainsFunc(parts, isPlace)
}
