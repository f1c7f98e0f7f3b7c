package role

import (
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

func (m mask) sql() string {
	if m.text == "" {
		return "NULL"
	}
	return m.text
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
