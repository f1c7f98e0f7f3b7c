package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// Alters are the ALTER TABLEs that a statement is, which may be a CREATE INDEX, DROP INDEX or RENAME TABLE.
func Alters(stmt ast.StmtNode) (out []*ast.AlterTableStmt) {
	add := func(t *ast.TableName, spec ast.AlterTableSpec) {
		out = append(out, &ast.AlterTableStmt{Table: t, Specs: []*ast.AlterTableSpec{&spec}})
	}
	switch stmt := stmt.(type) {
	case *ast.AlterTableStmt:
		out = append(out, stmt)
	case *ast.CreateIndexStmt:
		key := &ast.Constraint{Tp: ast.ConstraintIndex, Name: stmt.IndexName, Keys: stmt.IndexPartSpecifications}
		if stmt.KeyType == ast.IndexKeyTypeUnique {
			key.Tp = ast.ConstraintUniq
		}
		add(stmt.Table, ast.AlterTableSpec{Tp: ast.AlterTableAddConstraint, Constraint: key})
	case *ast.DropIndexStmt:
		add(stmt.Table, ast.AlterTableSpec{Tp: ast.AlterTableDropIndex, Name: stmt.IndexName})
	case *ast.RenameTableStmt:
		for _, t := range stmt.TableToTables {
			add(t.OldTable, ast.AlterTableSpec{Tp: ast.AlterTableRenameTable, NewTable: t.NewTable})
		}
	}
	return out
}

// Like is the definition of a table that is made like another: all but its foreign keys and its next number.
func Like(def *ast.CreateTableStmt, name *ast.TableName) *ast.CreateTableStmt {
	out := *def
	out.Table = name
	out.Constraints = slices.DeleteFunc(slices.Clone(def.Constraints),
		func(c *ast.Constraint) bool { return c.Tp == ast.ConstraintForeignKey })
	out.Options = slices.DeleteFunc(slices.Clone(def.Options),
		func(o *ast.TableOption) bool { return o.Tp == ast.TableOptionAutoIncrement })
	return &out
}

// altered is a column of a table that is changed.
type altered struct {
	was string // its name before, in lower case; "" of one that is new
	def *ast.ColumnDef
	to  *ast.ColumnPosition // nil: where it is
}

// Alter is what an ALTER TABLE leaves of a definition as [TableOf] has read it, and the name that each of its columns
// had before, in lower case; "" of a new one. A column that is not declared anew keeps its Tp. What changes neither
// columns nor keys is passed over, and so is the drop of a key that is not there.
func Alter(def *ast.CreateTableStmt,
	stmt *ast.AlterTableStmt) (_ *ast.CreateTableStmt, before []string, err error) {
	out := *def
	cols := syntax.Map(def.Cols, func(c *ast.ColumnDef) altered { return altered{c.Name.Name.L, c, nil} })
	keys, added := slices.Clone(def.Constraints), []*ast.Constraint(nil)
	for _, spec := range stmt.Specs {
		switch spec.Tp {
		case ast.AlterTableAddConstraint:
			added = append(added, spec.Constraint)
		case ast.AlterTableAddColumns:
			for _, col := range spec.NewColumns {
				same := func(a altered) bool { return a.def.Name.Name.L == col.Name.Name.L }
				if !spec.IfNotExists || !slices.ContainsFunc(cols, same) {
					cols = append(cols, altered{"", col, cmp.Or(spec.Position, &ast.ColumnPosition{})})
				}
			}
			added = slices.Concat(added, lifted(spec.NewColumns), spec.NewConstraints)
		case ast.AlterTableOption:
			out.Options = slices.Concat(out.Options, spec.Options)
			if slices.ContainsFunc(spec.Options, func(o *ast.TableOption) bool {
				return o.Tp == ast.TableOptionCharset && o.UintValue == ast.TableOptionCharsetWithConvertTo
			}) {
				cols = syntax.Map(cols, converted)
			}
		case ast.AlterTableRenameTable:
			out.Table = spec.NewTable
		case ast.AlterTableDropPrimaryKey, ast.AlterTableDropIndex, ast.AlterTableDropForeignKey,
			ast.AlterTableDropCheck:
			name, any := spec.Name, spec.Constraint != nil // of DROP CONSTRAINT
			if any {
				name = spec.Constraint.Name
			} else if spec.Tp == ast.AlterTableDropPrimaryKey {
				name = "PRIMARY"
			}
			keys = slices.DeleteFunc(keys, func(c *ast.Constraint) bool {
				foreign := c.Tp == ast.ConstraintForeignKey
				return strings.EqualFold(c.Name, name) && (any || foreign == (spec.Tp == ast.AlterTableDropForeignKey))
			})
		case ast.AlterTableAlterColumn: // its default
		default:
			if cols, err = changed(cols, spec); err != nil {
				return nil, nil, fmt.Errorf("table %s %w", def.Table.Name.O, err)
			}
			added = append(added, lifted(spec.NewColumns)...)
		}
	}
	if cols, err = placed(cols); err != nil {
		return nil, nil, fmt.Errorf("table %s %w", def.Table.Name.O, err)
	}
	out.Cols = syntax.Map(cols, func(a altered) *ast.ColumnDef { return a.def })
	if slices.ContainsFunc(stmt.Specs, func(s *ast.AlterTableSpec) bool { return s.OldColumnName != nil }) {
		keys = rekeyed(keys, cols)
	}
	out.Constraints = append(keys, named(added)...)
	return &out, syntax.Map(cols, func(a altered) string { return a.was }), nil
}

