package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/types"

	"nl2sql/sqlcheck/syntax"
)

// TableOf is the table that a definition makes, which lists columns and keys; a key that stands behind its column goes
// among the others.
func TableOf(def *ast.CreateTableStmt) (Table, error) {
	t, err := newTableDef(def)
	return t.Table, err
}

func newTableDef(def *ast.CreateTableStmt) (*tableDef, error) {
	def.Constraints = append(lifted(def.Cols), named(def.Constraints)...)
	t := &tableDef{Table: Table{Name: def.Table.Name.O}, def: def}
	const most = 4096 // Source: MySQL 8.0 Reference Manual, "Limits on Table Column Count and Row Size"
	if n := len(def.Cols); n > most {
		return t, fmt.Errorf("table %s has %d columns, and MySQL takes at most %d", t.Name, n, most)
	}
	seen := map[string]bool{}
	for _, col := range def.Cols {
		name := col.Name.Name
		if seen[name.L] {
			return t, fmt.Errorf("table %s has column %s twice", t.Name, name.O)
		}
		seen[name.L] = true
		t.Columns = append(t.Columns, newColumn(name.O, col))
	}
	for _, c := range def.Constraints {
		if err := t.addConstraint(c); err != nil {
			return t, err
		}
	}
	for _, opt := range def.Options {
		if opt.Tp == ast.TableOptionComment {
			t.Comment = opt.StrValue
		}
	}
	return t, nil
}

// named gives keys the names that MySQL gives them.
func named(keys []*ast.Constraint) []*ast.Constraint {
	for _, c := range keys {
		if c.Tp == ast.ConstraintPrimaryKey {
			c.Name = "PRIMARY"
		} else if c.Name == "" && c.Tp != ast.ConstraintForeignKey && len(c.Keys) > 0 && c.Keys[0].Column != nil {
			c.Name = c.Keys[0].Column.Name.O
		}
	}
	return keys
}

// lifted takes the keys and conditions out of the definitions of columns.
func lifted(cols []*ast.ColumnDef) (keys []*ast.Constraint) {
	kinds := map[ast.ColumnOptionType]ast.ConstraintType{ast.ColumnOptionPrimaryKey: ast.ConstraintPrimaryKey,
		ast.ColumnOptionUniqKey: ast.ConstraintUniq, ast.ColumnOptionCheck: ast.ConstraintCheck,
		// MySQL before 9.0 parses and ignores an inline REFERENCES; a schema written that way means it, so keep it.
		ast.ColumnOptionReference: ast.ConstraintForeignKey}
	for _, col := range cols {
		col.Options = slices.DeleteFunc(col.Options, func(o *ast.ColumnOption) bool {
			kind, ok := kinds[o.Tp]
			if ok {
				keys = append(keys, &ast.Constraint{Tp: kind, Name: o.ConstraintName, Refer: o.Refer, Expr: o.Expr,
					Enforced: o.Enforced, Keys: []*ast.IndexPartSpecification{{Column: col.Name}}})
			}
			return ok
		})
	}
	return named(keys)
}

func newColumn(name string, def *ast.ColumnDef) Column {
	col := Column{Name: name, Type: columnType(def.Tp), Nullable: true}
	if elems := def.Tp.GetElems(); def.Tp.GetType() == mysql.TypeEnum {
		col.Values, col.Complete = slices.Clone(elems), true
	}
	for _, opt := range def.Options {
		switch opt.Tp {
		case ast.ColumnOptionNotNull:
			col.Nullable = false
		case ast.ColumnOptionComment:
			if text, ok := opt.Expr.(ast.ValueExpr); ok {
				col.Comment = text.GetString()
			}
		}
	}
	return col
}

func (t *tableDef) setPrimaryKey(cols []string) {
	t.PrimaryKey = cols
	for i := range t.Columns {
		if slices.Contains(cols, t.Columns[i].Name) {
			t.Columns[i].Nullable = false
		}
	}
}

func (t *tableDef) addConstraint(c *ast.Constraint) error {
	cols, err := t.keyColumns(c.Keys)
	if err != nil {
		return err
	}
	switch c.Tp {
	case ast.ConstraintPrimaryKey:
		t.setPrimaryKey(cols)
	case ast.ConstraintUniq, ast.ConstraintUniqKey, ast.ConstraintUniqIndex:
		if cols != nil {
			t.Unique = append(t.Unique, cols)
		}
	case ast.ConstraintKey, ast.ConstraintIndex, ast.ConstraintFulltext:
		if cols != nil {
			t.indexes = append(t.indexes, cols)
		}
	case ast.ConstraintForeignKey:
		t.ForeignKeys = append(t.ForeignKeys, foreignKey(cols, c.Refer))
	case ast.ConstraintCheck:
		return t.addCheck(c.Expr, c.Enforced)
	}
	return nil
}

