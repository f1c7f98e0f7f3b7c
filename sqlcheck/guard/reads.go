package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// concat writes a || b in a select list as CONCAT, which is what it means in standard SQL; to MySQL it is OR, and the
// answer a column of zeros; so are texts that + adds, as SQL Server joins them. A condition in a select list has no
// text operand and is left alone.
//
//	SELECT firstName || ' ' || lastName FROM doctors → SELECT CONCAT(firstName, ' ', lastName) FROM doctors
func concat(t *draft.Text, b *bind.Bound) (why string) {
	if !strings.ContainsAny(t.SQL, "|+") { // or OR is meant
		return ""
	}
	notText := func(a ast.ExprNode) bool { return !isTextOperand(a) }
	for _, block := range b.Blocks {
		for _, f := range block.Select.Fields.Fields {
			e, is := syntax.Unparen(f.Expr).(*ast.BinaryOperationExpr)
			if !is {
				continue
			}
			args, said := edit.Alternatives(e), "|| joins texts; MySQL reads it as OR"
			if e.Op == opcode.Plus {
				args, said = summands(e), "+ joins texts elsewhere; MySQL adds them as numbers"
			}
			joins := e.Op == opcode.LogicOr && strings.Contains(t.SQL, "||") ||
				e.Op == opcode.Plus && slices.ContainsFunc(args, isWords)
			if joins && !slices.ContainsFunc(args, notText) {
				f.Expr, why = function("CONCAT", args...), said
			}
		}
	}
	return why
}

// summands are what a chain of + adds.
func summands(e ast.ExprNode) []ast.ExprNode {
	sum, is := syntax.Unparen(e).(*ast.BinaryOperationExpr)
	if !is || sum.Op != opcode.Plus {
		return []ast.ExprNode{e}
	}
	return append(summands(sum.L), summands(sum.R)...)
}

// isWords reports whether e is a text that is not empty and no number, date or amount.
func isWords(e ast.ExprNode) bool {
	text, is := syntax.LiteralText(e)
	return is && text != "" && !strings.ContainsAny(text, "0123456789")
}

// isTextOperand reports whether e is a column, a literal or a function call: nothing that yields a truth value.
func isTextOperand(e ast.ExprNode) bool {
	switch e := syntax.Unparen(e).(type) {
	case ast.ValueExpr:
		_, ok := e.GetValue().(string)
		return ok
	case *ast.ColumnNameExpr, *ast.FuncCallExpr:
		return true
	}
	return false
}

// dates counts in days where a date is taken from a date, or a whole number of days from one or added to it: MySQL
// takes 2024-03-01 for the number 20240301 there, and from it to the last of February are 72 days. (MySQL 8.0 manual,
// "Conversion Between Date and Time Types")
//
//	SELECT AVG(endDate - visitDate) FROM visits → SELECT AVG(DATEDIFF(endDate, visitDate)) FROM visits
//
//	SELECT fee FROM visits WHERE visitDate >= CURDATE() - 30
//	→ SELECT fee FROM visits WHERE visitDate >= DATE_SUB(CURDATE(), INTERVAL 30 DAY)
func dates(_ *draft.Text, b *bind.Bound) string {
	d := dateMender{Bound: b}
	edit.Rewrite(b.Stmt, d.mend)
	return strings.Join(d.whys, "; ")
}

// A dateMender replaces sums and differences of dates.
type dateMender struct {
	*bind.Bound
	whys []string
}

// mend is what stands for an expression.
func (d *dateMender) mend(n ast.ExprNode) ast.ExprNode {
	e, is := n.(*ast.BinaryOperationExpr)
	if !is || e.Op != opcode.Minus && e.Op != opcode.Plus {
		return n
	}
	left, right := d.when(e.L), d.when(e.R)
	if left == noTime {
		return n
	}
	days, literal := syntax.Unparen(e.R).(ast.ValueExpr)
	if literal {
		_, literal = days.GetValue().(int64)
	}
	switch {
	case literal:
		name, sign := "DATE_SUB", " - "
		if e.Op == opcode.Plus {
			name, sign = "DATE_ADD", " + "
		}
		d.whys = append(d.whys, "a date"+sign+"days is no date to MySQL without INTERVAL")
		unit := &ast.TimeUnitExpr{Unit: ast.TimeUnitDay}
		return function(name, e.L, days, unit)
	case e.Op == opcode.Minus && right != noTime && (left == day || right == day):
		// two times of day may be hours apart
		d.whys = append(d.whys, "a date less a date is no number of days to MySQL")
		return function("DATEDIFF", syntax.Unparen(e.L), syntax.Unparen(e.R))
	}
	return n
}

// What an expression says of time.
const (
	noTime = iota
	day
	clock // of a day
)

// when reads a column or one of the functions that yield dates.
func (d *dateMender) when(e ast.ExprNode) int {
	if f, is := syntax.Unparen(e).(*ast.FuncCallExpr); is {
		return timeFunctions[f.FnName.L]
	}
	c, known := d.Column(e)
	if !known {
		return noTime
	}
	return timeTypes[schema.ParseType(c.Type).Name]
}

var timeTypes = map[string]int{"date": day, "datetime": clock, "timestamp": clock}

