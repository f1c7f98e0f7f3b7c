package runner

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// RowKey is equal for equal rows and for no others.
func RowKey(row []any) string {
	var b strings.Builder
	for _, cell := range row {
		key := CellKey(cell)
		fmt.Fprintf(&b, "%d:%s", len(key), key)
	}
	return b.String()
}

// CellKey is equal for cells of equal value and for no others; numbers are compared across types.
func CellKey(cell any) string {
	switch v := cell.(type) {
	case nil:
		return "null"
	case Decimal:
		return numberKey(string(v))
	case int64, uint64, float64, json.Number:
		return numberKey(fmt.Sprint(v))
	case []byte:
		return "text " + string(v)
	default:
		return "text " + fmt.Sprint(v)
	}
}

func numberKey(text string) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok { // infinities and NaN, which MySQL never returns
		return "number " + text
	}
	return "number " + r.RatString()
}

// Empty reports whether a result holds nothing: no rows, or, as of a sum over none, NULL alone.
func (r Result) Empty() bool {
	known := func(cell any) bool { return cell != nil }
	return !slices.ContainsFunc(r.Rows, func(row []any) bool { return slices.ContainsFunc(row, known) })
}

// Digest is equal for results with the same rows, each as often: in this order if it counts, else in any.
// Floating-point numbers count with nine digits, since sums come out differently in another order. It is no name of a
// result that was cut short.
func (r Result) Digest(ordered bool) string {
	keys := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		cells := slices.Clone(row)
		for j, cell := range cells {
			if f, is := cell.(float64); is {
				cells[j] = json.Number(strconv.FormatFloat(f, 'g', 9, 64))
			}
		}
		keys[i] = RowKey(cells)
	}
	if ordered && len(keys) > 1 {
		keys = append(keys, "ordered")
	} else {
		slices.Sort(keys)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(keys, "\n"))))[:16]
}

// cell turns a value of the driver's text protocol into a canonical one (see [Result]). An integer is an int64,
// and a uint64 only above the largest int64, so that equal values are equal cells whatever their column is declared as.
// kind is the driver's name of the column's type.
func cell(v any, kind string) (any, error) {
	switch v := v.(type) {
	case nil, int64, float64:
		return v, nil
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v), nil
		}
		return v, nil
	case float32: // by way of its shortest text: 1.1 stays 1.1
		return strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	case []byte:
		return textCell(v, kind)
	}
	return nil, fmt.Errorf("column of type %s: unexpected %T", kind, v)
}

func textCell(v []byte, kind string) (any, error) {
	switch kind {
	case "DECIMAL":
		return Decimal(v), nil
	case "BIT": // at most 64 of them, as big-endian bytes
		if len(v) > 8 {
			return nil, fmt.Errorf("BIT of %d bytes", len(v))
		}
		var n uint64
		for _, b := range v {
			n = n<<8 | uint64(b)
		}
		return cell(n, kind)
	case "BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "GEOMETRY", "VECTOR":
		return append([]byte{}, v...), nil
	}
	return string(v), nil
}

// CellBytes is what a cell counts towards [Limits].Bytes.
func CellBytes(v any) int64 {
	switch v := v.(type) {
	case nil:
		return 0
	case string:
		return int64(len(v))
	case Decimal:
		return int64(len(v))
	case []byte:
		return int64(len(v))
	}
	return 8
}
