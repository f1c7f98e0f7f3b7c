package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// A view does what its maker may, whoever reads it: the stored functions that it calls are run with their makers'
// rights. Such views are left out of the schema, so that no query can name them, unless Limits.TrustViews is set.

// name is that of a table, view or function.
type name struct{ schema, name string }

func (n name) String() string { return n.schema + "." + n.name }

// in is the name as it is printed while that database is the current one, which is then left out.
func (n name) in(current string) name {
	n.schema = cmp.Or(n.schema, current)
	return n
}

// viewHazards are functions of the server's own that do more than compute: no query may call them, and no view for it.
var viewHazards = syntax.WordSet(`sleep benchmark get_lock release_lock release_all_locks load_file
	master_pos_wait source_pos_wait wait_for_executed_gtid_set nextval setval sys_exec sys_eval`)

// viewAudit says what was found out about the views of a database.
type viewAudit struct {
	calls  map[string]string // view: the function that it calls, itself or by way of another view
	reads  map[string]int    // view: how many tables and views it comes to when it is written out, as in [schema.Table]
	hidden []string          // views whose definitions the user may not see
}

const (
	// hiddenReads is what a view counts as whose definition the user may not see: a query may use ten of them, and one
	// that reads more than that is left to the server's time limit. Nothing else tells: without the privilege SHOW
	// VIEW, and on MySQL 8.0.15 for all but the maker, VIEW_DEFINITION is empty, and VIEW_TABLE_USAGE, which only
	// MySQL has, since 8.0.13, says of each table once that it is read.
	hiddenReads = 24
	// maxReads is where counting ends: far more than any query may use.
	maxReads = 1 << 20
)

// notView is the server's error that a name is that of a table.
const notView = 1347

// auditViews reads the definitions of a database's views, and of those of other databases that they name.
func (s *server) auditViews(ctx context.Context, views []string) (viewAudit, error) {
	audit := viewAudit{calls: map[string]string{}, reads: map[string]int{}}
	rows, err := s.strings(ctx, "SELECT SCHEMA_NAME AS s FROM information_schema.SCHEMATA")
	if err != nil {
		return audit, err
	}
	schemas := syntax.Set(syntax.Map(rows, func(row []string) string { return row[0] }))
	todo := syntax.Map(views, func(view string) name { return name{s.backend.Database, view} })
	uses, calls, tables := map[name][]name{}, map[name]string{}, map[name][]name{}
	weights := map[name]int{}
	for len(todo) > 0 {
		view := todo[0]
		if todo = todo[1:]; uses[view] != nil {
			continue
		}
		uses[view] = []name{}
		def, err := s.strings(ctx, "SHOW CREATE VIEW "+QuoteName(view.schema)+"."+QuoteName(view.name))
		if refused, ok := errors.AsType[*QueryError](err); ok || answered(err) {
			// A table, or a view that the user may not look into, or that is broken.
			if view.schema == s.backend.Database {
				audit.hidden = append(audit.hidden, view.name)
			}
			if refused == nil || refused.Code != notView {
				weights[view] = hiddenReads
			}
			continue
		}
		if err != nil {
			return audit, err
		}
		if len(def) != 1 || len(def[0]) < 2 {
			return audit, fmt.Errorf("the definition of the view %s cannot be read", view)
		}
		text := scanView(def[0][1])
		calls[view] = text.calls
		for _, n := range text.named {
			n = n.in(s.backend.Database)
			if schemas[n.schema] {
				uses[view] = append(uses[view], n)
				if n.schema != s.backend.Database {
					todo = append(todo, n)
				}
			}
		}
		text.reads(view, s.backend.Database, tables)
	}
	// A view over a view calls what that one calls.
	for changed := true; changed; {
		changed = false
		for view, named := range uses {
			for _, n := range named {
				if calls[view] == "" && calls[n] != "" {
					calls[view], changed = calls[n], true
				}
			}
		}
	}
	for _, view := range views {
		if called := calls[name{s.backend.Database, view}]; called != "" {
			audit.calls[view] = called
		}
		audit.reads[view] = weigh(name{s.backend.Database, view}, tables, weights)
	}
	return audit, nil
}

// weigh counts the tables and views that a view comes to when it is written out: each one that its definition reads,
// as often as it does, with all that this one comes to. A name that is no view counts as a table. weights keeps what
// is known.
func weigh(view name, tables map[name][]name, weights map[name]int) int {
	if n, ok := weights[view]; ok {
		return n
	}
	weights[view] = maxReads // of a view that reads itself, which no server runs
	sum := 0
	for _, n := range tables[view] {
		sum = min(sum+1+weigh(n, tables, weights), maxReads)
	}
	weights[view] = sum
	return sum
}

// ViewReads counts what each view comes to when it is written out, as [schema.Table].Reads wants it. views are their
// definitions as servers print them, every name in backquotes, by their names; a name that is none of them counts as a
// table.
func ViewReads(views map[string]string) map[string]int {
	tables, weights, reads := map[name][]name{}, map[name]int{}, map[string]int{}
	for view, def := range views {
		scanView(def).reads(name{"", view}, "", tables)
	}
	for view := range views {
		reads[view] = weigh(name{"", view}, tables, weights)
	}
	return reads
}

