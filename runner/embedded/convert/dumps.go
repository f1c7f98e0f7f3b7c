package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/sqlcheck/syntax"
)

// A folder of dumps is what mydumper writes, or mysqldump with --tab: a file for each table's definition and others
// for its rows. They become one script, definitions first.

// dumpPart is a kind of file in such a folder.
type dumpPart struct {
	pattern *regexp.Regexp
	when    int
	write   func(out *bufio.Writer, in io.Reader, table string) error
}

// parts of such a folder, by a file's name without what says that it is compressed. The first that matches decides:
// when the file comes, and how; the database that it is of stands before the table, if there is one.
var dumpParts = []dumpPart{
	{regexp.MustCompile(`^(?P<db>[^.]+)-schema-create\.sql$`), 0, nil}, // CREATE DATABASE
	{regexp.MustCompile(`^(?P<db>[^.]+)\.[^.]+-schema\.sql$`), 1, copySQL},
	{regexp.MustCompile(`^(?P<db>[^.]+)\.[^.]+-schema-view\.sql$`), 4, copySQL},
	{regexp.MustCompile(`^(?P<db>[^.]+)\.[^.]+-schema-triggers\.sql$`), 5, copySQL},
	{regexp.MustCompile(`^(?P<db>[^.]+)-schema-(post|triggers|sequence)\.sql$`), 5, copySQL},
	{regexp.MustCompile(`^(?P<db>[^.]+)\.[^.]+(\.\d+)+\.sql$`), 2, copySQL},
	{regexp.MustCompile(`^(?P<db>[^.]+)\.[^.]+\.sql$`), 2, copySQL},
	{regexp.MustCompile(`(?i)^[^.]*(schema|structure|ddl|create)[^.]*\.sql$`), 1, copySQL},
	{regexp.MustCompile(`^[^.]+\.sql$`), 2, copySQL},
	{regexp.MustCompile(`^(?P<table>[^.]+)\.txt$`), 3, writeTab},
}

// uncompressed is a file's name without what says that it is compressed.
func uncompressed(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

// dumps takes the files of a folder of dumps.
func (s *Source) dumps(entries []fs.DirEntry) error {
	s.write, s.Dumps = writeDumps, true
	for _, e := range slices.DeleteFunc(entries, fs.DirEntry.IsDir) {
		if strings.HasSuffix(uncompressed(e.Name()), ".dat") {
			return fmt.Errorf("%s holds rows for LOAD DATA: dump them as SQL", e.Name())
		}
		if partOf(e.Name()) < 0 {
			if readerOf(uncompressed(e.Name())) != nil {
				s.Left = append(s.Left, e.Name()+": the folder is a dump: import it by itself")
			}
			continue
		}
		if err := s.add(e.Name()); err != nil {
			return err
		}
	}
	slices.SortStableFunc(s.paths, func(a, b string) int {
		return dumpParts[partOf(a)].when - dumpParts[partOf(b)].when
	})
	return nil
}

// partOf is the index of what a file is in dumpParts; -1 if it is something else.
func partOf(path string) int {
	name := uncompressed(filepath.Base(path))
	return slices.IndexFunc(dumpParts, func(p dumpPart) bool { return p.pattern.MatchString(name) })
}

// writeDumps writes all files as one script.
func writeDumps(ctx context.Context, s *Source, out *bufio.Writer) error {
	for _, path := range s.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := dumpParts[partOf(path)]
		if part.write == nil {
			continue
		}
		name := uncompressed(filepath.Base(path)) // all of it matches
		if db := part.pattern.ReplaceAllString(name, "${db}"); db != "" {
			fmt.Fprintf(out, "USE %s;\n", syntax.QuoteName(db))
		}
		table := part.pattern.ReplaceAllString(name, "${table}")
		write := func(in io.Reader) error { return part.write(out, in, table) }
		if err := s.unpacked(ctx, path, 2, write); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		out.WriteString("\n;\nDELIMITER ;\n")
	}
	return nil
}

func copySQL(out *bufio.Writer, in io.Reader, _ string) error {
	_, err := io.Copy(out, in)
	return err
}

// writeTab writes rows that SELECT … INTO OUTFILE wrote: a tab between values, \N for NULL, a backslash before what
// would end one. Source: MySQL 8.0 Reference Manual, "LOAD DATA Statement".
func writeTab(out *bufio.Writer, in io.Reader, table string) error {
	rows := &inserts{out: out, table: syntax.QuoteName(table)}
	r := bufio.NewReaderSize(in, 1<<16)
	var cells []string // "" and a \N of a row are told apart by nulls
	var nulls []bool
	var cell []byte
	null, bytes := false, 0 // of the row
	end := func() {
		cells, nulls = append(cells, string(cell)), append(nulls, null && len(cell) == 0)
		cell, null = cell[:0], false
	}
	for {
		c, err := r.ReadByte()
		if err == io.EOF && len(cells) == 0 && len(cell) == 0 && !null {
			break
		}
		if err != nil && err != io.EOF {
			return err
		}
		if bytes++; bytes > maxRow {
			return errLongRow
		}
		switch {
		case err == nil && c == '\\':
			if c, err = r.ReadByte(); err != nil {
				return errors.New("the file ends behind a backslash")
			}
			if c == 'N' {
				null = true
				continue
			}
			if meant, ok := escapes[c]; ok {
				c = meant
			}
			cell = append(cell, c)
		case err == nil && c == '\t':
			end()
		case err == nil && c != '\n':
			cell = append(cell, c)
		default:
			end()
			rows.row(len(cells), func(i int) int {
				switch {
				case nulls[i]:
					out.WriteString("NULL")
				case !utf8.ValidString(cells[i]):
					fmt.Fprintf(out, "0x%x", cells[i])
				default:
					writeText(out, cells[i])
				}
				return len(cells[i])
			})
			cells, nulls, bytes = cells[:0], nulls[:0], 0
		}
	}
	rows.end()
	return nil
}

// escapes are what characters mean behind a backslash; others mean themselves.
var escapes = map[byte]byte{'0': 0, 'b': '\b', 'n': '\n', 'r': '\r', 't': '\t', 'Z': 26}
