package evaluation

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// FolderScript makes a dump of a folder as spider-mysql has them: schema.sql, and data/TABLE.csv with a head line for
// each table. An empty cell is NULL where the column may be, and so is NULL itself. The folder's name is the database's.
func FolderScript(dir string) ([]byte, error) {
	name := filepath.Base(dir)
	ddl, err := os.ReadFile(filepath.Join(dir, "schema.sql"))
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(bytes.ReplaceAll(ddl, []byte(runner.QuoteName(name)+"."), nil))
	out.WriteByte('\n')
	schema, err := sqlcheck.ParseDDL(name, out.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "schema.sql"), err)
	}
	for _, table := range schema.Tables {
		file := filepath.Join(dir, "data", table.Name+".csv")
		if err := tableScript(out, table, file); err != nil {
			if pe := (*os.PathError)(nil); errors.As(err, &pe) {
				return nil, err
			}
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return out.Bytes(), nil
}

// insertRows is how many rows one INSERT holds.
const insertRows = 100

var escapeText = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// tableScript adds the rows of a CSV file as INSERTs.
func tableScript(out *bytes.Buffer, table sqlcheck.Table, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.LazyQuotes = true
	head, err := r.Read()
	if err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	nullable, names := make([]bool, len(head)), make([]string, len(head))
	for i, name := range head {
		col, ok := table.Column(name)
		if !ok {
			return fmt.Errorf("the table has no column %q", name)
		}
		nullable[i], names[i] = col.Nullable, runner.QuoteName(name)
	}
	for n := 0; ; n++ {
		row, err := r.Read()
		if err == io.EOF {
			if n > 0 {
				out.WriteString(";\n")
			}
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case n%insertRows > 0:
			out.WriteString(",\n")
		case n > 0:
			out.WriteString(";\n")
			fallthrough
		default:
			fmt.Fprintf(out, "INSERT INTO %s (%s) VALUES\n", runner.QuoteName(table.Name), strings.Join(names, ", "))
		}
		for i, v := range row {
			sep := ", "
			if i == 0 {
				sep = "("
			}
			if v == "NULL" || v == "" && nullable[i] {
				out.WriteString(sep + "NULL")
			} else {
				out.WriteString(sep + "'" + escapeText.Replace(v) + "'")
			}
		}
		out.WriteByte(')')
	}
}
