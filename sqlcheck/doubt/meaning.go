package doubt

import (
	"cmp"
	_ "embed" // parts.txt
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// nullsFirst finds the first rows of an ascending order by a column that may have NULLs: they sort before all values.
// (MySQL 8.0 manual, "Working with NULL Values")
func nullsFirst(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		if by := edit.NullsFirst(c.bound, block); by != nil {
			ref, of := c.bound.Ref(by.Name), by.Name.Name.O
			if _, col := ref.Column(); col.SomeNull || col.Least == "" || ref.Source.Weak {
				out = append(out, advice("add "+of+" IS NOT NULL", "rows without %s come first in its order", of)...)
			}
		}
	}
	return out
}

// nullLists finds NOT IN of a subquery that finds a NULL, as the profile says: it holds for no row.
func nullLists(c *Case) (out []sqlcheck.Finding) {
	edit.NullLists(c.bound, func(col *schema.Column, _ func()) {
		if col.SomeNull {
			out = append(out, advice("add "+col.Name+" IS NOT NULL to the list",
				"%s has NULLs, and no row is surely NOT IN a list with one", col.Name)...)
		}
	})
	return out
}

// numbersAsTexts finds columns of texts that hold numbers where they are sorted or compared as texts: '10' comes before
// '9'.
func numbersAsTexts(c *Case) (out []sqlcheck.Finding) {
	edit.NumbersAsTexts(c.bound, func(col *schema.Column, _ func()) {
		low, high, _ := col.Numerals()
		out = append(out, advice(col.Name+" + 0 is the number", "%s holds numbers as texts, where '%s' comes before '%s'",
			col.Name, high, low)...)
	})
	return out
}

// sumOfTexts finds a SUM or AVG of a column of texts that are no numbers: MySQL takes each for the number that it
// begins with, or for 0.
func sumOfTexts(c *Case) (out []sqlcheck.Finding) {
	edit.TextUses(c.bound, func(at edit.TextUse) {
		if other, is := at.Column.NoNumeral(); is && at.How == edit.Added {
			out = append(out, finding("%s holds texts as '%s', and numbers are added up", at.Column.Name, other)...)
		}
	})
	return out
}

// digitsOfDates finds dates and times that are added up, or taken from each other: MySQL takes 2024-01-31 for 20240131.
func digitsOfDates(c *Case) (out []sqlcheck.Finding) {
	edit.DateUses(c.bound, func(at edit.TextUse) {
		if at.How == edit.Added || at.How == edit.Counted {
			out = append(out, advice("TIMESTAMPDIFF and TIME_TO_SEC make numbers", "%s is a %s, of which the digits count",
				at.Column.Name, at.Column.Type)...)
		}
	})
	return out
}

// forms are those of texts that stand for dates and amounts. The last one may have their order, and be read as dates.
var forms = []struct {
	what, do string
	is       *regexp.Regexp
}{
	{"dates", "STR_TO_DATE reads them", regexp.MustCompile(`^(\d{1,2}([./-]|\. ?| )(\d{1,2}|\pL{3,9})([./-]|\.? )|` +
		`\d{1,2}/|\pL{3,9}\.? \d{1,2}, )(\d{4}|\d\d)(,? \d{1,2}:\d\d(:\d\d)?( ?[AaPp][Mm])?)?$`)},
	{"amounts", "CAST reads them once REPLACE has made a decimal comma a point and taken other signs away",
		regexp.MustCompile(`^([€$£]|EUR|USD|CHF|GBP)?` +
			`[\s\pZ]?[-−]?\d+([.,'’\s\pZ]\d{3})*([.,]\d+)?[\s\pZ]?([€$£%]|EUR|USD|CHF|GBP)?$`)},
	{"dates", "STR_TO_DATE reads them", regexp.MustCompile(`^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([ T]\d{1,2}:\d\d(:\d\d)?)?$`)},
}

// datesAsTexts finds columns of texts that stand for dates or amounts, or of which a quarter does for dates, where more
// counts than which text it is.
func datesAsTexts(c *Case) (out []sqlcheck.Finding) {
	edit.TextUses(c.bound, func(at edit.TextUse) {
		known, texts := at.Column.DateForm(), at.Column.Known()
		for i, form := range forms {
			fit := slices.DeleteFunc(slices.Clone(texts), func(v string) bool { return !form.is.MatchString(v) })
			mixed := i == 0 && 4*len(fit) >= len(texts) // dates of several forms, or other texts among them
			asDates := i == len(forms)-1 && at.How != edit.Counted && (known.Format == "" || known.InOrder)
			if _, signs := at.Column.NoNumeral(); !asDates && signs && at.Odd() && (mixed || len(fit) == len(texts)) {
				out = append(out, advice(form.do, "%s holds %s as texts ('%s'), whose order is another",
					at.Column.Name, form.what, fit[0])...)
			}
		}
	})
	for _, call := range syntax.All[*ast.FuncCallExpr](c.bound.Stmt) {
		if call.FnName.L != "str_to_date" {
			continue
		}
		format, told := syntax.LiteralText(call.Args[1])
		if _, col := c.bound.RefOf(call.Args[0]).Column(); col == nil || !told {
			continue
		} else if form := col.DateForm().Format; form != "" && !strings.HasPrefix(form, sameForm.Replace(format)) {
			out = append(out, advice(fmt.Sprintf("write STR_TO_DATE(%s, '%s')", col.Name, form),
				"no %s is a date of the form '%s'", col.Name, format)...)
		}
	}
	return out
}

