package translate

import (
	"nl2sql/runner/embedded/types"
)

// mergeAll is the type that merge finds for several values, and the most decimal places that one of them holds.
func mergeAll(values []val) (t types.Type, places int) {
	for _, v := range values {
		t, places = merge(t, v.typ), max(places, v.places)
	}
	return t, places
}

// merge is the type of a value that is one or the other: CASE, COALESCE, UNION.
func merge(a, b types.Type) types.Type {
	if a.Year && b.Year {
		return a
	}
	refuseIf(a.Filled != b.Filled && a.Kind != types.Null && b.Kind != types.Null, "a BINARY beside another type")
	a, b = a.Plain(), b.Plain()
	switch {
	case a.Kind == types.Null:
		return b
	case b.Kind == types.Null:
		return a
	case a.Numeric() && b.Numeric():
		return mergeNumbers(a, b)
	case a.Kind == b.Kind && a.Temporal():
		a.Scale = max(a.Scale, b.Scale)
		return a
	case a.Temporal() && b.Temporal() && (a.Vague || b.Vague): // MySQL 8.0.15 writes one text over the other
		refuse("NULLIF of a %s beside a %s", a, b)
	case a.Temporal() && b.Temporal():
		return types.Type{Kind: types.Datetime, Scale: max(a.Scale, b.Scale)}
	case a.Kind == types.Blob || b.Kind == types.Blob:
		return types.BlobType
	case a.Kind == types.JSON && b.Kind == types.JSON:
		return a
	}
	return types.Type{Kind: types.String, Coll: mergeCollations(a.JSONText(), b.JSONText())}
}

func mergeNumbers(a, b types.Type) types.Type {
	switch {
	case a.Kind == types.Int && b.Kind == types.Int:
		return types.Type{Kind: types.Int, Unsigned: a.Unsigned && b.Unsigned, Long: a.Long && b.Long}
	case (a.Kind == types.Int || a.Kind == types.Decimal) && (b.Kind == types.Int || b.Kind == types.Decimal):
		return types.Type{Kind: types.Decimal, Scale: max(a.Decimals(), b.Decimals()), Wide: a.IsWide() || b.IsWide()}
	case a.Kind == types.Float && (b.Kind == types.Float || b.Kind == types.Int && !b.Long):
		return a
	} // source: field_types_merge_rules in sql/field.cc
	return fixedDouble(a, b, 0)
}

// fixedDouble is the double that comes of two numbers. Source: Item_num_op, Item_func_div and
// aggregate_float_properties in sql/item*.cc.
func fixedDouble(a, b types.Type, more int) types.Type {
	l, ok1 := a.Places()
	r, ok2 := b.Places()
	if n := max(l, r) + more; ok1 && ok2 && n <= 30 {
		return types.Type{Kind: types.Double, Fixed: n + 1}
	}
	return types.DoubleType
}

// mergeCollations decides which collation two texts compare with: COLLATE before a column's before the connection's.
// Source: MySQL 8.0 Reference Manual, "Collation Coercibility in Expressions".
func mergeCollations(a, b types.Type) types.Collation {
	switch {
	case a.Kind != types.String && a.Kind != types.Blob || a.Coll == "":
		return b.Coll
	case b.Kind != types.String && b.Kind != types.Blob || b.Coll == "" || a.Coll == b.Coll:
		return a.Coll
	case a.Explicit && b.Explicit:
		fail(1267, "Illegal mix of collations")
	case a.Explicit:
		return a.Coll
	case b.Explicit:
		return b.Coll
	case min(a.Coll, b.Coll) == types.CollSwedish && max(a.Coll, b.Coll) == types.CollText:
		refuse("a text of JSON beside one of latin1") // which fails in MySQL if it is no constant
	case rank[a.Coll] > rank[b.Coll]:
		return a.Coll
	case rank[a.Coll] < rank[b.Coll]:
		return b.Coll
	}
	return types.CollNone
}

// rank is how strong a collation is beside another one: what is Unicode holds the other ones' characters.
var rank = map[types.Collation]int{types.CollText: -3, types.CollSwedish: -2, types.CollNarrow: -1, types.CollBin: 1,
	types.CollBytes: 2, types.CollNone: 3}

// compared is mergeCollations of what is compared.
func compared(a, b types.Type) types.Collation {
	c := mergeCollations(a, b)
	refuseIf(c == types.CollNone, "a comparison of columns with different collations")
	return c
}

// computed is the type of a number that is computed of one: of a FLOAT a DOUBLE.
func computed(t types.Type) types.Type {
	if t.Kind == types.Float {
		t.Kind = types.Double
	}
	return t.Plain()
}
