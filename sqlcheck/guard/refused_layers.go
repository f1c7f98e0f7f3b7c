package guard

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// layers adds the level of query that MySQL misses: the sum of a group's sums in a share of the whole, the groups
// that an average of counts is taken of, the chosen rows of an IN with LIMIT, the average that WHERE compares with.
// It leaves alone what MySQL would refuse afterwards. (MySQL 8.0 manual, "Window Function Concepts and Syntax",
// "Restrictions on Subqueries")
//
//	SELECT country, SUM(weight) / SUM(weight) OVER () FROM patients GROUP BY country
//	→ SELECT country,SUM(weight) / SUM(SUM(weight)) OVER () FROM patients GROUP BY country
//
//	SELECT AVG(COUNT(*)) FROM visits GROUP BY patientId
//	→ SELECT AVG(of_each) FROM (SELECT COUNT(*) AS of_each FROM visits GROUP BY patientId) AS first_of_all
//
//	SELECT patientName FROM patients WHERE weight > AVG(weight)
//	→ SELECT patientName FROM patients WHERE weight > (SELECT AVG(T2.weight) FROM patients AS T2)
func layers(t *draft.Text) (out, why string) {
	_, issues, parsed := t.Bind()
	if !parsed || !slices.ContainsFunc(issues, func(i bind.Issue) bool { return missing[i.Reason] != nil }) {
		return t.SQL, ""
	}
	own := draft.Text{SQL: t.SQL, Schema: t.Schema} // what does not help is thrown away
	b, issues, _ := own.Bind()
	var whys []string
	for _, i := range issues {
		if add := missing[i.Reason]; add != nil && i.Block != nil && i.Block.Select != nil {
			if why := add(i); why != "" {
				whys = append(whys, why)
			}
		}
	}
	if len(whys) == 0 {
		return t.SQL, ""
	}
	if out, parsed = own.Print(b.Stmt); !parsed {
		return t.SQL, ""
	}
	mended := draft.Text{SQL: out, Schema: t.Schema}
	if _, left, parsed := mended.Bind(); !parsed || len(left) > 0 {
		return t.SQL, ""
	}
	return out, strings.Join(slices.Compact(whys), "; ")
}

// missing has, by what is wrong, what adds the level and says so.
var missing = map[string]func(i bind.Issue) (why string){
	"not_grouped": totals, "bad_window": ofAll, "limit_in_subquery": chosen,
	// The one is for groups; the other one for WHERE without groups, which the first leaves none of.
	"bad_aggregate": func(i bind.Issue) string { return cmp.Or(eachGroup(i), ofAll(i)) },
}

// ofAll computes in a subquery what WHERE compares a column with: the average of all rows, or, for AVG(x) OVER
// (PARTITION BY y), of those of the same y.
func ofAll(i bind.Issue) (why string) {
	sel := i.Block.Select
	if sel.Where == nil || sel.GroupBy != nil {
		return ""
	}
	for _, c := range syntax.Conjuncts(sel.Where) {
		e, is := syntax.Unparen(c).(*ast.BinaryOperationExpr)
		if !is || !syntax.Comparison(e.Op) || syntax.HasAggregate(e.L) || len(syntax.ColumnNames(e.L)) == 0 {
			continue
		}
		e.R = edit.Replace(e.R, func(n ast.ExprNode, enters bool) ast.ExprNode {
			if enters {
				return n
			}
			var args []ast.ExprNode
			var f string
			var by []*ast.ByItem
			switch x := n.(type) {
			case *ast.AggregateFuncExpr:
				f, args = x.F, x.Args
			case *ast.WindowFuncExpr:
				if f, args = x.Name, x.Args; x.Spec.OrderBy != nil || x.Spec.Name.L != "" {
					return n
				}
				if x.Spec.PartitionBy != nil {
					by = x.Spec.PartitionBy.Items
				}
			}
			if sub := aggregateAll(i.Block, f, args, by); sub != nil {
				why = "WHERE is of rows: " + f + " of all is computed first"
				return sub
			}
			return n
		})
	}
	return why
}

// aggregateAll is the aggregate of a column over all rows of its table, or those that are the same as the block's by
// some columns; nil where it is of no one table.
func aggregateAll(block *bind.Block, f string, args []ast.ExprNode, by []*ast.ByItem) ast.ExprNode {
	if len(args) != 1 || !slices.Contains([]string{"AVG", "MAX", "MIN", "SUM"}, strings.ToUpper(f)) {
		return nil
	}
	names := syntax.ColumnNames(args[0])
	for _, item := range by {
		names = append(names, syntax.ColumnNames(item.Expr)...)
	}
	var src *bind.Source
	for _, n := range names {
		of := edit.Owners(block, n)
		if len(of) != 1 || of[0].Table == nil || src != nil && of[0] != src {
			return nil
		}
		src = of[0]
	}
	if src == nil {
		return nil
	}
	fields := []*ast.SelectField{{Expr: &ast.AggregateFuncExpr{F: strings.ToUpper(f), Args: args}}}
	for _, item := range by {
		fields = append(fields, &ast.SelectField{Expr: item.Expr})
	}
	table := &ast.TableName{Name: ast.NewCIStr(src.Table.Name)}
	node := &ast.TableSource{Source: table, AsName: ast.NewCIStr(edit.FreeAlias(block))}
	text, err := syntax.Print(&ast.SelectStmt{
		Kind: ast.SelectStmtKindSelect, SelectStmtOpts: &ast.SelectStmtOpts{SQLCache: true},
		Fields: &ast.FieldList{Fields: fields}, From: &ast.TableRefsClause{TableRefs: &ast.Join{Left: node}},
	})
	inner, ok := syntax.OneSelect(text) // a copy, whose names are its own
	if err != nil || !ok {
		return nil
	}
	sel := inner.(*ast.SelectStmt)
	for _, n := range syntax.ColumnNames(sel.Fields) {
		n.Table = node.AsName
	}
	var same []ast.ExprNode
	for i, item := range by {
		same = append(same, &ast.BinaryOperationExpr{Op: opcode.EQ, L: sel.Fields.Fields[i+1].Expr, R: item.Expr})
	}
	sel.Fields.Fields, sel.Where = sel.Fields.Fields[:1], syntax.AllOf(same)
	return &ast.SubqueryExpr{Query: sel}
}

