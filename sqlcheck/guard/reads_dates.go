package guard

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

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
