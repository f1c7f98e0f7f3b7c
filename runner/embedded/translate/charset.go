package translate

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// collationNames are the names of those collations that have only one. The others stand for several, see [collations].
var collationNames = map[types.Collation]string{"": "utf8mb4_0900_ai_ci", types.CollAI: "utf8mb4_0900_ai_ci",
	types.CollSwedish: "latin1_swedish_ci", types.CollBytes: "binary"}

// charsetOf is the character set that a collation belongs to.
func charsetOf(collation string) string {
	set, _, _ := strings.Cut(collation, "_")
	return set
}

// collate is e COLLATE name. The collation must belong to the character set of the text, where that is known.
func (d *draft) collate(n *ast.SetCollationExpr, sc *scope) val {
	v := d.scalar(n.Expr, sc)
	name := strings.ToLower(n.Collate)
	coll, ok := types.Collations[name]
	if !ok {
		refuse("COLLATE %s", n.Collate)
	}
	if own, ok := collationNames[v.typ.Coll]; ok && v.typ.Kind == types.String && charsetOf(own) != charsetOf(name) {
		fail(1253, "COLLATION '%s' is not valid for CHARACTER SET '%s'", n.Collate, charsetOf(own))
	}
	v = d.convert(v, types.Type{Kind: types.String, Coll: coll})
	return val{sql: v.sql, typ: types.Type{Kind: types.String, Coll: coll, Explicit: true}}
}

// collationName is what COLLATION says of an expression.
func (d *draft) collationName(e ast.ExprNode, sc *scope) string {
	v := d.scalar(e, sc)
	if call, ok := syntax.Unparen(e).(*ast.FuncCallExpr); ok && len(call.Args) > 0 && !slices.ContainsFunc(call.Args,
		func(a ast.ExprNode) bool { return d.scalar(a, sc).typ.Kind != types.Null }) {
		return "binary" // of nothing but NULLs
	}
	switch v.typ.Kind {
	case types.String:
		if v.typ.Explicit {
			if names := collates(e, v.typ.Coll); len(names) == 1 {
				return names[0]
			}
		} else if name, ok := collationNames[v.typ.Coll]; ok {
			return name
		} else if v.typ.Coll == types.CollText {
			return "utf8mb4_bin" // of JSON: nothing else makes such a text
		}
		refuse("COLLATION and CHARSET of this text")
	case types.JSON:
		return "utf8mb4_bin"
	}
	return "binary"
}

// collates are the names in an expression's COLLATE that compare like coll.
func collates(e ast.ExprNode, coll types.Collation) (names []string) {
	visitBlock(e, func(n ast.Node) {
		if set, ok := n.(*ast.SetCollationExpr); ok {
			if name := strings.ToLower(set.Collate); types.Collations[name] == coll && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	})
	return names
}

// coercibility is what COERCIBILITY says of an expression.
// Source: MySQL 8.0 Reference Manual, "Collation Coercibility in Expressions".
func (d *draft) coercibility(e ast.ExprNode, sc *scope) string {
	v := d.scalar(e, sc)
	_, isCast := syntax.Unparen(e).(*ast.FuncCastExpr)
	if call, ok := syntax.Unparen(e).(*ast.FuncCallExpr); ok && call.FnName.L == "convert" {
		isCast = true
	}
	switch {
	case v.typ.Kind == types.Null:
		return "6"
	case !v.typ.Text():
		return "5"
	case v.typ.Explicit && !isCast:
		return "0"
	case isCast, v.typ.Kind == types.JSON,
		v.typ.Coll != "" && v.typ.Coll != types.CollBytes && v.typ.Coll != types.CollText:
		return "2"
	case v.typ.Kind == types.Blob && v.col:
		return "2"
	}
	return "4"
}

// charsetForms are the functions that tell how a text compares. They know it before a row is read.
var charsetForms = map[string]form{
	"collation": func(d *draft, n *ast.FuncCallExpr,
		sc *scope) val {
		return textValue(d.collationName(n.Args[0], sc))
	},
	"charset": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		return textValue(charsetOf(d.collationName(n.Args[0], sc)))
	},
	"coercibility": func(d *draft, n *ast.FuncCallExpr, sc *scope) val {
		return val{sql: "CAST(" + d.coercibility(n.Args[0], sc) + " AS INTEGER)", typ: types.IntType}
	},
}