// placed are columns in their order: those with a position come in among the others, one by one, as MySQL does it.
func placed(cols []altered) (out []altered, err error) {
	stays := func(a altered) bool { return a.to == nil }
	out = slices.DeleteFunc(slices.Clone(cols), func(a altered) bool { return !stays(a) })
	for _, c := range slices.DeleteFunc(cols, stays) {
		at := len(out)
		switch c.to.Tp {
		case ast.ColumnPositionFirst:
			at = 0
		case ast.ColumnPositionAfter:
			name := c.to.RelativeColumn.Name
			if at = 1 + slices.IndexFunc(out, func(a altered) bool { return a.def.Name.Name.L == name.L }); at == 0 {
				return nil, fmt.Errorf("has no column %s", name.O)
			}
		}
		out = slices.Insert(out, at, c)
	}
	return out, nil
}

// changed drops a column, renames it or declares it anew. It is named as it was before the statement.
func changed(cols []altered, spec *ast.AlterTableSpec) ([]altered, error) {
	var col *ast.ColumnDef
	old := spec.OldColumnName
	if len(spec.NewColumns) > 0 {
		col = spec.NewColumns[0]
		old = cmp.Or(old, col.Name)
	}
	if old == nil {
		return cols, nil
	}
	at := slices.IndexFunc(cols, func(a altered) bool { return a.was == old.Name.L })
	switch {
	case at < 0 && spec.IfExists:
		return cols, nil
	case at < 0:
		return nil, fmt.Errorf("has no column %s", old.Name.O)
	case spec.Tp == ast.AlterTableRenameColumn:
		renamed := *cols[at].def
		renamed.Name, col = spec.NewColumnName, &renamed
	}
	if col == nil {
		return slices.Delete(cols, at, at+1), nil
	}
	if to := spec.Position; to != nil && to.Tp != ast.ColumnPositionNone {
		return append(slices.Delete(cols, at, at+1), altered{old.Name.L, col, to}), nil
	}
	cols[at] = altered{old.Name.L, col, nil}
	return cols, nil
}

// converted takes the character set and the collation of its own from a column of texts: it has its table's then.
func converted(c altered) altered {
	if c.def.Tp.GetCharset() == "binary" {
		return c
	}
	def := *c.def
	def.Tp = def.Tp.Clone()
	def.Tp.SetCharset("")
	def.Tp.SetCollate("")
	def.Options = slices.DeleteFunc(slices.Clone(def.Options),
		func(o *ast.ColumnOption) bool { return o.Tp == ast.ColumnOptionCollate })
	return altered{c.was, &def, c.to}
}

// rekeyed are keys with the names that their columns have now; one that is gone is taken out of keys, and a foreign key
// or condition of it goes too.
func rekeyed(keys []*ast.Constraint, cols []altered) (out []*ast.Constraint) {
	now := map[string]*ast.ColumnName{}
	for _, c := range cols {
		now[c.was] = c.def.Name
	}
	for _, k := range keys {
		key := *k
		key.Keys = nil
		for _, part := range k.Keys {
			p := *part
			if p.Column != nil {
				p.Column = now[p.Column.Name.L]
			}
			if p.Column != nil || p.Expr != nil {
				key.Keys = append(key.Keys, &p)
			}
		}
		whole := len(key.Keys) == len(k.Keys)
		switch k.Tp {
		case ast.ConstraintForeignKey:
		case ast.ConstraintCheck:
			whole = !slices.ContainsFunc(syntax.ColumnNames(k.Expr), func(n *ast.ColumnName) bool {
				c := now[n.Name.L]
				return c == nil || c.Name.L != n.Name.L
			})
			key.Keys = k.Keys
		default:
			whole = len(key.Keys) > 0
		}
		if whole {
			out = append(out, &key)
		}
	}
	return out
}
