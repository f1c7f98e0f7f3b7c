package embedded

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"golang.org/x/text/encoding/charmap"
)

// encodings say what a character set cannot hold; MySQL writes a question mark for it.
var encodings = map[string]func(r rune) bool{
	"latin1": func(r rune) bool {
		_, ok := charmap.Windows1252.EncodeRune(r)
		return ok
	},
	"ascii": func(r rune) bool { return r < 128 },
	"utf8":  func(r rune) bool { return r < 0x10000 }, "utf8mb3": func(r rune) bool { return r < 0x10000 }, "ucs2": func(r rune) bool { return r < 0x10000 },
}

// transcode writes a text with the characters of a character set only.
func transcode(text, charset string) string {
	holds := encodings[charset]
	if holds == nil {
		return text
	}
	return strings.Map(func(r rune) rune {
		if holds(r) {
			return r
		}
		return '?'
	}, text)
}

// collationNames are the names of those collations that have only one. The others stand for several, see [collations].
var collationNames = map[collation]string{"": "utf8mb4_0900_ai_ci", collAI: "utf8mb4_0900_ai_ci", collSwedish: "latin1_swedish_ci", collBytes: "binary"}

// charsetOf is the character set that a collation belongs to.
func charsetOf(collation string) string {
	set, _, _ := strings.Cut(collation, "_")
	return set
}

// collate is e COLLATE name. The collation must belong to the character set of the text, where that is known.
func (d *dialect) collate(n *ast.SetCollationExpr, sc *scope) val {
	v := d.scalar(n.Expr, sc)
	name := strings.ToLower(n.Collate)
	coll, ok := collations[name]
	if !ok {
		refuse("COLLATE %s", n.Collate)
	}
	if own, ok := collationNames[v.typ.coll]; ok && v.typ.k == kString && charsetOf(own) != charsetOf(name) {
		fail(1253, "COLLATION '%s' is not valid for CHARACTER SET '%s'", n.Collate, charsetOf(own))
	}
	v = d.convert(v, typ{k: kString, coll: coll})
	return val{sql: v.sql, typ: typ{k: kString, coll: coll, explicit: true}}
}

// collationName is what COLLATION says of an expression.
func (d *dialect) collationName(e ast.ExprNode, sc *scope) string {
	v := d.scalar(e, sc)
	if call, ok := bare(e).(*ast.FuncCallExpr); ok && len(call.Args) > 0 && !slices.ContainsFunc(call.Args, func(a ast.ExprNode) bool { return d.scalar(a, sc).typ.k != kNull }) {
		return "binary" // of nothing but NULLs
	}
	switch v.typ.k {
	case kString:
		if v.typ.explicit {
			if names := collates(e, v.typ.coll); len(names) == 1 {
				return names[0]
			}
		} else if name, ok := collationNames[v.typ.coll]; ok {
			return name
		} else if v.typ.coll == collBin && !hasColumn(e) {
			return "utf8mb4_bin" // of JSON: nothing else makes such a text
		}
		refuse("COLLATION and CHARSET of this text")
	case kJSON:
		return "utf8mb4_bin"
	}
	return "binary"
}

// collates are the names in an expression's COLLATE that compare like coll.
func collates(e ast.ExprNode, coll collation) (names []string) {
	visitBlock(e, func(n ast.Node) {
		if set, ok := n.(*ast.SetCollationExpr); ok {
			if name := strings.ToLower(set.Collate); collations[name] == coll && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	})
	return names
}

// coercibility is what COERCIBILITY says of an expression.
// Source: MySQL 8.0 Reference Manual, "Collation Coercibility in Expressions".
func (d *dialect) coercibility(e ast.ExprNode, sc *scope) string {
	v := d.scalar(e, sc)
	_, isCast := bare(e).(*ast.FuncCastExpr)
	if call, ok := bare(e).(*ast.FuncCallExpr); ok && call.FnName.L == "convert" {
		isCast = true
	}
	switch {
	case v.typ.k == kNull:
		return "6"
	case !v.typ.text():
		return "5"
	case v.typ.explicit && !isCast:
		return "0"
	case isCast, v.typ.k == kJSON, v.typ.coll != "" && v.typ.coll != collBytes:
		return "2"
	case v.typ.k == kBlob && v.col:
		return "2"
	}
	return "4"
}

// charsetForms are the functions that tell how a text compares. They know it before a row is read.
var charsetForms = map[string]func(d *dialect, n *ast.FuncCallExpr, sc *scope) val{
	"collation": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val { return textValue(d.collationName(n.Args[0], sc)) },
	"charset": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		return textValue(charsetOf(d.collationName(n.Args[0], sc)))
	},
	"coercibility": func(d *dialect, n *ast.FuncCallExpr, sc *scope) val {
		return val{sql: "CAST(" + d.coercibility(n.Args[0], sc) + " AS INTEGER)", typ: tInt}
	},
}
