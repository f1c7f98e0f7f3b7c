package embedded

import (
	"fmt"
	"strconv"
	"strings"
)

// kind is the class of a value's type. What SQLite holds for each of them stands behind it.
type kind uint8

const (
	kNull     kind = iota // the literal NULL
	kInt                  // INTEGER
	kDecimal              // REAL, the double nearest to the decimal: exact up to 15 digits (see decimal.go); BLOB if it is wide
	kDouble               // REAL
	kFloat                // REAL, a float32's value
	kString               // TEXT
	kBlob                 // BLOB
	kDate                 // TEXT, YYYY-MM-DD
	kDatetime             // TEXT, YYYY-MM-DD HH:MM:SS[.ffffff]
	kTime                 // TEXT, [-]HH:MM:SS[.ffffff]
	kJSON                 // TEXT
)

// typ is the type of a column or an expression, as MySQL would infer it.
type typ struct {
	k        kind
	scale    int  // decimal places of kDecimal; fractional digits of the seconds of kDatetime and kTime
	wide     bool // of kDecimal: exact bytes instead of a double, see wide.go
	fixed    int  // of kDouble: one more than the decimal places that MySQL prints, as after ROUND(x, 2); 0 means all there are
	unsigned bool
	bits     bool      // of kInt: a column of the result that holds the 64 bits of an unsigned number
	char     bool      // CHAR(n)
	vague    bool      // NULLIF of a temporal value, which MySQL takes for a text beside others, or GROUP_CONCAT, which is a number without decimal places, or POW
	coll     collation // of a text; "" is a literal's, which gives way to any other
	explicit bool      // the collation was given with COLLATE
	enum     []string  // members of ENUM, in order
}

var (
	tNull   = typ{k: kNull}
	tInt    = typ{k: kInt}
	tDouble = typ{k: kDouble}
	tDate   = typ{k: kDate}
	tText   = typ{k: kString}
)

func (t typ) String() string {
	return [...]string{"NULL", "INT", "DECIMAL", "DOUBLE", "FLOAT", "text", "BLOB", "DATE", "DATETIME", "TIME", "JSON"}[t.k]
}

func (t typ) numeric() bool {
	return t.k == kInt || t.k == kDecimal || t.k == kDouble || t.k == kFloat
}

func (t typ) temporal() bool { return t.k == kDate || t.k == kDatetime || t.k == kTime }

func (t typ) text() bool { return t.k == kString || t.k == kBlob || t.k == kJSON }

// columnType reads a COLUMN_TYPE as sqlcheck writes it, e.g. "decimal(10,2) unsigned".
func columnType(text string, coll collation) (typ, error) {
	name, rest, _ := strings.Cut(text, "(")
	args, _, _ := strings.Cut(rest, ")")
	name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	t := typ{unsigned: strings.Contains(text, "unsigned")}
	switch name {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "bool", "boolean":
		t.k = kInt
	case "bit", "year":
		t.k, t.unsigned = kInt, true
	case "decimal", "numeric", "dec", "fixed":
		t.k = kDecimal
		digits, scale, _ := strings.Cut(args, ",")
		if scale != "" {
			t.scale, _ = strconv.Atoi(strings.TrimSpace(scale))
		}
		n, _ := strconv.Atoi(strings.TrimSpace(digits)) // none are ten
		t.wide = n > narrowDigits
	case "double", "real", "float":
		if t.k = kDouble; name == "float" {
			t.k = kFloat
		}
		if _, scale, ok := strings.Cut(args, ","); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(scale))
			t.fixed = n + 1
		}
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set":
		t.k, t.coll, t.char = kString, coll, name == "char"
	case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob":
		t.k, t.coll = kBlob, collBytes
	case "date":
		t.k = kDate
	case "datetime", "timestamp":
		t.k = kDatetime
		t.scale, _ = strconv.Atoi(args)
	case "time":
		t.k = kTime
		t.scale, _ = strconv.Atoi(args)
	case "json":
		t.k, t.coll = kJSON, collBytes
	default:
		return t, fmt.Errorf("columns of type %s are not supported", text)
	}
	return t, nil
}

