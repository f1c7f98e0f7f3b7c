package embedded

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/dump"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/translate"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// views are those of a script that become views here: each is checked and translated as a model's query is. Where it
// is read it is written out, so it counts as all that it comes to ([schema.Table].Reads).
type views struct {
	loaded  *dump.Loaded
	options translate.Options
	defined map[string]dump.View // by lower-case name, as the script has them
	texts   map[string]string    // of those that were taken in
	state   map[string]error     // of those that were looked at; nil says taken in
}

var errItself = errors.New("it reads itself")

// addViews takes the views of a script into its schema. It returns them for translations, and says why others are left
// out.
func addViews(loaded *dump.Loaded, database string) (map[string]translate.View, []string) {
	s := &views{loaded: loaded, defined: map[string]dump.View{}, texts: map[string]string{}, state: map[string]error{}}
	s.options = translate.Options{Tables: loaded.Tables, Views: map[string]translate.View{}, Database: database,
		Now: mysqlfn.FromTime(time.Now().UTC())}
	for _, v := range loaded.Views {
		s.defined[strings.ToLower(v.Name)] = v
	}
	var left []string
	for _, v := range loaded.Views {
		if err := s.take(v); err != nil {
			left = append(left, fmt.Sprintf("view %s: %v", v.Name, err))
		}
	}
	slices.SortFunc(loaded.Schema.Tables, func(a, b schema.Table) int { return strings.Compare(a.Name, b.Name) })
	return s.options.Views, left
}

// take takes a view in behind those that it reads. The error says why it cannot be.
func (s *views) take(v dump.View) error {
	name := strings.ToLower(v.Name)
	if err, known := s.state[name]; known {
		return err
	}
	s.state[name] = errItself
	s.state[name] = s.define(v)
	return s.state[name]
}

func (s *views) define(v dump.View) error {
	if v.Broken != nil {
		return v.Broken
	}
	stmt, ok := syntax.OneSelect(v.Query)
	if !ok {
		return errors.New("it is no SELECT")
	}
	for _, t := range syntax.All[*ast.TableName](stmt) {
		if read, isView := s.defined[t.Name.L]; isView {
			if err := s.take(read); errors.Is(err, errItself) {
				return err
			} else if err != nil {
				return fmt.Errorf("it reads %s, which is left out", read.Name)
			}
		}
	}
	if v.Kept {
		v.Query += " LIMIT 4611686018427387904" // as MySQL merges no query with a LIMIT
	}
	q, verdict, err := sqlcheck.CheckView(v.Query, s.loaded.Schema)
	if err = passed(verdict, err); err != nil {
		return err
	}
	if v.Columns == nil {
		v.Columns = q.Labels()
	}
	return s.add(v, q)
}

// checked is a query that passed the check.
func checked(text string, s *schema.Schema) (sqlcheck.Query, error) {
	q, verdict, err := sqlcheck.Check(text, s)
	return q, passed(verdict, err)
}

// passed is an error unless a check passed.
func passed(v sqlcheck.Verdict, err error) error {
	if err == nil && !v.OK {
		return errors.New(v.String())
	}
	return err
}

// add makes a table of the schema of a view whose query is known, unless nothing could be read of it.
func (s *views) add(v dump.View, q sqlcheck.Query) error {
	known, name := s.loaded.Schema, strings.ToLower(v.Name)
	if _, dup := known.Table(v.Name); dup {
		return errors.New("there is a table of this name")
	}
	s.texts[v.Name] = q.SQL()
	known.Tables = append(known.Tables, schema.Table{Name: v.Name, Reads: runner.ViewReads(s.texts)[v.Name],
		Columns: syntax.Map(v.Columns, func(c string) schema.Column {
			return schema.Column{Name: c, Type: "text", Nullable: true}
		})})
	s.options.Views[name] = translate.View{Name: v.Name, Columns: v.Columns, Query: q.Stmt()}
	columns, err := s.columns(v)
	if err != nil {
		known.Tables = known.Tables[:len(known.Tables)-1]
		delete(s.options.Views, name)
		delete(s.texts, v.Name)
		return err
	}
	made := &known.Tables[len(known.Tables)-1]
	for i, c := range columns {
		made.Columns[i].Type = declared(c)
	}
	return nil
}

// columns checks and translates what reads all of a view.
func (s *views) columns(v dump.View) ([]translate.Column, error) {
	q, err := checked("SELECT * FROM "+runner.QuoteName(v.Name), s.loaded.Schema)
	if err != nil {
		return nil, err
	}
	t, err := translated(q, s.options)
	return t.Columns, err
}

// declared is the type of a view's column as a schema has it. How long a computed value may be nobody has computed.
func declared(c translate.Column) string {
	if t, err := types.ColumnType(c.Declared, c.Type.Coll); err == nil && t.Kind == c.Type.Kind {
		return c.Declared
	}
	text := ""
	switch t := c.Type; t.Kind {
	case types.Null:
		return "binary(0)"
	case types.Int:
		text = "bigint"
	case types.Decimal:
		text = fmt.Sprintf("decimal(65,%d)", t.Scale)
	case types.String:
		return "text"
	case types.Datetime, types.Time:
		text = strings.ToLower(t.String())
		if t.Scale > 0 {
			text += fmt.Sprintf("(%d)", t.Scale)
		}
		return text
	default:
		text = strings.ToLower(t.String())
	}
	if c.Type.Unsigned {
		text += " unsigned"
	}
	return text
}

// storedView is a view in schema.json; its columns are named there.
type storedView struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Query   string   `json:"query"`
}

// storeViews writes views, sorted by name.
func storeViews(list map[string]translate.View) (out []storedView, err error) {
	for _, v := range list {
		text, err := syntax.Restore(v.Query)
		if err != nil {
			return nil, err
		}
		out = append(out, storedView{v.Name, v.Columns, text})
	}
	slices.SortFunc(out, func(a, b storedView) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// readViews reads them back.
func readViews(list []storedView) (map[string]translate.View, error) {
	out := map[string]translate.View{}
	for _, v := range list {
		stmt, ok := syntax.OneSelect(v.Query)
		if !ok {
			return nil, fmt.Errorf("the view %s cannot be read", v.Name)
		}
		out[strings.ToLower(v.Name)] = translate.View{Name: v.Name, Columns: v.Columns, Query: stmt}
	}
	return out, nil
}
