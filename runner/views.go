package runner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// A view does what its maker may, whoever reads it: the stored functions that it calls are run with their makers' rights.
// Such views are left out of the schema, so that no query can name them, unless Limits.TrustViews is set.

// name is that of a table, view or function.
type name struct{ schema, name string }

func (n name) String() string { return n.schema + "." + n.name }

// viewHazards are functions of the server's own that do more than compute: no query may call them, and no view for it.
var viewHazards = map[string]bool{
	"sleep": true, "benchmark": true, "get_lock": true, "release_lock": true, "release_all_locks": true, "load_file": true,
	"master_pos_wait": true, "source_pos_wait": true, "wait_for_executed_gtid_set": true, "nextval": true, "setval": true,
	"sys_exec": true, "sys_eval": true,
}

// viewAudit says what was found out about the views of a database.
type viewAudit struct {
	calls  map[string]string // view: the function that it calls, itself or by way of another view
	hidden []string          // views whose definitions the user may not see
}

// auditViews reads the definitions of a database's views, and of those of other databases that they name.
func (s *server) auditViews(ctx context.Context, views []string) (viewAudit, error) {
	audit := viewAudit{calls: map[string]string{}}
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
	uses, calls := map[name][]name{}, map[name]string{}
	for len(todo) > 0 {
		view := todo[0]
		if todo = todo[1:]; uses[view] != nil {
			continue
		}
		uses[view] = []name{}
		def, err := s.strings(ctx, "SHOW CREATE VIEW "+QuoteName(view.schema)+"."+QuoteName(view.name))
		if refused := (*QueryError)(nil); errors.As(err, &refused) || answered(err) {
			// A table, or a view that the user may not look into, or that is broken.
			if view.schema == s.backend.Database {
				audit.hidden = append(audit.hidden, view.name)
			}
			continue
		}
		if err != nil {
			return audit, err
		}
		if len(def) != 1 || len(def[0]) < 2 {
			return audit, fmt.Errorf("the definition of the view %s cannot be read", view)
		}
		named, called := scanView(def[0][1])
		calls[view] = called
		for _, n := range named {
			if n.schema == "" { // as printed where all is in one database
				n.schema = view.schema
			}
			if schemas[n.schema] {
				uses[view] = append(uses[view], n)
				if n.schema != s.backend.Database {
					todo = append(todo, n)
				}
			}
		}
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
	}
	return audit, nil
}

// scanView reads a definition as servers print it: every name in backquotes, those of stored functions with the bracket
// right behind them, and the server's own functions bare. named are the tables it may read, among other names;
// calls is the first function that it should not call, "" if there is none.
func scanView(def string) (named []name, calls string) {
	for i := 0; i < len(def); {
		switch c := def[i]; {
		case c == '\'' || c == '"':
			i = syntax.SkipQuoted(def, i)
		case c == '`':
			var chain []string
			for i < len(def) && def[i] == '`' {
				end := syntax.SkipQuoted(def, i)
				chain = append(chain, strings.ReplaceAll(strings.TrimSuffix(def[i+1:end], "`"), "``", "`"))
				if i = end; i+1 < len(def) && def[i] == '.' && def[i+1] == '`' {
					i++
				}
			}
			if i < len(def) && def[i] == '(' && calls == "" {
				calls = strings.Join(chain, ".")
			}
			if len(chain) > 1 {
				named = append(named, name{chain[0], chain[1]})
			} else {
				named = append(named, name{"", chain[0]})
			}
		case isWord(c):
			start := i
			for i < len(def) && isWord(def[i]) {
				i++
			}
			if word := strings.ToLower(def[start:i]); i < len(def) && def[i] == '(' && viewHazards[word] && calls == "" {
				calls = word
			}
		default:
			i++
		}
	}
	return named, calls
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
