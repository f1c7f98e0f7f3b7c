package runner_test

import (
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
)

// Administrators are told what they can bound, who reads more than it should, and what cannot be looked into.
func TestAdvise(t *testing.T) {
	each(t, func(t *testing.T, s *local.Server) {
		if s.Engine() == "mysql" {
			asAdmin(t, s, "SET GLOBAL temptable_max_ram = 1073741824")
			defer asAdmin(t, s, "SET GLOBAL temptable_max_ram = 134217728")
		}
		advice := func(user string) map[string]runner.Advice {
			list := must.Get(open(t, as(s, user), runner.Limits{}).(runner.Adviser).Advise(t.Context()))(t)
			byWhat := map[string]runner.Advice{}
			for _, a := range list {
				byWhat[a.What] = a
			}
			return byWhat
		}
		reader, writer := advice("nl2sql"), advice("writer")
		for _, tt := range []struct{ name, got, want string }{
			{"reader", reader["database user"].Found, "may only read"},
			{"reader", reader["database user"].Do, "MAX_USER_CONNECTIONS 9"},
			{"writer", writer["database user"].Found, "may do more than read"},
			{"writer", writer["database user"].Do, "GRANT SELECT, SHOW VIEW"},
			{"reader's views", reader["views"].Found,
				"1 of 1 cannot be looked into, and may call stored functions: labels"},
			{"reader's views", reader["views"].Do, "GRANT SHOW VIEW"},
			{"writer's views", writer["views"].Found, "none calls"},
			{"bounds", reader["server's bounds"].Found, "max_allowed_packet "},
		} {
			must.Has(t, tt.got, tt.want, tt.name)
		}
		if do := reader["server's bounds"].Do; s.Engine() == "mysql" &&
			(!strings.Contains(do, "SET GLOBAL temptable_max_ram = 268435456") ||
				!strings.Contains(do, "RESOURCE GROUP")) {
			t.Error(do)
		}
		if found := reader["server's bounds"].Found; s.Engine() == "mariadb" {
			must.Has(t, found, "max_session_mem_used 134217728") // as our sessions have it
		}
		asAdmin(t, s, "CREATE FUNCTION types.danger() RETURNS INT DETERMINISTIC RETURN 1",
			"CREATE VIEW types.calls AS SELECT danger() AS x")
		defer asAdmin(t, s, "DROP VIEW types.calls", "DROP FUNCTION types.danger")
		if a := advice("writer")["views"]; a.OK || !strings.Contains(a.Found, "the view calls calls danger") {
			t.Errorf("%+v", a)
		}
	})
}