// totals makes SUM(x) OVER (), behind GROUP BY, the sum of the sums of groups.
func totals(i bind.Issue) (why string) {
	sel := i.Block.Select
	if sel.GroupBy == nil || sel.Fields == nil {
		return ""
	}
	parts := []ast.Node{sel.Fields}
	if sel.OrderBy != nil {
		parts = append(parts, sel.OrderBy)
	}
	for _, part := range parts {
		for _, w := range syntax.All[*ast.WindowFuncExpr](part) {
			sums := strings.EqualFold(w.Name, ast.AggFuncSum) && len(w.Args) == 1 && !w.Distinct
			if sums && !syntax.HasAggregate(w.Args[0]) {
				w.Args[0] = &ast.AggregateFuncExpr{F: "SUM", Args: []ast.ExprNode{w.Args[0]}}
				why = "the whole is the sum of the sums of its groups"
			}
		}
	}
	return why
}

// eachGroup takes an aggregate of aggregates of the groups, which a derived table has.
func eachGroup(i bind.Issue) (why string) {
	sel := i.Block.Select
	if sel.GroupBy == nil || sel.With != nil || sel.Fields == nil || len(sel.Fields.Fields) != 1 ||
		sel.Fields.Fields[0].Expr == nil {
		return ""
	}
	inner := *sel
	inner.Fields, inner.OrderBy, inner.Limit, inner.Distinct = &ast.FieldList{}, nil, nil, false
	field := sel.Fields.Fields[0]
	depth, mixed := 0, false
	field.Expr = edit.Replace(field.Expr, func(n ast.ExprNode, enters bool) ast.ExprNode {
		agg, is := n.(*ast.AggregateFuncExpr)
		switch {
		case !is:
			if _, column := n.(*ast.ColumnNameExpr); column && depth < 2 {
				mixed = true // outside of the inner aggregates
			}
		case enters:
			depth++
		default:
			if depth--; depth == 1 {
				name := "of_each"
				if k := len(inner.Fields.Fields); k > 0 {
					name += strconv.Itoa(k + 1)
				}
				inner.Fields.Fields = append(inner.Fields.Fields, &ast.SelectField{Expr: agg,
					AsName: ast.NewCIStr(name)})
				return syntax.ColumnExpr("", name)
			}
		}
		return n
	})
	if mixed || len(inner.Fields.Fields) == 0 || !edit.Derive(sel, &inner, "first_of_all", field) {
		return ""
	}
	return "what each group has is computed first"
}

// chosen puts a subquery with LIMIT, behind IN, into a derived table.
func chosen(i bind.Issue) (why string) {
	sub, is := i.Node.(*ast.SubqueryExpr)
	if !is {
		return ""
	}
	sel, is := sub.Query.(*ast.SelectStmt)
	if !is || sel.With != nil || sel.Fields == nil || len(sel.Fields.Fields) != 1 || sel.Fields.Fields[0].Expr == nil {
		return ""
	}
	inner, field := *sel, *sel.Fields.Fields[0]
	field.AsName = ast.NewCIStr("chosen")
	inner.Fields = &ast.FieldList{Fields: []*ast.SelectField{&field}}
	if !edit.Derive(sel, &inner, "first_of_all", &ast.SelectField{Expr: syntax.ColumnExpr("", "chosen")}) {
		return ""
	}
	return "the rows of an IN are chosen first"
}

// manyrows lets what is compared with a subquery be any of its rows, or none of them. Of one row it means the same.
//
//	SELECT city FROM wards WHERE wardCode = (SELECT wardCode FROM doctors)
//	→ SELECT city FROM wards WHERE wardCode IN (SELECT wardCode FROM doctors)
func manyrows(_ *draft.Text, b *bind.Bound) (why string) {
	edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		e, is := n.(*ast.BinaryOperationExpr)
		if !is || e.Op != opcode.EQ && e.Op != opcode.NE {
			return n
		}
		of, rows := e.L, e.R
		if _, is := syntax.Unparen(rows).(*ast.SubqueryExpr); !is {
			of, rows = e.R, e.L
		}
		sub := syntax.Unparen(rows)
		if sel, is := edit.Subquery(sub); !is || sel.Limit != nil {
			return n
		}
		why = "a subquery with several rows is a list"
		return &ast.PatternInExpr{Expr: of, Not: e.Op == opcode.NE, Sel: sub}
	})
	return why
}
