package runner

import (
	"context"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"

	"nl2sql/sqlcheck/syntax"
)

// setting is a session variable that every connection gets where its server offers it. What a query means must hang
// neither on the server's configuration, its init_connect or a data source name, nor on a proxy; and what it may take
// is bounded by more than our own clock.
type setting struct {
	Name  string
	Value string // as SQL writes it; what stands in braces is filled in
	Reads bool   // the server must say that it is so before each query
	// Most says that Value is the most that it may be: a smaller one of the server's stays. 0 stands for no bound.
	Most bool
	TiDB bool   // TiDB takes it, too
	Has  string // what the server's value must have: a switch that not every server knows
}

//go:embed session.yaml
var sessionTable string

var settings = syntax.Rows[setting](sessionTable)

// everyRow is the sql_select_limit that leaves none out.
const everyRow = "18446744073709551615"

// values has what the braces in settings stand for.
func (l Limits) values() *strings.Replacer {
	return strings.NewReplacer("{ms}", fmt.Sprint(max(l.Timeout.Milliseconds(), 1)), "{every row}", everyRow,
		"{seconds}", fmt.Sprint(max(int(l.Timeout.Seconds()), 1)), "{exact}", fmt.Sprintf("%.3f", l.Timeout.Seconds()))
}

// session is a prepared connection. It knows its place, by which another one can stop it, and what it must hold.
type session struct {
	mysqlConn
	place
	check string // a SELECT of what must hold
	holds []pinned
}

// place is where a connection ends. Behind a balancer two connections may end on two servers, and an id is one
// server's.
type place struct {
	id     int64
	server string // its name and port, as it says
}

// pinned is something that the server must say.
type pinned struct{ name, value string }

// canary is text that a server reads otherwise if it takes UTF-8 for a character set in which 0x5C can be the second
// byte of a character (gbk, big5, sjis), or a backslash for itself, whatever its variables say.
const canary, canaryIs = `HEX('縗\\')`, "E7B8975C"

// newSession makes the settings hold on a fresh connection.
func newSession(ctx context.Context, conn mysqlConn, l Limits) (session, error) {
	greeting, err := query(ctx, conn, "SELECT VERSION(), CONNECTION_ID(), @@hostname, @@port")
	if err != nil {
		return session{}, err
	}
	if len(greeting) != 1 || len(greeting[0]) != 4 {
		return session{}, errors.New("it does not say its version")
	}
	s := session{mysqlConn: conn, place: place{server: greeting[0][2] + ":" + greeting[0][3]}}
	if s.id, err = strconv.ParseInt(greeting[0][1], 10, 64); err != nil {
		return session{}, fmt.Errorf("CONNECTION_ID() is %.40q", greeting[0][1])
	}
	// First, or it cuts the list of variables.
	if _, err := conn.ExecContext(ctx, "SET SESSION sql_select_limit = "+everyRow, nil); err != nil {
		return session{}, err
	}
	tidb := dialectOf(greeting[0][0]).engine == "tidb"
	names := syntax.Map(settings(), func(v setting) string { return "'" + v.Name + "'" })
	rows, err := query(ctx, conn, "SHOW SESSION VARIABLES WHERE Variable_name IN ("+strings.Join(names, ", ")+")")
	if err != nil {
		return session{}, err
	}
	offered := map[string]string{}
	for _, row := range rows {
		if len(row) == 2 {
			offered[row[0]] = row[1]
		}
	}
	var set, bounds, read []string
	values := l.values()
	for _, v := range settings() {
		now, ok := offered[v.Name]
		if !ok || tidb && !v.TiDB || !strings.Contains(now, v.Has) {
			continue
		}
		value := values.Replace(v.Value)
		if v.Most {
			if !within(now, value) {
				bounds = append(bounds, "SESSION "+v.Name+" = "+value)
			}
			continue
		}
		set = append(set, "SESSION "+v.Name+" = "+value)
		if v.Reads {
			read = append(read, "@@SESSION."+v.Name)
			s.holds = append(s.holds, pinned{v.Name, strings.Trim(value, "'")})
		}
	}
	s.check = "SELECT " + strings.Join(append(read, canary), ", ")
	s.holds = append(s.holds, pinned{"the reading of text", canaryIs})
	if len(read) == 0 {
		return session{}, errors.New("it has no sql_mode and no character_set_client")
	}
	if _, err := conn.ExecContext(ctx, "SET "+strings.Join(set, ", "), nil); err != nil {
		return session{}, err
	}
	if err := bound(ctx, conn, bounds); err != nil {
		return session{}, err
	}
	return s, s.pinned(ctx)
}

// bound sets what it can: some server may keep a variable to its administrators.
func bound(ctx context.Context, conn mysqlConn, bounds []string) error {
	if len(bounds) == 0 {
		return nil
	}
	_, err := conn.ExecContext(ctx, "SET "+strings.Join(bounds, ", "), nil)
	if err == nil || !answered(err) {
		return err
	}
	if len(bounds) > 1 { // one after the other
		for i := range bounds {
			if err := bound(ctx, conn, bounds[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// within says that a number of the server's is no more than a bound.
func within(now, bound string) bool {
	n, err := strconv.ParseUint(now, 10, 64)
	most, _ := strconv.ParseUint(bound, 10, 64) // a number of ours
	return err == nil && n > 0 && n <= most
}

// pinned is an error if the session does not hold what it was given.
func (s session) pinned(ctx context.Context) error {
	rows, err := query(ctx, s.mysqlConn, s.check)
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok && refused.Number == 1064 {
		return unpinned{"the reading of text", "a syntax error", canaryIs}
	}
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != len(s.holds) {
		return errors.New("it does not say what its session holds")
	}
	for i, want := range s.holds {
		if got := rows[0][i]; !sameFlags(got, want.value) {
			return unpinned{want.name, got, want.value}
		}
	}
	return nil
}

// sameFlags compares lists without regard to order and case.
func sameFlags(a, b string) bool {
	sorted := func(s string) []string {
		flags := strings.Split(strings.ToUpper(s), ",")
		slices.Sort(flags)
		return flags
	}
	return slices.Equal(sorted(a), sorted(b))
}

// unpinned says that a session reads text otherwise than the checker did.
type unpinned struct{ name, got, want string }

func (e unpinned) Error() string {
	return fmt.Sprintf("its session does not keep %s: %.80q instead of %.80q, so it would read other text than was checked; "+
		"connect to the server itself, not through what changes its sessions", e.name, e.got, e.want)
}

// query reads a small result of the driver's; NULL is "".
func query(ctx context.Context, conn mysqlConn, text string) (out [][]string, err error) {
	rows, err := conn.QueryContext(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(row); {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return nil, err
		case len(out) > len(settings()):
			return nil, errors.New("too many rows")
		}
		cells := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case nil:
			case []byte:
				cells[i] = string(v)
			default:
				cells[i] = fmt.Sprint(v)
			}
		}
		out = append(out, cells)
	}
}
