package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// writeParquet writes the table of a Parquet file. Columns that hold lists or structures are left out.
func writeParquet(ctx context.Context, s *Source, out *bufio.Writer, path string) (err error) {
	in, err := s.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(in, info.Size())
	if err != nil {
		return fmt.Errorf("it cannot be read as a Parquet file: %w", err)
	}
	t := newTable(tableName(path))
	var names []string
	columns := map[int]parquet.Node{} // by the number of their values
	at := map[int]int{}               // where they stand in a row of the table
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			s.Left = append(s.Left, fmt.Sprintf("column %s: it holds lists or structures", c.Name()))
			continue
		}
		columns[c.Index()], at[c.Index()] = c, len(names)
		names = append(names, c.Name())
	}
	if err := t.header(names); err != nil {
		return err
	}
	for i, n := range at {
		t.columns[n].texts = isText(columns[i])
	}
	return t.write(out, func(do func(row []string) error) (err error) {
		defer func() { s.step(int(info.Size())) }()
		rows := parquet.NewReader(file)
		defer func() { err = errors.Join(err, rows.Close()) }()
		buffer, row := make([]parquet.Row, 64), make([]string, len(names))
		for {
			n, err := rows.ReadRows(buffer)
			for _, values := range buffer[:n] {
				for _, v := range values {
					if c, shown := columns[v.Column()]; shown {
						row[at[v.Column()]] = parquetText(c, v)
					}
				}
				if err := errors.Join(ctx.Err(), do(row)); err != nil {
					return err
				}
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
}

// logical is what a column's values mean; nil is what they are.
func logical(c parquet.Node) format.LogicalTypeValue {
	if l := c.Type().LogicalType(); l != nil {
		return l.Value
	}
	return nil
}

func isText(c parquet.Node) bool {
	switch logical(c).(type) {
	case *format.StringType, *format.EnumType, *format.JsonType, *format.UUIDType:
		return true
	}
	return false
}

const parquetTime = "2006-01-02 15:04:05.999999"

// parquetText is a value as a CSV file has it; NULL is "\N".
func parquetText(c parquet.Node, v parquet.Value) string {
	if v.IsNull() {
		return `\N`
	}
	switch l := logical(c).(type) {
	case *format.DateType:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
	case *format.TimestampType:
		return sinceEpoch(v.Int64(), l.Unit).Format(parquetTime)
	case *format.TimeType:
		n := v.Int64()
		if v.Kind() == parquet.Int32 {
			n = int64(v.Int32())
		}
		return sinceEpoch(n, l.Unit).Format("15:04:05.999999")
	case *format.DecimalType:
		return parquetDecimal(v, int(l.Scale))
	case *format.UUIDType:
		b := v.ByteArray()
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	case *format.IntType:
		if !l.IsSigned && v.Kind() == parquet.Int32 {
			return strconv.FormatUint(uint64(v.Uint32()), 10)
		}
		if !l.IsSigned {
			return strconv.FormatUint(v.Uint64(), 10)
		}
	}
	switch v.Kind() {
	case parquet.Boolean:
		if v.Boolean() {
			return "1"
		}
		return "0"
	case parquet.Int96: // a timestamp as it was written once: nanoseconds of a day, and the Julian day
		i := v.Int96()
		nanos, day := int64(i[1])<<32|int64(i[0]), int64(i[2])-2440588
		return time.Unix(day*86400, nanos).UTC().Format(parquetTime)
	case parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return string(v.ByteArray())
	}
	return v.String()
}

func sinceEpoch(n int64, unit format.TimeUnit) time.Time {
	switch unit.Value.Duration() {
	case time.Millisecond:
		return time.UnixMilli(n).UTC()
	case time.Microsecond:
		return time.UnixMicro(n).UTC()
	}
	return time.Unix(0, n).UTC()
}

// parquetDecimal writes a number that is kept without its point: whole, or in bytes, the highest first.
func parquetDecimal(v parquet.Value, scale int) string {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default:
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	digits, sign := new(big.Int).Abs(n).String(), ""
	if n.Sign() < 0 {
		sign = "-"
	}
	if scale <= 0 {
		return sign + digits
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}
