// Package sqlcheck decides, without a database, model, clock or file, whether a SQL text may run. It lets one SELECT
// through that only reads, is made of known constructs, is bound to a schema, and is small enough however it is
// written out. What may run is a Query, and nothing else makes one. It knows no question and mends nothing: guard
// does. Begin with Check. It imports bind, schema and syntax.
package sqlcheck

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Query is one statement that passed [Check]. Its fields are private, so no other package can
// make one: what reaches a database is always text restored from a checked tree.
type Query struct {
	sql    string
	labels []string
	tables []string
	stmt   ast.StmtNode
	bound  *bind.Bound // nil if it was checked without a schema
}

// SQL is the text to run, restored from the checked tree.
func (q Query) SQL() string { return q.sql }

// Labels are the column labels that MySQL would give the original text; the restored text may have others.
// nil means: take the engine's.
func (q Query) Labels() []string { return q.labels }

// Tables lists the base tables that the query reads, as the schema spells them, in order of first use.
// It is nil if the query was checked without a schema.
func (q Query) Tables() []string { return q.tables }

// Stmt is the checked tree, for an engine that writes its own dialect. It must not be changed.
func (q Query) Stmt() ast.StmtNode { return q.stmt }

// Bound is what the names of the checked tree mean, for whoever looks at the query after its check: nil if it was
// checked without a schema. Neither it nor the tree may be changed; [Tree] makes a copy to change.
func (q Query) Bound() *bind.Bound { return q.bound }

// Sorted reports whether the rows of the query have an order.
func (q Query) Sorted() bool {
	switch n := q.stmt.(type) {
	case *ast.SelectStmt:
		return n.OrderBy != nil
	case *ast.SetOprStmt:
		return n.OrderBy != nil
	}
	return false
}

// Reads are the columns that the query reads, as table.column, behind the tables of which it names no column.
func (q Query) Reads() []string {
	if q.bound == nil {
		return nil
	}
	fields := q.bound.Fields()
	tables := slices.DeleteFunc(q.bound.Tables(), func(table string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(f, table+".") })
	})
	return append(tables, fields...)
}

// Check parses sql, applies the policy (one read-only SELECT, fail closed), binds its names to s
// and restores it. With a nil schema names are not bound. A verdict's Check is "parse", "policy" or "refs".
// The error is reserved for a check that could not run.
func Check(sql string, s *schema.Schema) (Query, Verdict, error) { return check(sql, s, false) }

// CheckView is Check of what defines a view of the database. How many rows and texts it may make is left to the
// engine's own limits, as it is with the views of servers.
func CheckView(sql string, s *schema.Schema) (Query, Verdict, error) { return check(sql, s, true) }

func check(sql string, s *schema.Schema, view bool) (Query, Verdict, error) {
	sql = syntax.Readable(sql)
	stmt, v := parseOne(sql)
	if !v.OK {
		return Query{}, v, nil
	}
	if v := policy(sql, stmt, s); !v.OK {
		return Query{}, v, nil
	}
	q := Query{stmt: stmt}
	bound, issues := bind.Bind(stmt, cmp.Or(s, &schema.Schema{}))
	if s != nil && len(issues) > 0 {
		return Query{}, verdictOf(issues[0], sql), nil
	}
	if v := limits(bound, view, s); !v.OK {
		return Query{}, v, nil
	}
	if s != nil {
		bound.Respell()
		q.bound = bound
		q.tables = bound.Tables()
		q.labels = syntax.Map(bound.Output, func(out bind.Output) string { return out.Label })
	}
	dropOrder(bound)
	if syntax.ContainsFold(sql, "REGEXP_") && !guardRegexps(stmt) {
		return Query{}, forbid("too_deep", "REGEXP_REPLACE", 0), nil
	}
	var err error
	if q.sql, err = syntax.RestoreFrom(sql, stmt); err != nil {
		return Query{}, Verdict{}, err
	}
	if strings.IndexByte(q.sql, 0) >= 0 { // written as \0 in a string
		return Query{}, forbid("nul_byte", "", 0), nil
	}
	if v, err := readBack(q.sql, stmt, q.sql); err != nil || !v.OK {
		return Query{}, v, err
	}
	return q, Pass("refs"), nil
}

// limits refuses what takes more of a server than one statement may. Views are left to the engine's own limits.
func limits(b *bind.Bound, view bool, s *schema.Schema) Verdict {
	fault := cost.Check(b, view)
	if fault.Reason == "" && s != nil && !view {
		fault = cost.Joins(b)
	}
	if fault.Reason == "" {
		return Pass("policy")
	}
	v := forbid(Reason(fault.Reason), fault.Detail, fault.Pos)
	v.Hint = cmp.Or(fault.Hint, v.Hint)
	return v
}

// Report is everything that strict mode has to say about one statement, for an agent that mends it by itself.
type Report struct {
	Valid      bool      `json:"valid"` // no errors; warnings do not count
	Issues     []Finding `json:"issues"`
	TablesUsed []string  `json:"tables_used"`  // base tables, as the schema spells them
	FieldsUsed []string  `json:"fields_used"`  // base columns as table.column
	Dangerous  bool      `json:"is_dangerous"` // it would do more than read this schema's tables

	Bound *bind.Bound `json:"-"` // nil if its names were not looked at, or calls have wrong arguments
}

// Finding is one error or warning.
type Finding struct {
	Type       string `json:"type"` // "error" or "warning"
	Reason     Reason `json:"reason"`
	Code       uint16 `json:"code,omitempty"` // MySQL's number; 0 if it has none
	Message    string `json:"message"`
	Suggestion string `json:"suggestion,omitempty"`
	Position   int    `json:"position,omitempty"` // byte offset; 0 is also unknown
}