// sameForm has the forms that read the same dates.
var sameForm = strings.NewReplacer("%e", "%d", "%c", "%m", "%T", "%H:%i:%s", "%k", "%H", "%l", "%h", "%I", "%h", "%S", "%s")

//go:embed parts.txt
var partText string

// parts has what functions give of dates, and what a specifier of DATE_FORMAT stands for.
var parts, specifier = syntax.Table(partText), regexp.MustCompile(`%\\?.`) // in a quoted text

// noSuchPart finds a part of a date compared with what it never is: MONTH gives 5, and not 'May'; '%m' gives '05'.
func noSuchPart(c *Case) (out []sqlcheck.Finding) {
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		call, is := l.(*ast.FuncCallExpr)
		text, isText, constant := edit.Constant(r)
		if !is || !constant || op != opcode.EQ && op != opcode.NE || len(call.Args) == 0 {
			return
		}
		form := parts[call.FnName.L]
		if unit, is := call.Args[0].(*ast.TimeUnitExpr); is { // of EXTRACT
			form = parts[strings.ToLower(unit.Unit.String())]
		} else if call.FnName.L == "date_format" {
			format, _ := syntax.LiteralText(call.Args[1])
			stands := func(s string) string { return cmp.Or(parts[s], ".*") }
			form = specifier.ReplaceAllStringFunc(regexp.QuoteMeta(format), stands)
		}
		if form != "" && !regexp.MustCompile("^(?is:"+form+`)(\.0*)?$`).MatchString(text) {
			of, _ := syntax.Print(l) // it was read
			out = append(out, at(l, finding("%s is never %s", of, quoted(text, isText))...)...)
		}
	})
	return out
}

// alwaysSo finds what comes out the same whatever the rows hold, and so was to be something else.
func alwaysSo(c *Case) (out []sqlcheck.Finding) {
	asked, kept := c.Question.Text, syntax.Map(syntax.Conjuncts(c.bound.Blocks[0].Select.Where), c.bound.ExprKey)
	once := len(means.FindAllString(asked, 2)) == 1
	syntax.Visit(c.bound.Stmt, func(n ast.Node) bool {
		what, do := "", ""
		switch n := n.(type) {
		case *ast.ExistsSubqueryExpr:
			inner := syntax.All[*ast.SelectStmt](n.Sel)
			around := func(name *ast.ColumnName) bool {
				ref := c.bound.Ref(name)
				return ref == nil || ref.Home == nil || !slices.Contains(inner, ref.Home.Select)
			}
			if len(c.bound.Blocks[0].Sources) > 0 && !slices.ContainsFunc(syntax.ColumnNames(n), around) {
				what, do = "is the same for all rows", "compare it with the row around it"
			}
		case *ast.AggregateFuncExpr:
			name, ref := strings.ToLower(n.F), c.bound.RefOf(n.Args[0])
			if n.Distinct && (name == "sum" || name == "avg") && asked != "" && !c.Question.Asks(words.Distinct) {
				what, do = "takes equal values once", "leave DISTINCT out"
			} else if name == "avg" && once && ref != nil && ref.Source != nil && ref.Source.Inner != nil {
				of, is := ref.Source.Inner.Output[ref.Index].Expr.(*ast.AggregateFuncExpr)
				if is && strings.EqualFold(of.F, name) {
					what, do = "is an average of averages", "take it of all rows"
				}
			}
			if name == "count" && !n.Distinct && isFlag(n.Args[0]) {
				what, do = "counts where it is 0, too", "SUM counts where it is 1"
			}
		case *ast.WindowFuncExpr:
			if strings.EqualFold(n.Name, "last_value") && n.Spec.OrderBy != nil && n.Spec.Frame == nil {
				what, do = "ends at the row itself", "add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
			}
		case *ast.BinaryOperationExpr:
			same := func(e ast.ExprNode) bool { return c.bound.ExprKey(e) == c.bound.ExprKey(n.R) }
			for _, of := range syntax.All[*ast.AggregateFuncExpr](n.L) {
				conds := syntax.All[*ast.BinaryOperationExpr](of)
				if n.Op == opcode.Div && len(conds) == 1 && slices.Contains(kept, c.bound.ExprKey(conds[0])) {
					what, do = "is a share of what WHERE keeps", "take the condition out of WHERE"
				}
			}
			times, is := syntax.Unparen(n.L).(*ast.BinaryOperationExpr)
			if n.Op == opcode.Div && !edit.IsConstant(n.R) &&
				(same(n.L) || is && times.Op == opcode.Mul && (same(times.L) || same(times.R))) {
				what, do = "divides by what it multiplies", "divide by what all rows have"
			}
		}
		if what != "" {
			text, _ := syntax.Print(n) // it was read
			out = append(out, advice(do, "%s %s", text, what)...)
		}
		return true
	})
	return out
}

