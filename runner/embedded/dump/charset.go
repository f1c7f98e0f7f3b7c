package dump

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"golang.org/x/text/encoding/charmap"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// inUTC is a TIMESTAMP of the script's time zone, which is an offset, in UTC.
func (l *loader) inUTC(stored any, t types.Type) (any, error) {
	text, ok := stored.(string)
	switch zone := strings.ToUpper(l.zone); {
	case !ok, zone == "", zone == "UTC", zone == "SYSTEM", zone == "DEFAULT", strings.HasPrefix(text, "0000"):
		return stored, nil
	}
	at, err := time.Parse("2006-01-02 15:04:05 -07:00", text+" "+l.zone)
	if err != nil {
		return nil, fmt.Errorf("a TIMESTAMP in the time zone %s, which is no offset as +02:00", l.zone)
	}
	utc, _ := mysqlfn.CanonicalTemporal(at.UTC().Format("2006-01-02 15:04:05.999999"), t)
	return utc, nil
}

// charsets are MySQL's of one byte a character. Those that are not here and not in [ours] cannot be read.
var charsets = map[string]*charmap.Charmap{"latin1": charmap.Windows1252, "cp1250": charmap.Windows1250,
	"cp1251": charmap.Windows1251, "cp1256": charmap.Windows1256, "cp1257": charmap.Windows1257,
	"cp850": charmap.CodePage850, "cp852": charmap.CodePage852, "cp866": charmap.CodePage866,
	"latin2": charmap.ISO8859_2, "latin5": charmap.ISO8859_9, "latin7": charmap.ISO8859_13, "greek": charmap.ISO8859_7,
	"hebrew": charmap.ISO8859_8, "koi8r": charmap.KOI8R, "koi8u": charmap.KOI8U, "macroman": charmap.Macintosh,
	"tis620": charmap.Windows874}

// ours are the character sets whose texts are read as they are.
var ours = map[string]bool{"": true, "utf8": true, "utf8mb3": true, "utf8mb4": true, "ascii": true, "binary": true,
	"default": true}

// decoded is a text of a character set in UTF-8.
func decoded(charset, text string) (string, error) {
	if ours[charset] || !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		return text, nil
	}
	if set := charsets[charset]; set != nil {
		return set.NewDecoder().String(text)
	}
	return "", fmt.Errorf("a text in the character set %s, which is not known: write the file in UTF-8, with SET NAMES utf8mb4", charset)
}

// textOf is what a column gets of a literal: one in quotes is in the set of its introducer, _latin1'…', or in the
// script's; bytes are in the column's.
func (l *loader) textOf(v literal, column string) (string, error) {
	set := v.charset
	if set == "" && !v.Hex {
		set = l.names
	}
	switch {
	case v.computed:
		return v.Text, nil
	case (set == "binary" || v.Hex && set == "") && charsets[column] != nil:
		set = column
	}
	return decoded(set, v.Text)
}

// setOf are the character set and the collation that a table's texts are declared in, "" for the server's.
func (l *loader) setOf(options []*ast.TableOption) (set, coll string) {
	set = l.charset
	for _, o := range options {
		switch o.Tp {
		case ast.TableOptionCharset:
			set, coll = strings.ToLower(o.StrValue), ""
		case ast.TableOptionCollate:
			coll = strings.ToLower(o.StrValue)
		}
	}
	return set, coll
}

// collationOf is the one that a column is declared with, "" for its table's.
func collationOf(col *ast.ColumnDef) string {
	coll := col.Tp.GetCollate()
	for _, o := range col.Options {
		if o.Tp == ast.ColumnOptionCollate {
			coll = o.StrValue
		}
	}
	return strings.ToLower(coll)
}

// columnCharset is the character set that a column of texts is declared in, "" for the server's.
func (l *loader) columnCharset(table *ast.CreateTableStmt, col *ast.ColumnDef) string {
	set, coll := l.setOf(table.Options)
	if own := col.Tp.GetCharset(); own != "" {
		set, coll = own, ""
	}
	if coll = cmp.Or(collationOf(col), coll); coll != "" {
		set, _, _ = strings.Cut(coll, "_")
	}
	return strings.ToLower(set)
}
