// Package xlsx reads Excel's workbooks row by row, so that no more of a sheet is held than a row of it: what a cell
// holds, and what its format says that it is. It computes formulas that have no value, if asked. Begin with [Open].
// Source: ECMA-376, part 1, 18.
package xlsx

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on what is held of a file, in bytes but for maxTexts.
const (
	maxDirectory = 8 << 20   // the list of its parts
	maxItem      = 8 << 20   // a row, a shared text, a format
	maxPart      = 16 << 20  // a part that is read whole
	maxShared    = 128 << 20 // its shared texts together
	maxTexts     = 8 << 20   // how many these are
	maxSheets    = 1000
	maxRows      = 1 << 20 // of a sheet, as Excel has it
	packedFreely = 32 << 20
	packedTimes  = 50 // a part may be so many times as long as it is in the file, or packedFreely
)

// Book is an open workbook.
type Book struct {
	Sheets []*Sheet
	Size   int64

	ctx     context.Context
	stale   bool                 // its writer computed no formula, whatever the cells hold
	parts   map[string]*zip.File // by lower-case name
	formats []format             // by style
	since   bool                 // days count from 1904
	texts   []byte               // the shared ones, one after the other
	ends    []uint32             // where each ends, behind 0
}

// Sheet is one that has cells.
type Sheet struct {
	Name   string
	Hidden bool
	book   *Book
	part   string

	// Why is why the first of the formulas that Compute left has no value.
	Why error

	rows     int            // as Compute read them
	cells    map[[2]int]any // by row and column: a *formula, or the kind of a value
	formulas []*formula
}

// Open reads what all sheets share. The context ends this and the reading of rows.
func Open(ctx context.Context, r io.ReaderAt, size int64) (*Book, error) {
	first := make([]byte, 4)
	if _, err := r.ReadAt(first, 0); err == nil && string(first) == "\xd0\xcf\x11\xe0" {
		return nil, errors.New("it is encrypted or in the format before Excel 2007: save it as .xlsx, without a password")
	}
	directory := &bounded{ctx: ctx, ReaderAt: r, left: maxDirectory}
	z, err := zip.NewReader(directory, size)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as an Excel workbook: %w", err)
	}
	directory.left = -1
	b := &Book{ctx: ctx, parts: map[string]*zip.File{}, Size: size, ends: []uint32{0}}
	for _, f := range z.File {
		b.parts[strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))] = f
	}
	if err := b.open(); err != nil {
		return nil, fmt.Errorf("it cannot be read as an Excel workbook: %w", err)
	}
	return b, nil
}

// bounded is a reader that fails when its context ends, or more was read than it has left; below zero is no bound of
// ReadAt.
type bounded struct {
	ctx context.Context
	io.ReaderAt
	io.Reader
	left, all int64 // bytes: up to when left is set anew, and together
}

var errBound = errors.New("a part of it is too long")

// ReadAt implements io.ReaderAt.
func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left >= 0 {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, errBound
		}
	}
	return b.ReaderAt.ReadAt(p, off)
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 || b.all <= 0 {
		return 0, errBound
	}
	n, err := b.Reader.Read(p)
	b.left, b.all = b.left-int64(n), b.all-int64(n)
	return n, cmp.Or(b.ctx.Err(), err)
}