// Inspect checks sql as [Check] does, but collects all errors. Warnings are the business of package doubt.
func Inspect(sql string, s *schema.Schema) Report {
	r := Report{Issues: []Finding{}, TablesUsed: []string{}, FieldsUsed: []string{}}
	sql = syntax.Readable(sql)
	stmt, v := parseOne(sql)
	if v.OK {
		v = policy(sql, stmt, s)
	}
	if !v.OK {
		r.Issues = append(r.Issues, v.finding())
		first, _ := syntax.NextToken(sql, syntax.SkipBlank(sql, 0))
		r.Dangerous = v.Check == "policy" || writeVerbs[strings.ToUpper(first.Text)]
		if v.Check != "refs" { // an unknown function leaves the names to be looked at
			return r
		}
	}
	if s == nil {
		r.Valid = v.OK
		return r
	}
	bound, issues := bind.Bind(stmt, s)
	counted := !slices.ContainsFunc(syntax.All[*ast.FuncCallExpr](stmt), func(n *ast.FuncCallExpr) bool {
		args, known := cost.Arities[n.FnName.L]
		return known && !args.Takes(len(n.Args))
	})
	if counted { // of a call with other arguments than it takes nobody can say more
		r.Bound = bound
	}
	for _, issue := range issues {
		r.Issues = append(r.Issues, verdictOf(issue, sql).finding())
	}
	if counted && len(issues) == 0 {
		if v := limits(bound, false, s); !v.OK {
			r.Issues, r.Dangerous = append(r.Issues, v.finding()), true
		}
	}
	r.Valid = len(r.Issues) == 0
	r.TablesUsed = append(r.TablesUsed, bound.Tables()...)
	r.FieldsUsed = append(r.FieldsUsed, bound.Fields()...)
	return r
}

func (v Verdict) finding() Finding {
	return Finding{"error", v.Reason, v.Code, v.String(), v.Hint, v.Pos}
}

// writeVerbs begin statements that change something, which need not parse.
var writeVerbs = syntax.WordSet("INSERT UPDATE DELETE REPLACE DROP TRUNCATE ALTER CREATE GRANT REVOKE RENAME SET CALL LOAD LOCK KILL DO EXECUTE PREPARE")

// readBack parses a text and compares it with a checked tree, which is restored to want: only a text that means what
// was checked may run. Trees are the same if their nodes are of the same kinds in the same places, and they are
// restored to the same text.
func readBack(sql string, checked ast.StmtNode, want string) (Verdict, error) {
	if op := strangeOperator(sql); op != "" {
		return forbid("restored_otherwise", op, 0), nil
	}
	stmts, perr, err := syntax.Parse(sql)
	if err != nil {
		return Verdict{}, err
	}
	if perr != nil || len(stmts) != 1 {
		return forbid("restored_otherwise", "", 0), nil
	}
	w := shapes.Get().(*shape)
	defer shapes.Put(w)
	w.nodes, w.depth = w.nodes[:0], 0
	checked.Accept(w)
	half := len(w.nodes)
	stmts[0].Accept(w)
	got, err := syntax.RestoreFrom(sql, stmts[0])
	if same := slices.Equal(w.nodes[:half], w.nodes[half:]); !same || got != want {
		return forbid("restored_otherwise", "", 0), err
	}
	return Pass("policy"), err
}

// comparisons are what MySQL's lexer makes of several signs of comparison in a row. Others it cuts in pieces of its
// own.
var comparisons = syntax.WordSet("< > = ! <= >= <> != <=> << >>")

// compareSigns are the signs that MySQL's lexer takes together.
const compareSigns = "<>=!"

// strangeOperator finds signs in a row that TiDB's lexer tells apart and MySQL's does not: "!!" is one "!" to it.
func strangeOperator(sql string) string {
	for i := 0; i < len(sql); i++ {
		switch sql[i] {
		case '\'', '"', '`':
			i = syntax.SkipQuoted(sql, i) - 1
		case '<', '>', '=', '!':
			op := signs(sql[i:])
			if !comparisons[op] {
				return op
			}
			i += len(op) - 1
		}
	}
	return ""
}

// signs are the signs of comparison that a text begins with.
func signs(s string) string { return s[:len(s)-len(strings.TrimLeft(s, compareSigns))] }

// shape is the visitor that reads of what kind the nodes of trees are, and where they stand. Brackets have no meaning
// once the tree is there.
type shape struct {
	nodes []shapeNode
	depth int
}

type shapeNode struct {
	kind  reflect.Type
	depth int
}

var shapes = sync.Pool{New: func() any { return &shape{} }}

// Enter implements ast.Visitor.
func (w *shape) Enter(n ast.Node) (ast.Node, bool) {
	if _, brackets := n.(*ast.ParenthesesExpr); brackets {
		return n, false
	}
	if join, is := n.(*ast.Join); !is || join.Right != nil {
		w.nodes = append(w.nodes, shapeNode{reflect.TypeOf(n), w.depth})
	}
	w.depth++
	return n, false
}

// Leave implements ast.Visitor.
func (w *shape) Leave(n ast.Node) (ast.Node, bool) {
	if _, brackets := n.(*ast.ParenthesesExpr); !brackets {
		w.depth--
	}
	return n, true
}

// Tree parses a query that was checked against s once more and binds it. The tree is the caller's to change.
// ok is false if there is no schema to bind to.
func Tree(q Query, s *schema.Schema) (b *bind.Bound, ok bool) {
	stmt, ok := syntax.OneSelect(q.sql)
	if !ok || s == nil {
		return nil, false
	}
	b, issues := bind.Bind(stmt, s)
	return b, len(issues) == 0
}
