package runner

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Advice is something about a server that its administrator should know.
type Advice struct {
	What  string // e.g. "views"
	OK    bool   // nothing need be done
	Found string
	Do    string // "" if OK
}

// Adviser is a database that can say what would make it safer to ask.
type Adviser interface {
	Advise(ctx context.Context) ([]Advice, error)
}

// serverBounds are what a server bounds for our sessions, and what is enough for answers: what a session may not set
// itself, an administrator can. A variable that the server does not have is passed over. Source: as session.yaml.
var serverBounds = []struct {
	variable string
	enough   uint64 // bytes
	does     string
}{
	{"temptable_max_ram", 256 << 20, "memory of all temporary tables"},
	{"temptable_max_mmap", 1 << 30, "files of temporary tables that overflow"},
	{"connection_memory_limit", 512 << 20, "memory of one connection"},
	{"global_connection_memory_limit", 4 << 30, "memory of all, with SET GLOBAL global_connection_memory_tracking = 1"},
	{"max_session_mem_used", 512 << 20, "memory of one session"},
	{"tidb_mem_quota_query", 512 << 20, "memory of one query"},
	{"max_allowed_packet", 64 << 20, "the longest text that a function makes"},
	{"max_tmp_total_space_usage", 8 << 30, "temporary disk of all sessions"},
}

// Advise implements [Adviser].
func (s *server) Advise(ctx context.Context) (list []Advice, err error) {
	for _, look := range []func(context.Context) (Advice, error){s.adviseViews, s.adviseBounds, s.adviseUser} {
		a, err := look(ctx)
		if err != nil {
			return nil, err
		}
		a.OK = a.Do == ""
		list = append(list, a)
	}
	return list, nil
}

func (s *server) adviseViews(ctx context.Context) (Advice, error) {
	a := Advice{What: "views", Found: "none calls a stored function"}
	_, views, audit, err := s.listTables(ctx)
	if err != nil {
		return a, err
	}
	switch lines := audit.lines(); {
	case len(lines) > 0:
		a.Found, a.Do = strings.Join(lines, "; "), "look at what these functions do; --trust-views takes the views in"
	case len(audit.hidden) > 0:
		a.Found = fmt.Sprintf("%d of %d cannot be looked into, and may call stored functions: %s", len(audit.hidden),
			len(views), strings.Join(audit.hidden, ", "))
		a.Do = "GRANT SHOW VIEW to the user"
	}
	return a, nil
}

func (s *server) adviseBounds(ctx context.Context) (Advice, error) {
	a := Advice{What: "server's bounds"}
	now, err := s.pairs(ctx, "SHOW SESSION VARIABLES")
	if err != nil {
		return a, err
	}
	var found, do []string
	for _, b := range serverBounds {
		value, ok := now[b.variable]
		if !ok {
			continue
		}
		found = append(found, b.variable+" "+value)
		if n, err := strconv.ParseUint(value, 10, 64); err != nil || n > b.enough || n == 0 &&
			b.variable == "max_tmp_total_space_usage" {
			do = append(do, fmt.Sprintf("SET GLOBAL %s = %d (%s)", b.variable, b.enough, b.does))
		}
	}
	if path, ok := now["innodb_temp_data_file_path"]; ok && !strings.Contains(path, ":max:") {
		do = append(do, "innodb_temp_data_file_path with :max:4G in the configuration (disk of temporary tables)")
	}
	if s.dialect.engine == "mysql" {
		do = append(do, "a resource group (CREATE RESOURCE GROUP … TYPE = USER VCPU = …) bounds the processors")
	}
	a.Found, a.Do = cmp.Or(strings.Join(found, ", "), "none of those known"), strings.Join(do, "; ")
	return a, nil
}

// reading are the privileges that an asking user needs, and those that let nothing be changed.
var reading = regexp.MustCompile(`^GRANT (USAGE|SELECT|SHOW VIEW|SHOW DATABASES|PROCESS|, )+ ON `)

func (s *server) adviseUser(ctx context.Context) (Advice, error) {
	a := Advice{What: "database user", Found: "may only read"}
	grants, err := s.strings(ctx, "SHOW GRANTS")
	if err != nil {
		return a, err
	}
	var do []string
	if slices.ContainsFunc(grants, func(row []string) bool {
		return strings.HasPrefix(row[0], "GRANT ") && strings.Contains(row[0], " ON ") && !reading.MatchString(row[0])
	}) {
		a.Found = "may do more than read"
		do = append(do, "give nl2sql a user of its own: GRANT SELECT, SHOW VIEW")
	}
	most, err := s.strings(ctx, "SELECT @@SESSION.max_user_connections")
	if err != nil {
		return a, err
	}
	if most[0][0] == "0" {
		do = append(do, fmt.Sprintf("ALTER USER … WITH MAX_USER_CONNECTIONS %d bounds what it can run at a time",
			maxConns+1))
	} else {
		a.Found += ", " + most[0][0] + " connections at most"
	}
	a.Do = strings.Join(do, "; ")
	return a, nil
}
