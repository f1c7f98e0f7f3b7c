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

func (t *tableDef) addColumn(def *ast.ColumnDef) error {
	name := def.Name.Name.O
	if _, dup := t.Column(name); dup {
		return fmt.Errorf("table %s has column %s twice", t.Name, name)
	}
	t.Columns = append(t.Columns, newColumn(name, def))
	for _, opt := range def.Options {
		switch opt.Tp {
		case ast.ColumnOptionPrimaryKey:
			t.setPrimaryKey([]string{name})
		case ast.ColumnOptionUniqKey:
			t.Unique = append(t.Unique, []string{name})
		case ast.ColumnOptionCheck:
			if err := t.addCheck(opt.Expr, opt.Enforced); err != nil {
				return err
			}
		}
		// MySQL before 9.0 parses and ignores an inline REFERENCES; a schema written that way means it, so keep it.
		if opt.Tp == ast.ColumnOptionReference && opt.Refer != nil {
			t.ForeignKeys = append(t.ForeignKeys, foreignKey([]string{name}, opt.Refer))
		}
	}
	return nil
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

// setOptions takes the comment out of what stands behind a table's brackets.
func (t *tableDef) setOptions(options []*ast.TableOption) {
	for _, opt := range options {
		if opt.Tp == ast.TableOptionComment {
			t.Comment = opt.StrValue
		}
	}
}

func (t *tableDef) changeColumn(old string, def *ast.ColumnDef) error {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, old) {
			if !strings.EqualFold(old, def.Name.Name.O) {
				return fmt.Errorf("table %s: renaming a column is not supported", t.Name)
			}
			t.Columns[i] = newColumn(def.Name.Name.O, def)
			if slices.Contains(t.PrimaryKey, t.Columns[i].Name) {
				t.Columns[i].Nullable = false
			}
			return nil
		}
	}
	return fmt.Errorf("table %s has no column %s", t.Name, old)
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
