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
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

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
