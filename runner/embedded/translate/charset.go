package translate

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
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
	refuseIf(!ok, "COLLATE %s", n.Collate)
	if own, ok := collationNames[v.typ.Coll]; ok && v.typ.Kind == types.String && charsetOf(own) != charsetOf(name) {
		fail(1253, "COLLATION '%s' is not valid for CHARACTER SET '%s'", n.Collate, charsetOf(own))
	}
	v = d.convert(v, types.Type{Kind: types.String, Coll: coll})
	return val{sql: v.sql, typ: types.Type{Kind: types.String, Coll: coll, Explicit: true}}
}
