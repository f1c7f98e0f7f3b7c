// Package grid knows comparisons of many runs as one file describes them: their cells, what these are called, the
// order in which they are made and which are compared with each other. Keys are flags of a command, which knows what
// their values mean.
package grid

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"nl2sql/sqlcheck/syntax"
)

// entry is a mapping of the file: what a part of the grid sets.
type entry struct {
	name   string // what people call it; "" is none
	line   int
	keys   []string
	values map[string][]value // by key; several give a cell each, none leaves the key open
}

type value struct {
	text string
	line int
}

// layout is a file as it is written. Everything in all holds for each cell, unless its entry of another part says
// something else.
type layout struct {
	all                   *entry
	models, sets, methods []*entry
	leaveOut              []*entry
	file                  string
	known                 []string // keys
}

// blocks are the keys that are no flags.
var blocks = []string{"models", "sets", "methods", "leave-out"}

// called is what a name may be: it becomes part of a folder's and of a condition's, where _ stands between the parts.
var called = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.=+-]*$`)

func (l *layout) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.file, line, fmt.Sprintf(format, args...))
}

// read reads the text of a file.
func (l *layout) read(text []byte) error {
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil {
		if at, ok := errors.AsType[*yaml.LoadError](err); ok && at.Mark.Line > 0 {
			return l.errorf(at.Mark.Line, "not valid YAML: %s", at.Message)
		}
		return fmt.Errorf("%s: not valid YAML: %w", l.file, err)
	}
	top := &doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		top = doc.Content[0]
	}
	var err error
	l.all, err = l.entry(top, blocks)
	if err != nil {
		return err
	}
	if l.all.name != "" {
		return l.errorf(l.all.line, "name is of entries of models, sets and methods")
	}
	for i := 0; i < len(top.Content); i += 2 {
		into := map[string]*[]*entry{"models": &l.models, "sets": &l.sets, "methods": &l.methods,
			"leave-out": &l.leaveOut}[top.Content[i].Value]
		if into == nil {
			continue
		}
		list := top.Content[i+1]
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			return l.errorf(top.Content[i].Line, "%s: give a list of entries, each with a - in front",
				top.Content[i].Value)
		}
		for _, node := range list.Content {
			e, err := l.entry(node, nil)
			if err != nil {
				return err
			}
			*into = append(*into, e)
		}
	}
	return nil
}

// entry reads a mapping, without the keys that are read elsewhere.
func (l *layout) entry(node *yaml.Node, elsewhere []string) (*entry, error) {
	if node.Kind != yaml.MappingNode {
		return nil, l.errorf(max(1, node.Line), "here stand keys and values, such as agent: loop")
	}
	e := &entry{line: node.Line, values: map[string][]value{}}
	seen := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		k, v := node.Content[i], node.Content[i+1]
		key := k.Value
		switch {
		case k.Kind != yaml.ScalarNode:
			return nil, l.errorf(k.Line, "a key is one word")
		case seen[key]:
			return nil, l.errorf(k.Line, "%s is here twice", key)
		}
		seen[key] = true
		switch {
		case slices.Contains(elsewhere, key):
		case key == "name":
			if e.name = v.Value; v.Kind != yaml.ScalarNode || !called.MatchString(v.Value) {
				return nil, l.errorf(v.Line, "name: give letters and digits, with . = + - between them")
			}
		case !slices.Contains(l.known, key):
			return nil, l.errorf(k.Line, "there is no key %s: %s", key, syntax.DidYouMean(strings.TrimLeft(key, "-"),
				slices.Concat(elsewhere, l.known), "keys are the flags of nl2sql eval, without --"))
		default:
			values, err := l.valuesOf(key, v)
			if err != nil {
				return nil, err
			}
			e.keys = append(e.keys, key)
			e.values[key] = values
		}
	}
	return e, nil
}

// valuesOf reads a value, or a list of them; nothing is an open key.
func (l *layout) valuesOf(key string, node *yaml.Node) ([]value, error) {
	list := []*yaml.Node{node}
	switch {
	case len(node.Content) > maxCells:
		return nil, l.errorf(node.Line, "%s: these are more than %d values", key, maxCells)
	case node.Kind == yaml.SequenceNode && len(node.Content) > 0:
		list = node.Content
	case node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null":
		return nil, nil
	}
	var out []value
	for _, n := range list {
		switch {
		case n.Kind != yaml.ScalarNode || n.Anchor != "" || n.ShortTag() == "!!null":
			return nil, l.errorf(n.Line, "%s: give a value, or a list of them as in [a, b]", key)
		case slices.ContainsFunc(out, func(v value) bool { return v.text == n.Value }):
			return nil, l.errorf(n.Line, "%s: %s is here twice", key, n.Value)
		}
		out = append(out, value{n.Value, n.Line})
	}
	return out, nil
}
