// Package types is what the embedded database knows of a value before it sees one: its type as MySQL would infer it,
// how its texts compare, and the tables that a dump declares. It knows no values, no SQL and no database; everything
// else below runner/embedded imports it.
package types

import (
	"cmp"
	"fmt"
	"strings"

	"nl2sql/sqlcheck/schema"
)

// Kind is the class of a value's type. What SQLite holds for each of them stands behind it.
type Kind uint8

// The kinds.
const (
	Null Kind = iota // the literal NULL
	Int              // INTEGER
	// REAL, the double nearest to the decimal: exact up to 15 digits (see package mysqlfn); BLOB if it is wide
	Decimal
	Double   // REAL
	Float    // REAL, a float32's value
	String   // TEXT
	Blob     // BLOB
	Date     // TEXT, YYYY-MM-DD
	Datetime // TEXT, YYYY-MM-DD HH:MM:SS[.ffffff]
	Time     // TEXT, [-]HH:MM:SS[.ffffff]
	JSON     // TEXT
)

// Type is the type of a column or an expression, as MySQL would infer it.
type Type struct {
	Kind  Kind
	Scale int  // decimal places of Decimal; fractional digits of the seconds of Datetime and Time
	Wide  bool // of Decimal: exact bytes instead of a double, see package mysqlfn
	// of Double: one more than the decimal places that MySQL prints, as after ROUND(x, 2); 0 means all there are
	Fixed    int
	Unsigned bool
	// of Int: declared INT, which beside a FLOAT makes a DOUBLE where other whole numbers make a FLOAT
	Long bool
	Bits bool // of Int: a column of the result that holds the 64 bits of an unsigned number
	// of Float: a column of the result that MySQL prints with six digits, as it does with what a table holds
	Short bool
	Char  bool // CHAR(n)
	// NULLIF of a temporal value, which MySQL takes for a text beside others, or GROUP_CONCAT, which is a number
	// without decimal places, or POW
	Vague    bool
	Coll     Collation // of a text; "" is a literal's, which gives way to any other
	Explicit bool      // the collation was given with COLLATE
	// members of ENUM or SET, in order: where a number is wanted a value is its index, or a bit for each member
	Enum    []string
	Set     bool // they are those of a SET
	Spelled bool // of ENUM or SET: it is a text like any other until a table holds it, as MIN and MAX are
	Year    bool // of Int: a YEAR
	Bit     int  // of Int: a BIT of so many bits, which as a text is bytes
	Zeros   int  // of Int: ZEROFILL, how many digits it has as a text at least
	Filled  int  // of Blob: a BINARY of so many bytes, which zeros fill up
}

// Types without anything to say beside their kind.
var (
	NullType   = Type{Kind: Null}
	IntType    = Type{Kind: Int}
	DoubleType = Type{Kind: Double}
	DateType   = Type{Kind: Date}
	TextType   = Type{Kind: String}
	BlobType   = Type{Kind: Blob, Coll: CollBytes}
)

// String is the type as messages name it.
func (t Type) String() string {
	if t.Bit > 0 || t.Year {
		return map[bool]string{true: "YEAR", false: "BIT"}[t.Year]
	}
	return [...]string{"NULL", "INT", "DECIMAL", "DOUBLE", "FLOAT", "text", "BLOB", "DATE", "DATETIME",
		"TIME", "JSON"}[t.Kind]
}

// Numeric says that values are numbers.
func (t Type) Numeric() bool { return t.Kind == Int || t.Kind == Decimal || t.Real() }

// Real says that values are doubles.
func (t Type) Real() bool { return t.Kind == Double || t.Kind == Float }

// Temporal says that values are dates or times.
func (t Type) Temporal() bool { return t.Kind == Date || t.Kind == Datetime || t.Kind == Time }

// Listed says that values are words of a list, which have numbers.
func (t Type) Listed() bool { return len(t.Enum) > 0 && !t.Spelled }

