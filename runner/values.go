package runner

import (
	"fmt"
	"math"
	"strconv"
)

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