// isFlag reports whether an expression is a constant where a condition does not hold, and so is never NULL.
func isFlag(e ast.ExprNode) bool {
	switch e := syntax.Unparen(e).(type) {
	case *ast.BinaryOperationExpr:
		return syntax.Comparison(e.Op)
	case *ast.CaseExpr:
		_, _, is := edit.Constant(e.ElseClause)
		return is
	case *ast.FuncCallExpr:
		if e.FnName.L == "if" {
			_, _, is := edit.Constant(e.Args[2])
			return is
		}
	}
	return false
}

// lastDay finds a day as the end of a range of times, or in the place of one: it is that day's first moment, and the
// rest of the day is cut off.
func lastDay(c *Case) (out []sqlcheck.Finding) {
	add := func(col *schema.Column, day ast.ExprNode, do string) {
		text, _ := syntax.Print(day) // it was read
		out = append(out, advice(do, "%s has times: of %s nothing but midnight is within", col.Name, text)...)
	}
	edit.LastDays(c.bound, func(col *schema.Column, day, to ast.ExprNode, _ func()) {
		text, _ := syntax.Print(to)
		add(col, day, "write "+text)
	})
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		if col, _ := edit.NextDay(c.bound, l, r); col != nil && (op == opcode.EQ || op == opcode.NE) {
			add(col, r, "compare DATE("+col.Name+") with it")
		}
	})
	return out
}

// someOther finds <> of a joined table where the question denies: a country that speaks English and Welsh has a row
// whose language is not English.
func someOther(c *Case) []sqlcheck.Finding {
	if !c.Question.Asks(words.Denies) {
		return nil
	}
	var out []sqlcheck.Finding
	for _, block := range c.bound.Blocks {
		shown := shownSource(block)
		if shown == nil {
			continue
		}
		many := c.severalFor(block, shown, nil)
		for _, cond := range edit.Conditions(block.Select) {
			if ref := c.bound.RefOf(denied(cond)); ref != nil && slices.Contains(many, ref.Source) {
				out = append(out, advice("NOT IN (SELECT …) keeps those that have none",
					"a row of %s that has another %s, too, is kept", bind.SourceName(shown), ref.Name.Name.O)...)
			}
		}
	}
	return out
}

// denied is what a condition excludes constants of: c of c <> 1, c NOT IN (1, 2), c NOT LIKE '%x%'; or nil.
func denied(cond ast.ExprNode) ast.ExprNode {
	switch e := syntax.Unparen(cond).(type) {
	case *ast.BinaryOperationExpr:
		if e.Op == opcode.NE && edit.IsConstant(e.R) {
			return e.L
		}
	case *ast.PatternInExpr:
		if e.Not && e.Sel == nil {
			return e.Expr
		}
	case *ast.PatternLikeOrIlikeExpr:
		if e.Not {
			return e.Expr
		}
	}
	return nil
}

// shownSource is the source of all that a block shows; nil if that is more than bare columns of one.
func shownSource(block *bind.Block) (src *bind.Source) {
	for _, o := range block.Output {
		if o.Source == nil || src != nil && o.Source != src {
			return nil
		}
		src = o.Source
	}
	return src
}

// repeatedOutput finds rows that are shown several times because a join gives several for one of the table that is
// shown.
func repeatedOutput(c *Case) []sqlcheck.Finding {
	sel, is := c.bound.Stmt.(*ast.SelectStmt)
	if !is || sel.Distinct || len(c.bound.Blocks) == 0 || c.bound.Blocks[0].Grouped {
		return nil
	}
	block := c.bound.Blocks[0]
	shown := shownSource(block)
	if shown == nil {
		return nil
	}
	by := c.repeats(block, shown, true)
	if by == nil || c.Ran && !hasTwins(c.Rows) || len(missingJoin(c))+len(oddJoin(c))+len(c.oddJoins(true)) > 0 {
		return nil
	}
	return advice("add DISTINCT", "the join with %s shows rows of %s several times", bind.SourceName(by),
		bind.SourceName(shown))
}

// hasTwins reports whether a row is there twice.
func hasTwins(rows [][]any) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		seen[fmt.Sprintf("%q", row)] = true
	}
	return len(seen) < len(rows)
}
