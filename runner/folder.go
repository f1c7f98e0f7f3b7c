package runner

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/sqlcheck/schema"
)

// FolderScript reads a database kept as a folder (schema.sql, and a CSV file with a header for each table in data/ or
// beside it) as one MySQL script. An empty cell is NULL where the column may be, and so is NULL.
func FolderScript(dir string) (string, error) {
	name := filepath.Base(dir)
	ddl, err := os.ReadFile(filepath.Join(dir, "schema.sql"))
	if err != nil {
		return "", fmt.Errorf("database %s: %w", name, err)
	}
	var out strings.Builder
	out.WriteString(strings.ReplaceAll(string(ddl), QuoteName(name)+".", ""))
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

func writeInserts(out *strings.Builder, dir string, table *schema.Table) error {
	f, err := os.Open(filepath.Join(dir, "data", table.Name+".csv"))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(filepath.Join(dir, table.Name+".csv"))
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
		fmt.Fprintf(out, "INSERT INTO %s (%s) VALUES (%s);\n", QuoteName(table.Name), strings.Join(names, ","), strings.Join(cells, ","))
	}
}