// Plain is the type without what only a column, or an expression that gives nothing but a column, has.
func (t Type) Plain() Type {
	t.Enum, t.Set, t.Spelled, t.Year, t.Bit, t.Filled, t.Zeros = nil, false, false, false, 0, 0, 0
	return t
}

// Text says that values are texts in SQLite, or bytes.
func (t Type) Text() bool { return t.Kind == String || t.Kind == Blob || t.Kind == JSON }

// digits is the width of whole numbers that are declared without one.
var digits = map[string]int{"tinyint": 3, "smallint": 5, "mediumint": 8, "int": 10, "integer": 10, "bigint": 20}

// ColumnType reads a COLUMN_TYPE as sqlcheck writes it, e.g. "decimal(10,2) unsigned".
func ColumnType(text string, coll Collation) (Type, error) {
	declared := schema.ParseType(text)
	first, _ := declared.Length()
	t := Type{Unsigned: declared.Unsigned}
	switch name := declared.Name; name {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "bool", "boolean":
		t.Kind, t.Long = Int, name == "int" || name == "integer"
		if strings.HasSuffix(text, "zerofill") {
			t.Zeros, t.Unsigned = cmp.Or(first, digits[name]), true
		}
	case "bit", "year":
		t.Kind, t.Unsigned, t.Year = Int, true, name == "year"
		if name == "bit" {
			t.Bit = max(first, 1)
		}
	case "decimal", "numeric", "dec", "fixed":
		t.Kind = Decimal
		t.Scale = declared.Scale()
		t.Wide = first > NarrowDigits // none are ten
	case "double", "real", "float":
		if t.Kind = Double; name == "float" {
			t.Kind = Float
		}
		if len(declared.Args()) > 1 {
			t.Fixed = declared.Scale() + 1
		}
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set":
		t.Kind, t.Coll, t.Char, t.Set = String, coll, name == "char", name == "set"
	case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob":
		t.Kind, t.Coll = Blob, CollBytes
		if name == "binary" {
			t.Filled = max(first, 1)
		}
	case "date":
		t.Kind = Date
	case "datetime", "timestamp":
		t.Kind = Datetime
		t.Scale = first
	case "time":
		t.Kind = Time
		t.Scale = first
	case "json":
		t.Kind, t.Coll = JSON, CollBytes
	default:
		return t, fmt.Errorf("columns of type %s are not supported", text)
	}
	return t, nil
}

// Affinity is the SQLite type that a column is declared with. Names that SQLite's driver would turn into a time are
// avoided.
func (t Type) Affinity() string {
	switch {
	case t.Kind == Int:
		return "INTEGER"
	case t.Kind == Blob, t.IsWide():
		return "BLOB"
	case t.Numeric():
		return "REAL"
	}
	return "TEXT"
}

// Places is how many decimal places MySQL says that a number has; ok is false for a double with as many as it needs.
func (t Type) Places() (n int, ok bool) {
	if t.Real() {
		return t.Fixed - 1, t.Fixed > 0
	}
	return t.Decimals(), t.Kind == Int || t.Kind == Decimal
}

// Decimals is the number of decimal places of an exact number.
func (t Type) Decimals() int {
	if t.Kind == Decimal {
		return t.Scale
	}
	return 0
}

// Collation is how values of this type compare.
func (t Type) Collation() Collation { return t.Coll.OrDefault() }

// NarrowDigits is how many digits a DECIMAL may have that a double holds exactly.
const NarrowDigits = 15

// IsWide says that a value is a wide DECIMAL.
func (t Type) IsWide() bool { return t.Kind == Decimal && t.Wide }

// AsText is the type of a text function's result.
func (t Type) AsText() Type { return Type{Kind: String, Coll: t.Coll, Explicit: t.Explicit} }

// JSONText is the type, or that of JSON's text.
func (t Type) JSONText() Type {
	if t.Kind == JSON {
		return Type{Kind: String, Coll: CollBin}
	}
	return t
}

// Bytes is the type of a text function's result: of bytes it makes bytes.
func (t Type) Bytes() Type {
	if t.Coll == CollBytes {
		t.Kind = Blob
	}
	return t
}