// part calls do with the XML of a part; to set left anew lets it read on. A part that is missing has none.
func (b *Book) part(name string, left int64, do func(d *xml.Decoder, left *int64) error) error {
	f := b.parts[strings.ToLower(name)]
	if f == nil {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	r := &bounded{ctx: b.ctx, Reader: in, left: left,
		all: max(packedFreely, packedTimes*int64(f.CompressedSize64))}
	return do(xml.NewDecoder(r), &r.left)
}

// decode reads a part whole.
func (b *Book) decode(name string, into any) error {
	return b.part(name, maxPart, func(d *xml.Decoder, _ *int64) error { return d.Decode(into) })
}

// relations are what a part refers to.
type relations struct {
	List []struct {
		ID     string `xml:"Id,attr"`
		Type   string `xml:"Type,attr"`
		Target string `xml:"Target,attr"`
	} `xml:"Relationship"`
}

// target is the name of a part that another one names.
func target(from, to string) string {
	if strings.HasPrefix(to, "/") {
		return to[1:]
	}
	return path.Join(path.Dir(from), strings.ReplaceAll(to, `\`, "/"))
}

func (b *Book) open() error {
	var rels relations
	if err := b.decode("_rels/.rels", &rels); err != nil {
		return err
	}
	book := "xl/workbook.xml"
	for _, r := range rels.List {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			book = target("", r.Target)
		}
	}
	if b.parts[strings.ToLower(book)] == nil {
		return errors.New("the file holds no workbook")
	}
	rels = relations{}
	if err := b.decode(path.Join(path.Dir(book), "_rels", path.Base(book)+".rels"), &rels); err != nil {
		return err
	}
	kinds, targets := map[string]string{}, map[string]string{}
	for _, r := range rels.List {
		kind, part := path.Base(r.Type), target(book, r.Target)
		kinds[r.ID], targets[r.ID], targets[kind] = kind, part, part
	}
	var w struct {
		Props struct {
			Since string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Calc struct {
			Full string `xml:"fullCalcOnLoad,attr"`
		} `xml:"calcPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			State string `xml:"state,attr"`
			ID    string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
			Other string `xml:"http://purl.oclc.org/ooxml/officeDocument/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := b.decode(book, &w); err != nil {
		return err
	}
	if len(w.Sheets) > maxSheets {
		return fmt.Errorf("it has %d sheets, and at most %d become tables: save those that you need", len(w.Sheets), maxSheets)
	}
	b.since, b.stale = isTrue(w.Props.Since), isTrue(w.Calc.Full)
	for _, s := range w.Sheets {
		id := s.ID + s.Other
		if part := targets[id]; kinds[id] == "worksheet" && b.parts[strings.ToLower(part)] != nil {
			b.Sheets = append(b.Sheets, &Sheet{Name: s.Name, Hidden: s.State != "" && s.State != "visible", book: b,
				part: part})
		} else if kinds[id] == "worksheet" {
			return fmt.Errorf("the sheet %s is missing", s.Name)
		}
	}
	if err := b.readFormats(targets["styles"]); err != nil {
		return err
	}
	return b.readTexts(targets["sharedStrings"])
}

func isTrue(s string) bool { return s == "1" || s == "true" }

// readFormats reads what each style says of a number.
func (b *Book) readFormats(part string) error {
	var styles struct {
		Formats []struct {
			ID   string `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			ID string `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.decode(part, &styles); err != nil {
		return err
	}
	own := map[string]string{}
	for _, f := range styles.Formats {
		own[f.ID] = f.Code
	}
	for _, cell := range styles.Cells {
		b.formats = append(b.formats, formatOf(cell.ID, own[cell.ID]))
	}
	return nil
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// elements calls do with each element of a part; do may read on to its end.
func elements(d *xml.Decoder, do func(e xml.StartElement) error) error {
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := do(e); err != nil {
				return unexpected(err)
			}
		}
	}
}

// readTexts reads the shared texts.
func (b *Book) readTexts(part string) error {
	return b.part(part, maxItem, func(d *xml.Decoder, left *int64) error {
		return elements(d, func(e xml.StartElement) error {
			if e.Name.Local != "si" {
				return nil
			}
			var one text
			err := d.DecodeElement(&one, &e)
			b.texts = append(b.texts, one.String()...)
			b.ends = append(b.ends, uint32(len(b.texts)))
			*left = maxItem
			if len(b.texts) > maxShared || len(b.ends) > maxTexts {
				return errors.New("its texts are too many to be read: save each sheet as CSV")
			}
			return err
		})
	})
}

// text is one in runs of a format each, without how they are pronounced.
type text struct {
	Whole []string `xml:"t"`
	Runs  []string `xml:"r>t"`
}

func (t text) String() string {
	s := strings.Join(append(t.Whole, t.Runs...), "")
	if strings.Contains(s, "_x") {
		s = escaped.ReplaceAllStringFunc(s, unescape)
	}
	return s
}

// escaped are characters that XML cannot hold, as Excel writes them.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescape(s string) string {
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return s
	}
	return string(rune(n))
}

// unexpected is an end of the file where there should be more.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// shared is one of the shared texts.
func (b *Book) shared(index string) (string, error) {
	i, err := strconv.Atoi(strings.TrimSpace(index))
	if err != nil || i < 0 || i+1 >= len(b.ends) {
		return "", fmt.Errorf("it refers to text %q, which the workbook lacks", index)
	}
	return string(b.texts[b.ends[i]:b.ends[i+1]]), nil
}
