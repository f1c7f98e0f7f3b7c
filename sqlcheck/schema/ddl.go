package schema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// ParseDDL builds a Schema named name from the statements of a mysqldump-like script that create, alter, rename and
// drop tables and their indexes, without a server. All others are passed over unparsed, so values found in INSERTs are
// not read and Rows stays 0; views are passed over as well. Database qualifiers are dropped. The error names the
// statement that could not be read, or the table that an ALTER TABLE left wrong.
func ParseDDL(name, ddl string) (*Schema, error) {
	d, size := tableDefs{}, 0
	for at, text := range syntax.Statements(ddl) {
		body := unwrapExecutable(syntax.WithoutLater(text))
		if !tableStatement.MatchString(body) {
			continue
		}
		if len(body) < 2<<20 && createTable.MatchString(body) { // what is longer cannot come to a definition
			body, _, _ = Plain(body)
		}
		err := d.apply(body)
		if size += len(body); size > 8<<20 {
			err = errors.New("there are more than 8 MiB of definitions, the most that is read")
		}
		if err != nil {
			line := 1 + strings.Count(ddl[:at], "\n")
			return nil, fmt.Errorf("sqlcheck: line %d: %w in %q", line, err, syntax.Start(text))
		}
	}
	return d.schema(name)
}

// tableStatement matches the statements that change tables. Anything else is not worth a parser's time.
var tableStatement = regexp.MustCompile(`(?i)^(CREATE\s+(TEMPORARY\s+)?TABLE|ALTER\s+(IGNORE\s+)?TABLE|CREATE\s+(UNIQUE\s+|FULLTEXT\s+)?INDEX|DROP\s+((TEMPORARY\s+)?TABLE|INDEX)|RENAME\s+TABLE)\b`)

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

// tableDef is a table with what it is defined by, and the index facts that COLUMN_KEY is computed from.
type tableDef struct {
	Table
	def     *ast.CreateTableStmt // of one that is altered the rest is found at the end
	indexes [][]string           // every non-unique key's columns
}

// Statement parses one, which defines tables or changes them.
func Statement(text string) (ast.StmtNode, error) {
	const most = 512 << 10 // bytes; a parser takes a thousand times as many, and more of its stack than there is
	if len(text) > most {
		return nil, fmt.Errorf("a definition has at most %d bytes", most)
	}
	stmts, perr, err := syntax.Parse(text)
	switch {
	case err != nil:
		return nil, err
	case perr != nil:
		return nil, fmt.Errorf("cannot be parsed: %s", syntax.FirstLine(perr.Error()))
	case len(stmts) != 1:
		return nil, errors.New("is no statement")
	}
	return stmts[0], nil
}

func (d tableDefs) apply(text string) error {
	node, err := Statement(text)
	if err != nil {
		return err
	}
	switch stmt := node.(type) {
	case *ast.CreateTableStmt:
		return d.create(stmt)
	case *ast.DropTableStmt:
		for _, t := range stmt.Tables {
			delete(d, t.Name.L)
		}
	}
	for _, stmt := range Alters(node) {
		if err := d.alter(stmt); err != nil {
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
	switch name := stmt.Table.Name.O; {
	case stmt.Select != nil:
		return fmt.Errorf("table %s is made from a query", name)
	case stmt.ReferTable != nil:
		like, ok := d[stmt.ReferTable.Name.L]
		if !ok {
			return fmt.Errorf("table %s is like %s, which is not known", name, stmt.ReferTable.Name.O)
		}
		stmt = Like(like.def, stmt.Table)
	}
	return d.define(stmt)
}

// Of is the schema that definitions make.
func Of(name string, defs []*ast.CreateTableStmt) (*Schema, error) {
	d := tableDefs{}
	for _, def := range defs {
		if err := d.define(def); err != nil {
			return nil, err
		}
	}
	return d.schema(name)
}

func (d tableDefs) define(def *ast.CreateTableStmt) (err error) {
	const most = 50_000
	if len(d) == most {
		return fmt.Errorf("there are more than %d tables, the most that is read", most)
	}
	d[def.Table.Name.L], err = newTableDef(def)
	return err
}

func (d tableDefs) alter(stmt *ast.AlterTableStmt) error {
	t, ok := d[stmt.Table.Name.L]
	if !ok {
		return fmt.Errorf("table %s is not known", stmt.Table.Name.O)
	}
	def, _, err := Alter(t.def, stmt)
	if err != nil {
		return err
	}
	delete(d, stmt.Table.Name.L)
	d[def.Table.Name.L] = &tableDef{def: def}
	return nil
}

// schema finishes the tables: foreign keys take the spelling of what they refer to, COLUMN_KEY is computed.
func (d tableDefs) schema(name string) (_ *Schema, err error) {
	s := &Schema{Name: name}
	for key, t := range d {
		if t.Name == "" {
			if d[key], err = newTableDef(t.def); err != nil {
				return nil, fmt.Errorf("sqlcheck: %w", err)
			}
		}
	}
	for _, t := range d {
		d.finishForeignKeys(t)
		t.setColumnKeys()
		s.Tables = append(s.Tables, t.Table)
	}
	slices.SortFunc(s.Tables, func(a, b Table) int { return strings.Compare(a.Name, b.Name) })
	return s, nil
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

// Parse reads a schema as people keep it: CREATE TABLE statements, see [ParseDDL], or the JSON of a [Schema].
// One without tables is an error: the text is something else.
func Parse(text []byte) (*Schema, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	s := &Schema{}
	var err error
	if start := bytes.TrimSpace(text); bytes.HasPrefix(start, []byte("{")) {
		err = syntax.JSON(start, s)
	} else {
		s, err = ParseDDL("", string(text))
	}
	if err != nil {
		return nil, err
	}
	for i, t := range s.Tables {
		if t.Name == "" || len(t.Columns) == 0 {
			return nil, fmt.Errorf("table %d has no name or no columns", i+1)
		}
	}
	if len(s.Tables) == 0 {
		return nil, errors.New("there is no table in it: CREATE TABLE statements, or what `nl2sql schema --format json` prints, will do")
	}
	return s, nil
}
