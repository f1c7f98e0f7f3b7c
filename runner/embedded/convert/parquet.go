package convert

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/shopspring/decimal"

	"nl2sql/runner/embedded/xlsx"
)

// readParquet gives the table of a Parquet file. Columns that hold lists or structures are left out.
func readParquet(ctx context.Context, s *Source, path string, found func(*grid) error) (err error) {
	in, size, err := s.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if err := footerFits(in, size); err != nil {
		return err
	}
	file, err := parquet.OpenFile(in, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return fmt.Errorf("it cannot be read as a Parquet file: %w", err)
	}
	g := &grid{name: tableName(path), doubts: &doubts{}}
	var columns []parquet.Node
	shown := map[int]int{} // where columns stand in a row of the table, by the number of their values
	spans := spansOf(file)
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			s.Left = append(s.Left, fmt.Sprintf("column %s: it holds lists or structures", c.Name()))
			continue
		}
		kind := c.Type().Kind()
		if logical(c) == nil && (kind == parquet.ByteArray || kind == parquet.FixedLenByteArray) {
			s.Left = append(s.Left, fmt.Sprintf("column %s: it holds bytes", c.Name()))
			continue
		}
		if l, ok := logical(c).(*format.TimestampType); kind == parquet.Int96 || ok && l.IsAdjustedToUTC {
			g.doubts.add("", "%s: the file has its moments in UTC: they are kept so", c.Name())
		}
		shown[c.Index()], columns = len(columns), append(columns, c)
		g.columns, g.texts = append(g.columns, c.Name()), append(g.texts, isText(c))
		g.floats = append(g.floats, kind == parquet.Float || kind == parquet.Double)
	}
	if len(columns) == 0 {
		return errors.New("no column of the file holds numbers, texts or times")
	}
	err = cmp.Or(fewRows(file.NumRows(), len(columns), size), pagesFit(ctx, file, in, size))
	if err != nil {
		return err
	}
	grown := int64(0)
	g.each = func(do func(line int, row []cell) error) (err error) {
		defer s.step(int(size))
		rows := parquet.NewReader(file)
		defer func() { err = errors.Join(err, rows.Close()) }()
		buffer, row := make([]parquet.Row, 64), make([]cell, len(columns))
		for number := 1; file.NumRows() > 0; {
			n, err := rows.ReadRows(buffer)
			for _, values := range buffer[:n] {
				for _, v := range values {
					if at, ok := shown[v.Column()]; ok {
						value := cell{parquetText(columns[at], v, spans[g.columns[at]]), exact}
						if v.IsNull() {
							value.mark = none
						} else if g.floats[at] && strings.ContainsAny(value.text, "NI") {
							g.doubts.add("nan", "%s: row %d is NaN or infinite: NULL", g.columns[at], number)
							value.mark = none
						}
						row[at] = value
						grown += int64(len(value.text))
					}
				}
				if err := cmp.Or(ctx.Err(), grows(grown, size), fewRows(int64(number), len(columns), size),
					do(number, row)); err != nil {
					return err
				}
				number++
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return found(g)
}

// fewRows refuses more values than a file of its size says: where all are the same, a few bytes say millions.
func fewRows(rows int64, columns int, size int64) error {
	if rows > max(valuesFreely, valuesTimes*size)/int64(columns) {
		return fmt.Errorf("%d KiB of the file grow to %d rows of %d columns", size>>10, rows, columns)
	}
	return nil
}

// Bounds on what a Parquet file makes its reader hold, in bytes, and on the columns that its footer may name.
const (
	maxFooter = 64 << 20
	maxPages  = 192 << 20 // a page and a dictionary of each column, side by side
	maxHeader = 16 << 20  // of a page
	maxNamed  = 10_000

	valuesFreely = 16 << 20
	valuesTimes  = 6
)

// footerFits refuses a file whose footer would take too much memory, before it is read: by its length, and by how many
// columns it names, which are field 2 of it.
func footerFits(in io.ReaderAt, size int64) error {
	var end [8]byte
	if _, err := in.ReadAt(end[:], max(0, size-8)); err != nil || size < 12 || string(end[4:]) != "PAR1" {
		return errors.New("it cannot be read as a Parquet file: its end is missing, or it is encrypted")
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if length > size-12 || length > maxFooter {
		return fmt.Errorf("it cannot be read as a Parquet file: its footer of %d bytes is too long", length)
	}
	r := new(thrift.CompactProtocol).NewReader(bufio.NewReader(io.NewSectionReader(in, size-8-length, length)))
	for id := int16(0); ; { // what is wrong with it the library says
		f, err := r.ReadField()
		if f.Delta {
			f.ID += id
		}
		id = f.ID
		if err != nil || f.Type == thrift.STOP {
			return nil
		}
		if f.ID == 2 {
			list, err := r.ReadList()
			if err == nil && int64(list.Size) > maxNamed {
				return fmt.Errorf(tooWide, list.Size, xlsx.MaxColumns)
			}
			return nil
		}
		if _, err := r.ReadInt32(); err != nil { // the version
			return nil
		}
	}
}

// pagesFit refuses a file whose pages would take too much memory, by what their headers say, before any is unpacked.
func pagesFit(ctx context.Context, file *parquet.File, in io.ReaderAt, size int64) error {
	leaves := slices.DeleteFunc(file.Root().Columns(), func(c *parquet.Column) bool { return !c.Leaf() })
	buffer := make([]byte, 1<<12) // headers are short
	for _, group := range file.Metadata().RowGroups {
		sum := int64(0)
		for i, c := range group.Columns {
			m, most, dictionary, values := &c.MetaData, int64(0), int64(0), int64(0)
			if m.Codec == format.Lz4Raw || m.Codec == format.Lz4 { // of which the library (v0.32) makes other values
				return errors.New("it is packed by LZ4, which cannot be read: write it with compression zstd or snappy")
			}
			at := m.DataPageOffset
			if o := m.DictionaryPageOffset; o > 0 && o < at {
				at = o
			}
			for end := at + m.TotalCompressedSize; at >= 0 && at < min(end, size) && values < m.NumValues; {
				got, err := in.ReadAt(buffer, at)
				if err == nil || err == io.EOF {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				reader := new(thrift.CompactProtocol).NewReaderFromBytes(buffer[:got])
				var h format.PageHeader
				if err := thrift.NewDecoder(reader).Decode(&h); err != nil && got == len(buffer) && got < maxHeader {
					buffer = make([]byte, 8*got)
					continue
				} else if err != nil {
					return fmt.Errorf("it cannot be read as a Parquet file: %w", err)
				}
				at += int64(reader.BytesRead())
				n, bytes := int64(0), int64(h.UncompressedPageSize)
				encoding := format.Encoding(0)
				switch h.Type {
				case format.DictionaryPage:
					dictionary = bytes + 16*int64(h.DictionaryPageHeader.V.NumValues)
				case format.DataPage:
					n, encoding = int64(h.DataPageHeader.V.NumValues), h.DataPageHeader.V.Encoding
				case format.DataPageV2:
					n, encoding = int64(h.DataPageHeaderV2.V.NumValues), h.DataPageHeaderV2.V.Encoding
				}
				if encoding >= format.DeltaBinaryPacked && encoding <= format.DeltaByteArray && bytes <= maxPages {
					page := make([]byte, min(max(h.CompressedPageSize, 0), int32(maxPages)))
					_, err := in.ReadAt(page, at)
					more, bad := deltas(page, &h, leaves[i], m.Codec)
					if err := cmp.Or(err, bad); err != nil {
						return fmt.Errorf("it cannot be read as a Parquet file: %w", err)
					}
					bytes += more
				}
				values += n
				most = max(most, bytes+8*n) // an index or an offset, and levels, of each value
				at += int64(h.CompressedPageSize)
			}
			sum += most + dictionary
		}
		if sum > maxPages {
			return fmt.Errorf("its pages take %d MiB side by side, which is too much: write it with smaller pages or row groups",
				sum>>20)
		}
	}
	return nil
}

// deltas is how many bytes the texts of a page share with those before them, of which each has a copy; 0 for numbers.
// It refuses a page that holds more values than its header says.
func deltas(page []byte, h *format.PageHeader, c *parquet.Column, codec format.CompressionCodec) (sum int64,
	err error) {
	n, encoding, packed := h.DataPageHeader.V.NumValues, h.DataPageHeader.V.Encoding, codec != format.Uncompressed
	if v2 := &h.DataPageHeaderV2.V; h.Type == format.DataPageV2 {
		n, encoding, packed = v2.NumValues, v2.Encoding, packed && (!v2.IsCompressed.Valid || v2.IsCompressed.V)
		page = page[v2.DefinitionLevelsByteLength+v2.RepetitionLevelsByteLength:]
	}
	if packed {
		if page, err = parquet.LookupCompressionCodec(codec).Decode(nil, page); err != nil {
			return 0, err
		}
	}
	for _, levels := range []int{c.MaxRepetitionLevel(), c.MaxDefinitionLevel()} {
		if h.Type == format.DataPage && levels > 0 {
			page = page[4+binary.LittleEndian.Uint32(page):]
		}
	}
	_, first := binary.Uvarint(page) // the size of blocks, their parts, then how many values
	_, second := binary.Uvarint(page[first:])
	if values, _ := binary.Uvarint(page[first+second:]); values > uint64(n) {
		return 0, fmt.Errorf("a page has %d values, and its header says %d", values, n)
	}
	if encoding != format.DeltaByteArray {
		return 0, nil
	}
	lengths, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, page)
	for _, length := range lengths {
		sum += int64(max(length, 0))
	}
	return sum, err
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

// spansOf are the units of the columns that hold spans of time, by their names: in Parquet they are numbers, and Arrow
// says beside the table what they mean. Source: Arrow's Schema.fbs, FlatBuffers' Internals.
func spansOf(file *parquet.File) (spans map[string]time.Duration) {
	spans = map[string]time.Duration{}
	text, _ := file.Lookup("ARROW:schema")
	all, _ := base64.StdEncoding.DecodeString(text)
	defer func() { _ = recover() }() // where it is damaged, columns stay numbers
	number := func(at int) int { return int(int32(binary.LittleEndian.Uint32(all[at:]))) }
	to := func(at int) int { return at + number(at) }
	field := func(table, i int) (at int) { // 0 where it is not written
		kinds := table - number(table)
		if 4+2*i < int(binary.LittleEndian.Uint16(all[kinds:])) {
			at = int(binary.LittleEndian.Uint16(all[kinds+4+2*i:]))
		}
		if at > 0 {
			at += table
		}
		return at
	}
	const header, fields, name, kind, ofKind, arrowSpan = 2, 1, 0, 2, 3, 18
	list := to(field(to(field(to(8), header)), fields))
	for i := range number(list) {
		f := to(list + 4 + 4*i)
		if at := field(f, kind); at == 0 || all[at] != arrowSpan {
			continue
		}
		unit := byte(1) // of seconds, milliseconds and so on
		if at := field(to(field(f, ofKind)), 0); at > 0 {
			unit = all[at]
		}
		at := to(field(f, name))
		spans[string(all[at+4:at+4+number(at)])] = time.Second / []time.Duration{1, 1e3, 1e6, 1e9}[unit]
	}
	return spans
}

// parquetText is a value as a CSV file has it. span is the unit of a span of time, 0 of others.
func parquetText(c parquet.Node, v parquet.Value, span time.Duration) string {
	switch {
	case v.IsNull():
		return ""
	case span > 0:
		return xlsx.Span(v.Int64(), span)
	}
	switch l := logical(c).(type) {
	case *format.DateType:
		return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
	case *format.TimestampType:
		each := int64(l.Unit.Value.Duration())
		per := int64(time.Second) / each
		return time.Unix(v.Int64()/per, v.Int64()%per*each).UTC().Format(parquetTime)
	case *format.TimeType:
		return xlsx.Span(v.Int64(), l.Unit.Value.Duration())
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
	}
	return v.String()
}

// parquetDecimal writes a number that is kept without its point: whole, or in bytes, the highest first.
func parquetDecimal(v parquet.Value, scale int) string {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		n.SetInt64(v.Int64())
	default:
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	return decimal.NewFromBigInt(n, int32(-scale)).StringFixed(int32(max(scale, 0)))
}
