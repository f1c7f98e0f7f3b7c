package edit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Using is what a statement does with a text.
type Using int

const (
	Sorted  Using = iota // ORDER BY, MIN, MAX
	Ordered              // more or less than others
	Equal                // =, <>, IN
	Liked                // LIKE
	Dated                // a function reads it as a date
	Cut                  // a part of it
	Counted              // an operator of numbers
	Added                // SUM, AVG
	Cast                 // CAST to a number
)

// operators are what those of two sides do with texts.
var operators = map[opcode.Op]Using{opcode.LT: Ordered, opcode.LE: Ordered, opcode.GT: Ordered, opcode.GE: Ordered,
	opcode.EQ: Equal, opcode.NE: Equal, opcode.NullEQ: Equal, opcode.Plus: Counted, opcode.Minus: Counted,
	opcode.Mul: Counted, opcode.Div: Counted}

// aggregates are what those do with their argument.
var aggregates = map[string]Using{"min": Sorted, "max": Sorted, "sum": Added, "avg": Added}

// casts are what CAST does, by the type.
var casts = map[byte]Using{mysql.TypeDate: Dated, mysql.TypeDatetime: Dated, mysql.TypeLonglong: Cast,
	mysql.TypeNewDecimal: Cast, mysql.TypeDouble: Cast, mysql.TypeFloat: Cast}

// functions are what those do with their arguments, and with the first alone if they do not read dates.
var functions = map[Using]map[string]bool{
	Dated: syntax.WordSet(`date datediff date_add date_format date_sub day dayname dayofmonth dayofweek dayofyear extract
		last_day month monthname quarter timestampdiff to_days week weekday year yearweek`),
	Cut: syntax.WordSet("left mid substr substring"),
}

// TextUse is a place where more counts of a column of texts than which text it is.
type TextUse struct {
	Column *schema.Column
	How    Using
	At     *ast.ExprNode   // where it stands: the column, or MIN or MAX of it in a comparison
	With   []*ast.ExprNode // what it is compared with, or cut by
	Inner  bool            // MIN or MAX that is a column of a table in FROM: what compares that is not known
}

// TextUses calls f for each such place, once all are found: f may put something else there.
func TextUses(b *bind.Bound, f func(at TextUse)) { uses(b, (*schema.Column).IsFreeText, f) }

// DateUses is TextUses of columns of dates and times.
func DateUses(b *bind.Bound, f func(at TextUse)) {
	uses(b, func(c *schema.Column) bool { return c.Kind() == schema.Date && !strings.EqualFold(c.Type, "year") }, f)
}

func uses(b *bind.Bound, may func(*schema.Column) bool, f func(at TextUse)) {
	var found []TextUse
	inner := map[ast.Node]bool{}
	add := func(how Using, of ast.Node, at *ast.ExprNode, with ...*ast.ExprNode) {
		e := *at
		if how != Sorted {
			e = Extreme(e)
		}
		if col, ok := b.Column(e); ok && may(col) {
			found = append(found, TextUse{col, how, at, with, inner[of]})
		}
	}
	orders := func(by *ast.OrderByClause) {
		for i := 0; by != nil && i < len(by.Items); i++ {
			add(Sorted, nil, &by.Items[i].Expr)
		}
	}
	syntax.Visit(b.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TableSource, *ast.CommonTableExpression:
			syntax.Visit(n, func(n ast.Node) bool { inner[n] = true; return true })
		case *ast.SelectStmt: // what is behind a set operation sorts by the names of its columns
			orders(n.OrderBy)
		case *ast.WindowSpec:
			orders(n.OrderBy)
		case *ast.AggregateFuncExpr:
			if orders(n.Order); len(n.Args) == 1 {
				if how, is := aggregates[strings.ToLower(n.F)]; is {
					add(how, n, &n.Args[0])
				}
			}
		case *ast.WindowFuncExpr:
			if how, is := aggregates[strings.ToLower(n.Name)]; is {
				add(how, n, &n.Args[0])
			}
		case *ast.BinaryOperationExpr:
			if how, is := operators[n.Op]; is {
				add(how, n, &n.L, &n.R)
				add(how, n, &n.R, &n.L)
			}
		case *ast.BetweenExpr:
			add(Ordered, n, &n.Expr, &n.Left, &n.Right)
		case *ast.PatternInExpr:
			add(Equal, n, &n.Expr, places(n.List)...)
		case *ast.PatternLikeOrIlikeExpr:
			add(Liked, n, &n.Expr, &n.Pattern)
		case *ast.FuncCastExpr:
			if how, is := casts[n.Tp.GetType()]; is {
				add(how, n, &n.Expr)
			}
		case *ast.FuncCallExpr:
			for how, names := range functions {
				for i := range n.Args {
					if names[n.FnName.L] && (i == 0 || how == Dated) {
						add(how, n, &n.Args[i], places(n.Args[i+1:])...)
					}
				}
			}
		}
		return true
	})
	for _, at := range found {
		f(at)
	}
}

// places are where the expressions of a list stand.
func places(list []ast.ExprNode) (at []*ast.ExprNode) {
	for i := range list {
		at = append(at, &list[i])
	}
	return at
}

