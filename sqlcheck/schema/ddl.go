package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// ParseDDL builds a Schema named name from the CREATE TABLE, ALTER TABLE, CREATE INDEX and DROP TABLE statements of a
// mysqldump-like script, without a server. All other statements are passed over unparsed, so values found in INSERTs
// are not read and Rows stays 0; views are passed over as well. Database qualifiers are dropped.
// The error names the statement that could not be read.
func ParseDDL(name, ddl string) (*Schema, error) {
	d := tableDefs{}
	for at, text := range syntax.Statements(ddl) {
		body := unwrapExecutable(syntax.WithoutLater(text))
		if !tableStatement.MatchString(body) {
			continue
		}
		if len(body) < 2<<20 && createTable.MatchString(body) { // what is longer cannot come to a definition
			body, _, _ = Plain(body)
		}
		if err := d.apply(body); err != nil {
			line := 1 + strings.Count(ddl[:at], "\n")
			return nil, fmt.Errorf("sqlcheck: line %d: %w in %q", line, err, syntax.Start(text))
		}
	}
	return d.schema(name), nil
}

// tableStatement matches the statements that change tables. Anything else is not worth a parser's time.
var tableStatement = regexp.MustCompile(`(?i)^(CREATE\s+(TEMPORARY\s+)?TABLE|ALTER\s+(IGNORE\s+)?TABLE|CREATE\s+(UNIQUE\s+|FULLTEXT\s+)?INDEX|DROP\s+(TEMPORARY\s+)?TABLE)\b`)

var createTable = regexp.MustCompile(`(?i)^CREATE\s+(TEMPORARY\s+)?TABLE\b`)

// unwrapExecutable takes the text out of a statement that is one executable comment: mysqldump writes a view's stand-in
// as /*!50001 CREATE TABLE … */.
func unwrapExecutable(text string) string {
	body, ok := strings.CutPrefix(text, "/*!")
	if !ok {
		return text
	}
	body, ok = strings.CutSuffix(body, "*/")
	if !ok || strings.Contains(body, "*/") {
		return text
	}
	return strings.TrimSpace(strings.TrimLeft(body, "0123456789"))
}

// tableDefs are the tables read so far, by lower-case name.
type tableDefs map[string]*tableDef

// tableDef is a table with the index facts that COLUMN_KEY is computed from.
type tableDef struct {
	Table
	indexes [][]string // every non-unique key's columns
}