// affinity is the SQLite type that a column is declared with. Names that SQLite's driver would turn into a time are avoided.
func (t typ) affinity() string {
	switch t.k {
	case kInt:
		return "INTEGER"
	case kDecimal:
		if t.wide {
			return "BLOB"
		}
		return "REAL"
	case kDouble, kFloat:
		return "REAL"
	case kBlob:
		return "BLOB"
	}
	return "TEXT"
}

// merge is the type of a value that is one or the other: CASE, COALESCE, UNION.
func merge(a, b typ) typ {
	switch {
	case a.k == kNull:
		return b
	case b.k == kNull:
		return a
	case a.numeric() && b.numeric():
		return mergeNumbers(a, b)
	case a.k == b.k && a.temporal():
		a.scale = max(a.scale, b.scale)
		return a
	case a.temporal() && b.temporal() && (a.vague || b.vague): // MySQL 8.0.15 writes one text over the other
		refuse("NULLIF of a %s beside a %s", a, b)
	case a.temporal() && b.temporal() && a.k != kTime && b.k != kTime:
		return typ{k: kDatetime, scale: max(a.scale, b.scale)}
	case a.k == kBlob || b.k == kBlob:
		return typ{k: kBlob, coll: collBytes}
	case a.k == kJSON && b.k == kJSON:
		return a
	}
	return typ{k: kString, coll: mergeCollations(a, b)}
}

func mergeNumbers(a, b typ) typ {
	switch {
	case a.k == kInt && b.k == kInt:
		return typ{k: kInt, unsigned: a.unsigned && b.unsigned}
	case (a.k == kInt || a.k == kDecimal) && (b.k == kInt || b.k == kDecimal):
		return typ{k: kDecimal, scale: max(a.decimals(), b.decimals()), wide: a.isWide() || b.isWide()}
	case a.k == kFloat && b.k == kFloat:
		return a
	}
	return fixedDouble(a, b, 0)
}

// places is how many decimal places MySQL says that a number has; ok is false for a double with as many as it needs.
func (t typ) places() (n int, ok bool) {
	if t.k == kDouble || t.k == kFloat {
		return t.fixed - 1, t.fixed > 0
	}
	return t.decimals(), t.k == kInt || t.k == kDecimal
}

// fixedDouble is the double that comes of two numbers. Source: Item_num_op, Item_func_div and aggregate_float_properties in sql/item*.cc.
func fixedDouble(a, b typ, more int) typ {
	l, ok1 := a.places()
	r, ok2 := b.places()
	if n := max(l, r) + more; ok1 && ok2 && n <= 30 {
		return typ{k: kDouble, fixed: n + 1}
	}
	return tDouble
}

// decimals is the number of decimal places of an exact number.
func (t typ) decimals() int {
	if t.k == kDecimal {
		return t.scale
	}
	return 0
}

// collation is how values of this type compare.
func (t typ) collation() collation { return t.coll.orDefault() }

// orDefault is the connection's collation for texts that have none of their own.
func (c collation) orDefault() collation {
	if c == "" {
		return collAI
	}
	return c
}

// mergeCollations decides which collation two texts compare with: COLLATE before a column's before the connection's.
// Source: MySQL 8.0 Reference Manual, "Collation Coercibility in Expressions".
func mergeCollations(a, b typ) collation {
	switch {
	case a.k != kString && a.k != kBlob || a.coll == "":
		return b.coll
	case b.k != kString && b.k != kBlob || b.coll == "" || a.coll == b.coll:
		return a.coll
	case a.explicit && b.explicit:
		fail(1267, "Illegal mix of collations")
	case a.explicit:
		return a.coll
	case b.explicit:
		return b.coll
	case a.coll == collBytes || b.coll == collBytes:
		return collBytes
	case a.coll == collBin || b.coll == collBin:
		return collBin
	}
	refuse("a comparison of columns with different collations")
	return ""
}