func (t *tableDef) addCheck(cond ast.ExprNode, enforced bool) error {
	if !enforced {
		return nil
	}
	text, err := syntax.Restore(cond)
	t.Checks = append(t.Checks, text)
	return err
}

// keyColumns names a key's columns as declared; nil for a key over an expression.
func (t *tableDef) keyColumns(parts []*ast.IndexPartSpecification) (cols []string, err error) {
	for _, part := range parts {
		if part.Column == nil {
			return nil, nil
		}
		col, ok := t.Column(part.Column.Name.O)
		if !ok {
			return nil, fmt.Errorf("table %s has no column %s", t.Name, part.Column.Name.O)
		}
		cols = append(cols, col.Name)
	}
	return cols, nil
}

func foreignKey(cols []string, ref *ast.ReferenceDef) ForeignKey {
	fk := ForeignKey{Columns: cols, RefTable: ref.Table.Name.O}
	for _, part := range ref.IndexPartSpecifications {
		if part.Column != nil {
			fk.RefColumns = append(fk.RefColumns, part.Column.Name.O)
		}
	}
	return fk
}

// setColumnKeys computes COLUMN_KEY as SHOW COLUMNS documents it: PRI before UNI before MUL. A foreign key without an
// index of its own gets one, and without a primary key the first unique key over NOT NULL columns shows as PRI.
func (t *tableDef) setColumnKeys() {
	primary := t.PrimaryKey
	if primary == nil {
		for _, key := range t.Unique {
			if !slices.ContainsFunc(key, func(name string) bool { c, _ := t.Column(name); return c.Nullable }) {
				primary = key
				break
			}
		}
	}
	indexed := slices.Concat(t.indexes, t.Unique)
	for _, fk := range t.ForeignKeys {
		indexed = append(indexed, fk.Columns)
	}
	for i := range t.Columns {
		col := &t.Columns[i]
		leads := func(key []string) bool { return len(key) > 0 && key[0] == col.Name }
		switch {
		case slices.Contains(primary, col.Name):
			col.Key = "PRI"
		case slices.ContainsFunc(t.Unique, func(key []string) bool { return len(key) == 1 && leads(key) }):
			col.Key = "UNI"
		case slices.ContainsFunc(indexed, leads):
			col.Key = "MUL"
		}
	}
}

// columnType writes a type as information_schema.COLUMNS.COLUMN_TYPE of MySQL 8.0.19 and later does:
// no display width for integers but tinyint(1) and ZEROFILL, none for YEAR.
func columnType(ft *types.FieldType) string {
	text := ft.CompactStr()
	if name, _, widthed := strings.Cut(text, "("); widthed {
		switch ft.GetType() {
		case mysql.TypeTiny, mysql.TypeShort, mysql.TypeInt24, mysql.TypeLong, mysql.TypeLonglong:
			if text != "tinyint(1)" && !mysql.HasZerofillFlag(ft.GetFlag()) {
				text = name
			}
		case mysql.TypeYear:
			text = name
		}
	}
	if mysql.HasUnsignedFlag(ft.GetFlag()) && ft.GetType() != mysql.TypeBit && ft.GetType() != mysql.TypeYear {
		text += " unsigned"
	}
	if mysql.HasZerofillFlag(ft.GetFlag()) {
		text += " zerofill"
	}
	return text
}

// DDL is the statement that creates the table in MySQL, as far as a Schema knows what was declared: [ParseDDL] reads it
// back.
func (t *Table) DDL() string {
	var parts []string
	for _, col := range t.Columns {
		def := syntax.QuoteName(col.Name) + " " + col.Type
		if !col.Nullable {
			def += " NOT NULL"
		}
		def += commentOption(col.Comment)
		parts = append(parts, def)
	}
	if len(t.PrimaryKey) > 0 {
		parts = append(parts, "PRIMARY KEY "+syntax.QuoteNames(t.PrimaryKey))
	}
	for _, u := range t.Unique {
		parts = append(parts, "UNIQUE KEY "+syntax.QuoteNames(u))
	}
	for _, fk := range t.ForeignKeys {
		if fk.Inferred {
			continue
		}
		parts = append(parts, fmt.Sprintf("FOREIGN KEY %s REFERENCES %s %s", syntax.QuoteNames(fk.Columns),
			syntax.QuoteName(fk.RefTable), syntax.QuoteNames(fk.RefColumns)))
	}
	return fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s;\n", syntax.QuoteName(t.Name), strings.Join(parts, ",\n  "),
		commentOption(t.Comment))
}

// commentOption is " COMMENT '…'", or nothing.
func commentOption(comment string) string {
	if comment == "" {
		return ""
	}
	return " COMMENT '" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(comment) + "'"
}