// Extreme is what the least or the most of is taken; any other expression itself.
func Extreme(e ast.ExprNode) ast.ExprNode {
	agg, is := syntax.Unparen(e).(*ast.AggregateFuncExpr)
	if is && len(agg.Args) == 1 && (strings.EqualFold(agg.F, "min") || strings.EqualFold(agg.F, "max")) {
		return agg.Args[0]
	}
	return e
}

// isoPart is a date as MySQL writes it, or a part of one that is no part of others.
var isoPart = regexp.MustCompile(`^((18|19|20|21)\d\d(-\d\d?){0,2}|-\d\d?)-?( [\d:]*)?$`)

// isoCuts are such dates by the parts that are cut out of them: where one begins, and how long it is.
var isoCuts = map[[2]string]*regexp.Regexp{
	{"1", "4"}: regexp.MustCompile(`^\d{4}`), {"1", "7"}: isoMonth, {"6", "2"}: isoMonth, {"6", "5"}: isoMonth,
}

var isoMonth = regexp.MustCompile(`^\d{4}-\d\d`)

// miscast is a text of which CAST reads another number than it says: up to a comma or a blank, or none.
var miscast = regexp.MustCompile(`\d[,'’\pZ]\d|^[^\d.+-]|\d\.\d+\.\d`)

// Odd reports whether a use of texts that stand for dates or amounts takes them for something else: it goes by their
// order, reads them as MySQL's dates or numbers, or looks for a part that none of them has.
func (at TextUse) Odd() bool {
	texts := at.Column.Known()
	switch at.How {
	case Sorted, Ordered, Dated, Counted:
		return true
	case Cast:
		return slices.ContainsFunc(texts, miscast.MatchString)
	case Equal:
		return slices.ContainsFunc(at.With, func(e *ast.ExprNode) bool {
			text, isText, is := Constant(*e)
			return is && !slices.Contains(texts, text) && (!isText || isoPart.MatchString(text))
		})
	case Liked:
		pattern, is := syntax.LiteralText(*at.With[0])
		return is && isoPart.MatchString(strings.Trim(pattern, "%")) &&
			!slices.ContainsFunc(texts, Like(pattern).MatchString)
	case Cut:
		part := [2]string{0: "1"}
		for i := range at.With {
			part[2-len(at.With)+i], _, _ = Constant(*at.With[i])
		}
		form := isoCuts[part]
		return form != nil && slices.ContainsFunc(texts, func(text string) bool { return !form.MatchString(text) })
	}
	return false
}

// Like is what a pattern of LIKE matches, but for its collation.
func Like(pattern string) *regexp.Regexp {
	pattern = strings.NewReplacer("%", ".*", "_", ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?is)^" + pattern + "$")
}

// Constant is the text of a constant that is no NULL.
func Constant(n ast.ExprNode) (text string, isText, ok bool) {
	v, ok := syntax.Unparen(n).(*test_driver.ValueExpr)
	if !ok {
		return "", false, false
	}
	switch v.Kind() {
	case test_driver.KindString:
		return v.GetString(), true, true
	case test_driver.KindInt64:
		return strconv.FormatInt(v.GetInt64(), 10), false, true
	case test_driver.KindMysqlDecimal:
		return v.GetMysqlDecimal().String(), false, true
	}
	return "", false, false
}

// Comparisons calls f for every comparison in a statement; IN counts as one for each value, BETWEEN as two.
func Comparisons(stmt ast.Node, f func(op opcode.Op, l, r ast.ExprNode)) {
	syntax.Visit(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryOperationExpr:
			if syntax.Comparison(n.Op) {
				f(n.Op, n.L, n.R)
			}
		case *ast.PatternInExpr:
			for _, item := range n.List {
				f(opcode.EQ, n.Expr, item)
			}
		case *ast.BetweenExpr:
			f(opcode.GE, n.Expr, n.Left)
			f(opcode.LE, n.Expr, n.Right)
		}
		return true
	})
}

// DateLike is what texts and numbers begin with that are dates.
var DateLike = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}|^\d{8}(\d{6})?$|^\d{14}$`)

// decimalComma is a number that has one.
var decimalComma = regexp.MustCompile(`^-?\d[\d.'’\pZ]*,\d+$`)

// Unlike says what to write in the place of a constant that is of another kind than the column it is compared with; ""
// where it may be a value of it.
func Unlike(c *schema.Column, text string, isText bool) string {
	isNumber := func(v string) bool { _, err := strconv.ParseFloat(v, 64); return err == nil }
	switch c.Kind() {
	case schema.Number:
		if isText && !isNumber(strings.TrimSpace(text)) && !DateLike.MatchString(text) {
			return "compare " + c.Name + " with a number"
		}
	case schema.Date:
		day := DateLike.FindString(text)
		_, err := time.Parse("2006-1-2", day)
		if c.Type != "year" && c.Type != "time" && (day == "" || strings.Contains(day, "-") && err != nil) {
			return "write dates as 'YYYY-MM-DD'"
		}
	case schema.Text:
		// A number with a decimal comma does not mean a text in quotes either.
		number := func(v string) bool { return isNumber(v) || decimalComma.MatchString(v) }
		if !isText && !slices.ContainsFunc(c.Known(), number) {
			return "put the value in quotes"
		}
	}
	return ""
}
