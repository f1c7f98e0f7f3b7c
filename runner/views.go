package runner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// A view does what its maker may, whoever reads it: the stored functions that it calls are run with their makers' rights.
// Such views are left out of the schema, so that no query can name them, unless Limits.TrustViews is set.

// name is that of a table, view or function.
type name struct{ schema, name string }

func (n name) String() string { return n.schema + "." + n.name }

// in is the name as it is printed while that database is the current one, which is then left out.
func (n name) in(current string) name {
	if n.schema == "" {
		n.schema = current
	}
	return n
}

// viewHazards are functions of the server's own that do more than compute: no query may call them, and no view for it.
var viewHazards = map[string]bool{
	"sleep": true, "benchmark": true, "get_lock": true, "release_lock": true, "release_all_locks": true, "load_file": true,
	"master_pos_wait": true, "source_pos_wait": true, "wait_for_executed_gtid_set": true, "nextval": true, "setval": true,
	"sys_exec": true, "sys_eval": true,
}

// viewAudit says what was found out about the views of a database.
type viewAudit struct {
	calls  map[string]string // view: the function that it calls, itself or by way of another view
	reads  map[string]int    // view: how many tables and views it comes to when it is written out, as in [schema.Table]
	hidden []string          // views whose definitions the user may not see
}

const (
	// hiddenReads is what a view counts as whose definition the user may not see: a query may use ten of them, and one that
	// reads more than that is left to the server's time limit. Nothing else tells: without the privilege SHOW VIEW, and on
	// MySQL 8.0.15 for all but the maker, VIEW_DEFINITION is empty, and VIEW_TABLE_USAGE, which only MySQL has, since 8.0.13,
	// says of each table once that it is read.
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
	schemas := map[string]bool{}
	for _, row := range rows {
		schemas[row[0]] = true
	}
	var todo []name
	for _, view := range views {
		todo = append(todo, name{s.backend.Database, view})
	}
	uses, calls, tables := map[name][]name{}, map[name]string{}, map[name][]name{}
	weights := map[name]int{}
	for len(todo) > 0 {
		view := todo[0]
		if todo = todo[1:]; uses[view] != nil {
			continue
		}
		uses[view] = []name{}
		def, err := s.strings(ctx, "SHOW CREATE VIEW "+QuoteName(view.schema)+"."+QuoteName(view.name))
		refused := (*QueryError)(nil)
		if errors.As(err, &refused) || answered(err) {
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

// weigh counts the tables and views that a view comes to when it is written out: each one that its definition reads, as often as
// it does, with all that this one comes to. A name that is no view counts as a table. weights keeps what is known.
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

// ViewReads counts what each view comes to when it is written out, as [schema.Table].Reads wants it. views are their definitions as
// servers print them, every name in backquotes, by their names; a name that is none of them counts as a table.
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

	common map[string][]name // what each of its common table expressions reads; where those are read the schema is inWith
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
func scanView(def string) (t viewText) {
	type body struct {
		name         string
		depth, start int // of brackets around it, in t.tables
	}
	var bodies []body
	depth := 0
	i := 0
	begins := func(cte string) bool { // whether its query comes
		at := withBody.FindStringIndex(def[i:])
		if at == nil {
			return false
		}
		i += at[1] - 1
		bodies = append(bodies, body{cte, depth, len(t.tables)})
		return true
	}
	from := false // a table may come
	for i < len(def) {
		switch c := def[i]; {
		case c == '\'' || c == '"':
			i, from = syntax.SkipQuoted(def, i), false
		case c == '`':
			var chain []string
			for i < len(def) && def[i] == '`' {
				end := syntax.SkipQuoted(def, i)
				chain = append(chain, strings.ReplaceAll(strings.TrimSuffix(def[i+1:end], "`"), "``", "`"))
				if i = end; i+1 < len(def) && def[i] == '.' && def[i+1] == '`' {
					i++
				}
			}
			if len(chain) == 1 && !from && begins(chain[0]) {
				continue
			}
			if i < len(def) && def[i] == '(' && t.calls == "" {
				t.calls = strings.Join(chain, ".")
			}
			n := name{"", chain[0]}
			if len(chain) > 1 {
				n = name{chain[0], chain[1]}
			} else if from && t.common[chain[0]] != nil {
				n.schema = inWith
			}
			t.named = append(t.named, n)
			if from && len(chain) < 3 { // three parts are a column: EXTRACT(YEAR FROM …)
				t.tables = append(t.tables, n)
			}
			from = false
		case isWord(c):
			start := i
			for i < len(def) && isWord(def[i]) {
				i++
			}
			word := strings.ToLower(def[start:i])
			if begins(def[start:i]) { // MariaDB has no quotes there
				continue
			}
			from = word == "from" || word == "join" || word == "straight_join"
			if i < len(def) && def[i] == '(' && viewHazards[word] && t.calls == "" {
				t.calls = word
			}
		case c == '(':
			depth++
			i++
		case c == ')':
			depth--
			if last := len(bodies) - 1; last >= 0 && bodies[last].depth == depth {
				b := bodies[last]
				if t.common == nil {
					t.common = map[string][]name{}
				}
				t.common[b.name] = append([]name{}, t.tables[b.start:]...)
				t.tables, bodies = t.tables[:b.start], bodies[:last]
			}
			i++
		default:
			i++
		}
	}
	return t
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// warn tells which views are left out.
func (a viewAudit) warn() {
	for _, line := range a.lines() {
		slog.Warn(line)
	}
}

// lines say which views call what, one after the other.
func (a viewAudit) lines() (lines []string) {
	for view, called := range a.calls {
		lines = append(lines, fmt.Sprintf("the view %s calls %s, which may do more than read: it is left out (--trust-views takes it in)", view, called))
	}
	slices.Sort(lines)
	return lines
}
