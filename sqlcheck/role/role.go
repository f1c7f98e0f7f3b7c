// Package role says what one person may see of a database: the tables and columns that exist for a role, those that are
// masked, and which rows of a table. It prunes a schema to that ([Role.On]), and rewrites checked queries so that they
// read nothing else ([Sight.Rewrite]).
//
// It runs nothing: runner.As puts a role before a database, so that nothing runs around it. README.md in the folder
// above has what is promised. Begin with Read. It imports sqlcheck, bind, edit, schema and syntax.
package role

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"go.yaml.in/yaml/v4"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Role is what a file says that a person may see, with the values that belong to the person.
type Role struct {
	name   string
	digest string
	tables map[string]entry // by the names of the file
	values map[string]value
}

// file is a role as people write it.
type file struct {
	Values map[string]string    `yaml:"values"` // name: type
	Tables map[string]yaml.Node `yaml:"tables"`
}

// entry is what a file says of one table. The zero value is the whole table.
type entry struct {
	Columns []string  `yaml:"columns"` // all that exist; none means all but Hidden
	Hidden  []string  `yaml:"hidden"`
	Masked  yaml.Node `yaml:"masked"` // a list, or what stands for each column's values
	Where   string    `yaml:"where"`
}

// Read reads a role from YAML or JSON. given are the values of the person by their names, as the command line has them.
// Errors are about the file or what was given, in one line, and do not name the file.
func Read(name string, text []byte, given map[string]string) (*Role, error) {
	var f file
	if err := yaml.Load(text, &f, yaml.WithKnownFields()); err != nil && len(bytes.TrimSpace(text)) > 0 {
		return nil, plain(err)
	}
	if len(f.Tables) == 0 {
		return nil, errors.New("tables: name those that exist for the role, such as tables: {orders: }")
	}
	r, here := &Role{name: name, tables: map[string]entry{}, values: map[string]value{}}, map[string]bool{}
	for _, table := range slices.Sorted(maps.Keys(f.Tables)) {
		e, err := readEntry(f.Tables[table])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", table, plain(err))
		}
		folded := strings.ToLower(strings.ToUpper(table)) // names are compared by EqualFold
		if here[folded] {
			return nil, fmt.Errorf("%s is here twice", table)
		}
		r.tables[table], here[folded] = e, true
	}
	if err := r.fill(f.Values, given); err != nil {
		return nil, err
	}
	r.digest = digest(text, given)
	return r, nil
}

// readEntry reads what stands behind a table: nothing, a condition, or all that an entry has.
func readEntry(n yaml.Node) (e entry, err error) {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
	case n.Kind == yaml.ScalarNode:
		e.Where = n.Value
	default:
		err = n.Load(&e, yaml.WithKnownFields())
	}
	if len(e.Columns) > 0 && len(e.Hidden) > 0 {
		return e, errors.New("columns says what exists, hidden what does not: give one of them")
	}
	return e, err
}

// masks are what stands for the values of a table's masked columns: an SQL literal by the column's name.
func (e entry) masks() (map[string]mask, error) {
	out := map[string]mask{}
	switch e.Masked.Kind {
	case 0:
	case yaml.SequenceNode:
		var names []string
		if err := e.Masked.Load(&names); err != nil {
			return nil, plain(err)
		}
		for _, name := range names {
			out[name] = mask{}
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(e.Masked.Content); i += 2 {
			m, err := readMask(e.Masked.Content[i+1])
			if err != nil {
				return nil, fmt.Errorf("masked: %s: %w", e.Masked.Content[i].Value, err)
			}
			out[e.Masked.Content[i].Value] = m
		}
	default:
		return nil, errors.New("masked: give a list of columns, or column: what stands for its values")
	}
	return out, nil
}

// plain is an error of YAML in one line.
func plain(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if at, ok := errors.AsType[*yaml.LoadError](err); ok && at.Mark.Line > 0 {
		text = fmt.Sprintf("line %d: %s", at.Mark.Line, syntax.FirstLine(at.Message))
	}
	text, _, _ = strings.Cut(text, " into ") // a type of Go's
	return errors.New(keys.Replace(text))
}

// keys says what there is, in the words of people.
var keys = strings.NewReplacer(
	" not found in type role.file", " is none of values and tables",
	" not found in type role.entry", " is none of columns, hidden, masked and where; a condition with a comma goes in quotes",
	"construct !!seq", "read a list here", "construct !!map", "read a mapping here", "construct !!int", "read the number",
	"construct !!float", "read the number", "construct !!bool", "read", "construct !!str", "read", "construct", "read")

// digest is a hash of all that a role is made of.
func digest(text []byte, given map[string]string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(text), text)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		fmt.Fprintf(h, "%q=%q", name, given[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// String tells roles apart: the file's name with a hash of all that the role is made of.
func (r *Role) String() string { return r.name + "@" + r.digest }

// value is what a person gives at the start. It gets into a condition as a literal of its type, never as a text that is
// read as SQL.
type value struct{ kind, text string }

// kinds are the types of values, with what is one.
var kinds = map[string]*regexp.Regexp{
	"int":    regexp.MustCompile(`^-?[0-9]{1,18}$`),
	"number": regexp.MustCompile(`^-?[0-9]{1,30}(\.[0-9]{1,30})?$`),
	"date":   regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`),
	"text":   regexp.MustCompile(`^[^\x00]*$`),
}

const mostValue = 1000 // letters

// fill takes the values that a role declares from those that were given.
func (r *Role) fill(declared, given map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		kind := strings.ToLower(declared[name])
		is, known := kinds[kind]
		if !known {
			return fmt.Errorf("values: %s: there is no type %s; the types are %s", name, declared[name],
				strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
		}
		text, there := given[name]
		if !there {
			return fmt.Errorf("@%s has no value: give --as %s=%s", name, name, strings.ToUpper(kind))
		}
		if !is.MatchString(text) || utf8.RuneCountInString(text) > mostValue {
			return fmt.Errorf("--as %s=%s: @%s is of type %s", name, text, name, kind)
		}
		r.values[strings.ToLower(name)] = value{kind, text}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, there := r.values[strings.ToLower(name)]; !there {
			return fmt.Errorf("--as %s=%s: the role has no @%[1]s", name, given[name])
		}
	}
	return nil
}

// literal is the value in a tree.
func (v value) literal() (ast.ExprNode, error) {
	switch v.kind {
	case "text":
		return syntax.TextExpr(v.text), nil
	case "date":
		return constant("DATE '" + v.text + "'")
	}
	return constant(v.text)
}

// constant reads an expression of ours.
func constant(text string) (ast.ExprNode, error) {
	stmt, ok := syntax.OneSelect("SELECT (" + text + ")")
	sel, is := stmt.(*ast.SelectStmt)
	if !ok || !is {
		return nil, fmt.Errorf("%s is no constant", text)
	}
	e := sel.Fields.Fields[0].Expr
	if strings.HasPrefix(text, "-") { // in brackets, or its sign could become another one's
		return e, nil
	}
	return syntax.Unparen(e), nil
}

// mask is what stands for a column's values: NULL, a text or a number.
type mask struct {
	text string // as SQL; "" is NULL
	kind schema.Kind
}

func readMask(n *yaml.Node) (mask, error) {
	switch n.Tag {
	case "!!null":
		return mask{}, nil
	case "!!int", "!!float":
		if kinds["number"].MatchString(n.Value) {
			return mask{n.Value, schema.Number}, nil
		}
	case "!!str":
		text, err := syntax.Restore(syntax.TextExpr(n.Value))
		return mask{text, schema.Text}, err
	}
	return mask{}, errors.New("give null, a text or a number")
}
