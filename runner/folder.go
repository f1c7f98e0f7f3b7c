package runner

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck/schema"
)

// FolderScript reads one of a folder of databases as a MySQL script. It is kept there as the folder dir, with
// schema.sql and, in data/ or beside it, a CSV file with a header for each table; or as the script dir.sql.zst.
// An empty cell is NULL where the column may be, and so is NULL.
func FolderScript(dir string) (string, error) {
	name := filepath.Base(dir)
	ddl, whole, err := readFolder(dir)
	if err != nil {
		return "", fmt.Errorf("database %s: %w", name, err)
	}
	if whole {
		return ddl, nil
	}
	var out strings.Builder
	out.WriteString(strings.ReplaceAll(ddl, QuoteName(name)+".", ""))
	out.WriteString("\n")
	schema, err := schema.ParseDDL(name, out.String())
	if err != nil {
		return "", fmt.Errorf("database %s: %w", name, err)
	}
	for i := range schema.Tables {
		table := &schema.Tables[i]
		if err := writeInserts(&out, dir, table); err != nil {
			return "", fmt.Errorf("database %s: table %s: %w", name, table.Name, err)
		}
	}
	return out.String(), nil
}

// FolderDDL reads what creates the tables of one of a folder of databases, which [FolderScript] describes; the rows of
// a script come with it.
func FolderDDL(dir string) (string, error) {
	ddl, _, err := readFolder(dir)
	return ddl, err
}

// readFolder reads schema.sql, or else the whole script. Where there is neither, the error is about schema.sql.
func readFolder(dir string) (script string, whole bool, err error) {
	ddl, err := files.Read(filepath.Join(dir, "schema.sql"), files.Large)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(ddl), false, err
	}
	packed, packedErr := files.Read(dir+".sql.zst", mostScript)
	if packedErr != nil {
		if !errors.Is(packedErr, fs.ErrNotExist) {
			err = packedErr
		}
		return "", false, err
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostScript))
	if err != nil {
		return "", false, err
	}
	defer r.Close()
	text, err := r.DecodeAll(packed, nil)
	if err != nil {
		return "", false, fmt.Errorf("read %s.sql.zst: %w", dir, err)
	}
	return string(text), true, nil
}

// mostScript is how many bytes a packed script may become: it is held in memory whole.
const mostScript = 1 << 30

func writeInserts(out *strings.Builder, dir string, table *schema.Table) error {
	f, err := files.Open(filepath.Join(dir, "data", table.Name+".csv"))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = files.Open(filepath.Join(dir, table.Name+".csv"))
	}
	if errors.Is(err, fs.ErrNotExist) { // an empty table
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(bufio.NewReader(f))
	r.LazyQuotes = true
	header, err := r.Read()
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	columns := make([]*schema.Column, len(header))
	names := make([]string, len(header))
	for i, h := range header {
		col, ok := table.Column(h)
		if !ok {
			return fmt.Errorf("the CSV file has a column %s, which the table lacks", h)
		}
		columns[i], names[i] = col, QuoteName(h)
	}
	escape := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`)
	cells := make([]string, len(header))
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for i, v := range row {
			cells[i] = "'" + escape.Replace(v) + "'"
			if v == "NULL" || v == "" && columns[i].Nullable {
				cells[i] = "NULL"
			}
		}
		fmt.Fprintf(out, "INSERT INTO %s (%s) VALUES (%s);\n", QuoteName(table.Name), strings.Join(names, ","),
			strings.Join(cells, ","))
	}
}