var timeFunctions = map[string]int{
	"curdate": day, "current_date": day, "date": day, "last_day": day, "str_to_date": day, "makedate": day, "dateliteral": day,
	"now": clock, "current_timestamp": clock, "sysdate": clock, "date_add": clock, "date_sub": clock, "timestamp": clock,
}

// quoted takes a text in double quotes for the column that it names, as standard SQL does, where no text makes sense:
// as an item of the result, in GROUP BY and ORDER BY, in an aggregate, and compared with another constant.
//
//	SELECT SUM("fee") FROM club WHERE "town" = "York" → SELECT SUM(fee) FROM club WHERE town = 'York'
//
//	SELECT title FROM club ORDER BY "fee" DESC → SELECT title FROM club ORDER BY fee DESC
func quoted(t *draft.Text, b *bind.Bound) (why string) {
	if !strings.Contains(t.SQL, `"`) {
		return ""
	}
	for _, block := range b.Blocks {
		n, sel := quotedNames{t.SQL, block, &why}, block.Select
		for _, f := range sel.Fields.Fields {
			n.item(&f.Expr)
		}
		if sel.GroupBy != nil {
			for _, it := range sel.GroupBy.Items {
				n.item(&it.Expr)
			}
		}
		if sel.OrderBy != nil {
			for _, it := range sel.OrderBy.Items {
				n.item(&it.Expr)
			}
		}
		n.inside(&sel.Where)
		if sel.Having != nil {
			n.inside(&sel.Having.Expr)
		}
		edit.Joins(sel, func(j *ast.Join) {
			if j.On != nil {
				n.inside(&j.On.Expr)
			}
		})
	}
	return why
}

// quotedNames puts columns of a block in the place of texts that stand in double quotes in sql.
type quotedNames struct {
	sql   string
	block *bind.Block
	why   *string
}

// item mends a text that is the whole expression, and what is inside of any other.
func (q quotedNames) item(e *ast.ExprNode) {
	if *e != nil {
		*e = q.name(*e)
		q.inside(e)
	}
}

// inside mends what an expression does with constants alone.
func (q quotedNames) inside(e *ast.ExprNode) {
	if *e == nil {
		return
	}
	*e = edit.Replace(*e, func(n ast.ExprNode, enters bool) ast.ExprNode {
		if enters {
			return n
		}
		switch n := n.(type) {
		case *ast.AggregateFuncExpr:
			for i := range n.Args {
				n.Args[i] = q.name(n.Args[i])
			}
		case *ast.BinaryOperationExpr:
			if syntax.Comparison(n.Op) && edit.IsConstant(n.L) && edit.IsConstant(n.R) {
				n.L = q.name(n.L)
			}
		case *ast.PatternLikeOrIlikeExpr:
			if edit.IsConstant(n.Pattern) {
				n.Expr = q.name(n.Expr)
			}
		case *ast.PatternInExpr:
			if !slices.ContainsFunc(n.List, func(e ast.ExprNode) bool { return !edit.IsConstant(e) }) {
				n.Expr = q.name(n.Expr)
			}
		case *ast.BetweenExpr:
			if edit.IsConstant(n.Left) && edit.IsConstant(n.Right) {
				n.Expr = q.name(n.Expr)
			}
		case *ast.IsNullExpr:
			n.Expr = q.name(n.Expr)
		}
		return n
	})
}

// name is the column of the block that a text names, or the expression itself.
func (q quotedNames) name(e ast.ExprNode) ast.ExprNode {
	text, is := syntax.LiteralText(e)
	if !is || !strings.Contains(q.sql, `"`+text+`"`) {
		return e
	}
	name := &ast.ColumnName{Name: ast.NewCIStr(text)}
	if len(edit.Owners(q.block, name)) != 1 {
		return e
	}
	*q.why = `"` + text + `" is a column; MySQL reads a text`
	return &ast.ColumnNameExpr{Name: name}
}

// years reads the year out of what is no date: of a number or a text that is one. YEAR() of such is NULL, or another
// year. (MySQL 8.0 manual, "Date and Time Literals")
//
//	SELECT club FROM membership WHERE YEAR(year) = 2019 → SELECT club FROM membership WHERE year = 2019
func years(_ *draft.Text, b *bind.Bound) (why string) {
	edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		f, is := n.(*ast.FuncCallExpr)
		if !is || f.FnName.L != "year" || len(f.Args) != 1 {
			return n
		}
		c, is := b.Column(f.Args[0])
		if !is || !isYear(c) {
			return n
		}
		why = c.Name + " is a year, and no date"
		return f.Args[0]
	})
	return why
}

// isYear reports whether the values of a column are years.
func isYear(c *schema.Column) bool {
	if c.Kind() == schema.Number {
		return lastWord(c.Name) == "year"
	}
	known, all := c.All()
	return all && len(known) > 0 &&
		!slices.ContainsFunc(known, func(v string) bool { return !aYear.MatchString(strings.TrimSpace(v)) })
}

// function is a call of one.
func function(name string, args ...ast.ExprNode) ast.ExprNode {
	return &ast.FuncCallExpr{FnName: ast.NewCIStr(name), Args: args}
}