func (d tableDefs) apply(text string) error {
	const most = 512 << 10 // bytes; a parser takes a thousand times as many, and more of its stack than there is
	if len(text) > most {
		return fmt.Errorf("a definition has at most %d bytes", most)
	}
	stmts, perr, err := syntax.Parse(text)
	switch {
	case err != nil:
		return err
	case perr != nil:
		return fmt.Errorf("cannot be parsed: %s", syntax.FirstLine(perr.Error()))
	}
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *ast.CreateTableStmt:
			err = d.create(stmt)
		case *ast.AlterTableStmt:
			err = d.alter(stmt)
		case *ast.CreateIndexStmt:
			err = d.index(stmt)
		case *ast.DropTableStmt:
			for _, t := range stmt.Tables {
				delete(d, t.Name.L)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d tableDefs) create(stmt *ast.CreateTableStmt) error {
	if _, dup := d[stmt.Table.Name.L]; dup {
		if stmt.IfNotExists {
			return nil
		}
		return fmt.Errorf("table %s is created twice", stmt.Table.Name.O)
	}
	t := &tableDef{Table: Table{Name: stmt.Table.Name.O}}
	const most = 50_000
	switch {
	case len(d) == most:
		return fmt.Errorf("there are more than %d tables, the most that is read", most)
	case stmt.Select != nil:
		return fmt.Errorf("table %s is made from a query", t.Name)
	case stmt.ReferTable != nil:
		like, ok := d[stmt.ReferTable.Name.L]
		if !ok {
			return fmt.Errorf("table %s is like %s, which is not known", t.Name, stmt.ReferTable.Name.O)
		}
		t = like.clone(t.Name)
	}
	for _, col := range stmt.Cols {
		if err := t.addColumn(col); err != nil {
			return err
		}
	}
	for _, c := range stmt.Constraints {
		if err := t.addConstraint(c); err != nil {
			return err
		}
	}
	t.setOptions(stmt.Options)
	d[stmt.Table.Name.L] = t
	return nil
}

// clone is CREATE TABLE … LIKE: everything but the foreign keys.
func (t *tableDef) clone(name string) *tableDef {
	c := *t
	c.Name, c.ForeignKeys = name, nil
	c.Columns = slices.Clone(t.Columns)
	c.Unique = slices.Clone(t.Unique)
	c.indexes = slices.Clone(t.indexes)
	return &c
}

func (d tableDefs) alter(stmt *ast.AlterTableStmt) error {
	t, ok := d[stmt.Table.Name.L]
	if !ok {
		return fmt.Errorf("table %s is not known", stmt.Table.Name.O)
	}
	for _, spec := range stmt.Specs {
		switch spec.Tp {
		case ast.AlterTableAddConstraint:
			if err := t.addConstraint(spec.Constraint); err != nil {
				return err
			}
		case ast.AlterTableAddColumns:
			for _, col := range spec.NewColumns {
				if err := t.addColumn(col); err != nil {
					return err
				}
			}
			for _, c := range spec.NewConstraints {
				if err := t.addConstraint(c); err != nil {
					return err
				}
			}
		case ast.AlterTableModifyColumn, ast.AlterTableChangeColumn:
			old := spec.NewColumns[0].Name.Name.O
			if spec.OldColumnName != nil {
				old = spec.OldColumnName.Name.O
			}
			if err := t.changeColumn(old, spec.NewColumns[0]); err != nil {
				return err
			}
		case ast.AlterTableOption:
			t.setOptions(spec.Options)
		case ast.AlterTableRenameTable:
			delete(d, stmt.Table.Name.L)
			t.Name = spec.NewTable.Name.O
			d[spec.NewTable.Name.L] = t
		case ast.AlterTableDropColumn, ast.AlterTableRenameColumn, ast.AlterTableDropPrimaryKey,
			ast.AlterTableDropForeignKey, ast.AlterTableDropIndex:
			return fmt.Errorf("table %s: this ALTER TABLE is not supported", t.Name)
		}
	}
	return nil
}

func (d tableDefs) index(stmt *ast.CreateIndexStmt) error {
	t, ok := d[stmt.Table.Name.L]
	if !ok {
		return fmt.Errorf("table %s is not known", stmt.Table.Name.O)
	}
	cols, err := t.keyColumns(stmt.IndexPartSpecifications)
	if err != nil || cols == nil {
		return err
	}
	if stmt.KeyType == ast.IndexKeyTypeUnique {
		t.Unique = append(t.Unique, cols)
	} else {
		t.indexes = append(t.indexes, cols)
	}
	return nil
}

// schema finishes the tables: foreign keys take the spelling of what they refer to, COLUMN_KEY is computed.
func (d tableDefs) schema(name string) *Schema {
	s := &Schema{Name: name}
	for _, t := range d {
		d.finishForeignKeys(t)
		t.setColumnKeys()
	}
	for _, t := range d {
		s.Tables = append(s.Tables, t.Table)
	}
	slices.SortFunc(s.Tables, func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	return s
}

func (d tableDefs) finishForeignKeys(t *tableDef) {
	for i := range t.ForeignKeys {
		fk := &t.ForeignKeys[i]
		ref, ok := d[strings.ToLower(fk.RefTable)]
		if !ok {
			continue // a dump may leave the other table out
		}
		fk.RefTable = ref.Name
		if len(fk.RefColumns) == 0 {
			fk.RefColumns = ref.PrimaryKey
		}
		for j, name := range fk.RefColumns {
			if col, ok := ref.Column(name); ok {
				fk.RefColumns[j] = col.Name
			}
		}
	}
}