// viewText is what the definition of a view says.
type viewText struct {
	named  []name // what may be tables or views, among other names; the schema is "" where none is written
	tables []name // what it reads, once for each time
	calls  string // the first function that it should not call, "" if there is none

	// what each of its common table expressions reads; where those are read the schema is inWith
	common map[string][]name
}

// inWith stands for the schema of a common table expression. No schema's name ends with a blank.
const inWith = "with "

// reads notes what a view reads, each of its common table expressions like a view of its own.
func (t viewText) reads(view name, current string, tables map[name][]name) {
	note := func(reader name, list []name) {
		for _, n := range list {
			if n.schema == inWith {
				n.schema += view.String()
			}
			tables[reader] = append(tables[reader], n.in(current))
		}
	}
	note(view, t.tables)
	for cte, list := range t.common {
		note(name{inWith + view.String(), cte}, list)
	}
}

// withBody is what stands between the name of a common table expression and its query.
var withBody = regexp.MustCompile("(?i)^ *(\\(([^()`]|`[^`]*`)*\\))? *as *\\(")

// scanView reads a definition as servers print it: every name in backquotes, those of stored functions with the bracket
// right behind them, the server's own functions bare, and each table behind FROM or JOIN, with brackets between.
func scanView(def string) viewText {
	s := viewScan{def: def}
	for s.at < len(def) {
		switch c := def[s.at]; {
		case c == '\'' || c == '"':
			s.at, s.from = syntax.SkipQuoted(def, s.at), false
		case c == '`':
			s.name()
		case syntax.IsWordByte(c):
			s.word()
		case c == '(':
			s.depth++
			s.at++
		case c == ')':
			s.depth--
			s.end()
			s.at++
		default:
			s.at++
		}
	}
	return s.text
}

// viewScan is how far a definition has been read.
type viewScan struct {
	def    string
	at     int
	from   bool // a table may come
	depth  int  // of brackets
	bodies []withQuery
	text   viewText
}

// withQuery is the query of a common table expression that is being read.
type withQuery struct {
	name         string
	depth, start int // of brackets around it, in viewText.tables
}

// begins says whether the query of a common table expression of that name comes, and goes to its bracket.
func (s *viewScan) begins(cte string) bool {
	found := withBody.FindStringIndex(s.def[s.at:])
	if found == nil {
		return false
	}
	s.at += found[1] - 1
	s.bodies = append(s.bodies, withQuery{cte, s.depth, len(s.text.tables)})
	return true
}

// end is at a closing bracket, which may end the query of a common table expression: what it reads is not the view's.
func (s *viewScan) end() {
	last := len(s.bodies) - 1
	if last < 0 || s.bodies[last].depth != s.depth {
		return
	}
	b := s.bodies[last]
	if s.text.common == nil {
		s.text.common = map[string][]name{}
	}
	s.text.common[b.name] = append([]name{}, s.text.tables[b.start:]...)
	s.text.tables, s.bodies = s.text.tables[:b.start], s.bodies[:last]
}

// name reads a name in backquotes, with those that follow behind points.
func (s *viewScan) name() {
	var chain []string
	for s.is('`') {
		end := syntax.SkipQuoted(s.def, s.at)
		chain = append(chain, strings.ReplaceAll(strings.TrimSuffix(s.def[s.at+1:end], "`"), "``", "`"))
		if s.at = end; strings.HasPrefix(s.def[s.at:], ".`") {
			s.at++
		}
	}
	if len(chain) == 1 && !s.from && s.begins(chain[0]) {
		return
	}
	if s.is('(') && s.text.calls == "" {
		s.text.calls = strings.Join(chain, ".")
	}
	n := name{"", chain[0]}
	if len(chain) > 1 {
		n = name{chain[0], chain[1]}
	} else if s.from && s.text.common[chain[0]] != nil {
		n.schema = inWith
	}
	s.text.named = append(s.text.named, n)
	if s.from && len(chain) < 3 { // three parts are a column: EXTRACT(YEAR FROM …)
		s.text.tables = append(s.text.tables, n)
	}
	s.from = false
}

// word reads a bare word: a keyword, a function of the server's, or a name behind WITH, where MariaDB has no quotes.
func (s *viewScan) word() {
	start := s.at
	for s.at < len(s.def) && syntax.IsWordByte(s.def[s.at]) {
		s.at++
	}
	word := s.def[start:s.at]
	if s.begins(word) {
		return
	}
	word = strings.ToLower(word)
	s.from = word == "from" || word == "join" || word == "straight_join"
	if s.is('(') && viewHazards[word] && s.text.calls == "" {
		s.text.calls = word
	}
}

func (s *viewScan) is(c byte) bool { return s.at < len(s.def) && s.def[s.at] == c }

// lines say which views call what, one after the other.
func (a viewAudit) lines() (lines []string) {
	for view, called := range a.calls {
		lines = append(lines, fmt.Sprintf("the view %s calls %s, which may do more than read: it is left out (--trust-views takes it in)", view, called))
	}
	slices.Sort(lines)
	return lines
}
