package runner_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nl2sql/evaluation/suite"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/role"
	"nl2sql/sqlcheck/schema"
)

var roleGolds = flag.Int("rolegolds", must.Long(60, 5000),
	"gold queries that TestRoleOnGolds takes; a server gets those of every tenth database")

// fitGolds are n gold queries of spider-mysql, evenly drawn from the databases that rules may be made with.
func fitGolds(t *testing.T, n int) (names []string, of map[string][]string) {
	t.Helper()
	items := golds.Fit(t)
	of = map[string][]string{}
	for i := range min(n, len(items)) {
		it := items[i*len(items)/min(n, len(items))]
		if of[it.Database] == nil {
			names = append(names, it.Database)
		}
		of[it.Database] = append(of[it.Database], it.SQL)
	}
	return names, of
}

// drawnRole is a role by chance, with what a test needs to know of it.
type drawnRole struct {
	text   []byte
	given  map[string]string
	where  map[string]string          // the conditions, with the values in them
	tested map[string]map[string]bool // the columns that conditions ask, by table
	asked  map[string]bool            // tables that another one's condition reads
	unseen map[string]map[string]bool // hidden and masked columns
	masked map[string]bool            // table.column
}

type drawnEntry struct {
	Hidden []string `json:"hidden,omitempty"`
	Masked []string `json:"masked,omitempty"`
	Where  string   `json:"where,omitempty"`
}

// drawRole draws one for a database: conditions on most tables, some columns hidden or masked.
func drawRole(t *testing.T, db runner.DB, s *schema.Schema, rng *rand.Rand) drawnRole {
	t.Helper()
	d := drawnRole{given: map[string]string{}, where: map[string]string{}, tested: map[string]map[string]bool{},
		asked: map[string]bool{}, unseen: map[string]map[string]bool{}, masked: map[string]bool{}}
	tables := map[string]drawnEntry{}
	for i := range s.Tables {
		tab := &s.Tables[i]
		d.tested[tab.Name], d.unseen[tab.Name] = map[string]bool{}, map[string]bool{}
	}
	for i := range s.Tables {
		tab := &s.Tables[i]
		e := drawnEntry{}
		for _, c := range tab.Columns {
			switch p := rng.Float64(); {
			case keyed(tab, c.Name):
			case p < .06:
				e.Hidden = append(e.Hidden, c.Name)
				d.unseen[tab.Name][c.Name] = true
			case p < .14:
				e.Masked = append(e.Masked, c.Name)
				d.unseen[tab.Name][c.Name], d.masked[tab.Name+"."+c.Name] = true, true
			}
		}
		if len(e.Hidden) == len(tab.Columns) {
			e.Hidden = e.Hidden[1:]
		}
		if rng.Float64() < .7 {
			e.Where, d.where[tab.Name] = d.condition(t, db, s, tab, rng)
		}
		tables[tab.Name] = e
	}
	values := map[string]string{}
	for name := range d.given {
		values[name] = "int"
	}
	var err error
	if d.text, err = json.Marshal(map[string]any{"tables": tables, "values": values}); err != nil {
		t.Fatal(err)
	}
	return d
}

// condition draws one, and writes it with a value's name and with the value.
func (d *drawnRole) condition(t *testing.T, db runner.DB, s *schema.Schema, tab *schema.Table,
	rng *rand.Rand) (named, plain string) {
	name := func(t *schema.Table, c string) string { return runner.QuoteName(t.Name) + "." + runner.QuoteName(c) }
	if n := len(tab.ForeignKeys); n > 0 && rng.IntN(3) == 0 {
		fk := tab.ForeignKeys[rng.IntN(n)]
		if to, ok := s.Table(fk.RefTable); ok && to != tab && len(fk.Columns) == 1 {
			d.asked[to.Name] = true
			d.tested[tab.Name][fk.Columns[0]], d.tested[to.Name][fk.RefColumns[0]] = true, true
			_, inner := d.condition(t, db, s, to, rng)
			plain = fmt.Sprintf("%s IN (SELECT %s FROM %s WHERE %s)", name(tab, fk.Columns[0]),
				name(to, fk.RefColumns[0]), runner.QuoteName(to.Name), inner)
			return plain, plain
		}
	}
	c := tab.Columns[rng.IntN(len(tab.Columns))]
	d.tested[tab.Name][c.Name] = true
	col := name(tab, c.Name)
	res := rowsOf(t, db, s, "SELECT DISTINCT "+col+" FROM "+runner.QuoteName(tab.Name)+" WHERE "+col+
		" IS NOT NULL LIMIT 40")
	if len(res) == 0 {
		return col + " IS NULL", col + " IS NULL"
	}
	value := res[rng.IntN(len(res))][0]
	n, whole := value.(int64)
	lit := literal(value)
	switch rng.IntN(4) {
	case 0:
		return col + " <> " + lit, col + " <> " + lit
	case 1:
		var half []string
		for _, row := range res[:(len(res)+1)/2] {
			half = append(half, literal(row[0]))
		}
		plain = col + " IN (" + strings.Join(half, ", ") + ")"
		return plain, plain
	case 2:
		if whole {
			me := fmt.Sprintf("v%d", len(d.given))
			d.given[me] = fmt.Sprint(n)
			return col + " >= @" + me, col + " >= " + lit
		}
	}
	plain = col + " <= " + lit + " OR " + col + " IS NULL"
	return plain, plain
}

func literal(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(v) + "'"
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

// keyed says that a column is part of a key or of a reference.
func keyed(t *schema.Table, column string) bool {
	keys := append([][]string{t.PrimaryKey}, t.Unique...)
	for _, fk := range t.ForeignKeys {
		keys = append(keys, fk.Columns)
	}
	return slices.ContainsFunc(keys, func(key []string) bool {
		return slices.ContainsFunc(key, func(c string) bool { return strings.EqualFold(c, column) })
	})
}

func rowsOf(t *testing.T, db runner.DB, s *schema.Schema, sql string) [][]any {
	t.Helper()
	q, v, err := sqlcheck.Check(sql, s)
	must.Have(t, err == nil && v.OK, sql, v, err)
	res, err := db.Query(t.Context(), q)
	must.Do(t, err, sql)
	return res.Rows
}

// allowed are the rows of a database that a role sees, by table.
func (d *drawnRole) allowed(t *testing.T, db runner.DB, s *schema.Schema) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	for i := range s.Tables {
		tab := &s.Tables[i]
		where, narrow := d.where[tab.Name]
		if !narrow {
			continue
		}
		out[tab.Name] = map[string]bool{}
		for _, row := range rowsOf(t, db, s, "SELECT * FROM "+runner.QuoteName(tab.Name)+" WHERE "+where) {
			out[tab.Name][runner.RowKey(row)] = true
		}
	}
	return out
}

// change gives what the role does not see other values: cells of hidden and masked columns, rows. Columns that
// conditions ask stay, so that no row becomes seen.
func (d *drawnRole) change(seen map[string]map[string]bool, rng *rand.Rand) embedded.Change {
	return func(tab schema.Table, rows [][]any) ([][]any, error) {
		out := [][]any{}
		for _, row := range rows {
			visible := seen[tab.Name] == nil || seen[tab.Name][runner.RowKey(row)]
			if !visible && !d.asked[tab.Name] && rng.IntN(3) == 0 {
				continue
			}
			row = slices.Clone(row)
			for i, c := range tab.Columns {
				if (!visible || d.unseen[tab.Name][c.Name]) && !keyed(&tab, c.Name) && !d.tested[tab.Name][c.Name] {
					row[i] = otherCell(c, rows[rng.IntN(len(rows))][i], rng)
				}
			}
			out = append(out, row)
		}
		return out, nil
	}
}

// only keeps the rows that the role sees.
func only(seen map[string]map[string]bool) embedded.Change {
	return func(tab schema.Table, rows [][]any) ([][]any, error) {
		out := [][]any{}
		for _, row := range rows {
			if seen[tab.Name] == nil || seen[tab.Name][runner.RowKey(row)] {
				out = append(out, row)
			}
		}
		return out, nil
	}
}

// otherCell is another value of a column: another row's, NULL, or one at an end of its type.
func otherCell(c schema.Column, other any, rng *rand.Rand) any {
	typ := schema.ParseType(c.Type)
	if c.Nullable && rng.IntN(4) == 0 {
		return nil
	}
	if rng.IntN(2) == 0 {
		switch n, _ := typ.Length(); {
		case typ.Name == "bigint":
			return int64(1<<63 - 1)
		case typ.Name == "int":
			return int64(1<<31 - 1)
		case typ.Name == "double":
			return 1e308
		case typ.Name == "text" || typ.Name == "varchar" && n >= 5:
			return "zz%_'"
		}
	}
	if other == nil && !c.Nullable {
		return int64(0)
	}
	return other
}

// goldTests counts what TestRoleOnGolds did.
type goldTests struct{ databases, golds, refused, ran, failed, direct, compared, ties int }

// TestRoleOnGolds puts roles by chance before the databases of gold queries, and changes what they do not see: no
// answer may differ by it, and each must be the answer on a database that has nothing else than what the role sees.
//
//	go test ./runner -run RoleOnGolds -rolegolds 2000 -v
func TestRoleOnGolds(t *testing.T) {
	n := *roleGolds
	if testing.Short() {
		n /= 5
	}
	names, of := fitGolds(t, n)
	t.Run("embedded", func(t *testing.T) {
		var n goldTests
		for i, name := range names {
			n.databases++
			refuteRole(t, name, of[name], uint64(i), &n)
		}
		t.Logf("%+v", n)
		must.Be(t, n.direct != 0 && n.ran >= n.golds/2 && n.compared != 0, "these show nothing")
	})
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			server := scratchServer(t, engine)
			t.Setenv("NL2SQL_CACHE", t.TempDir())
			var n goldTests
			for i, name := range names {
				if i%10 != 0 {
					continue
				}
				n.databases++
				refuteRoleOn(t, name, of[name], uint64(i), &n, func(side, script string) runner.DB {
					return must.Get(server.Create(t.Context(), "r_"+side, strings.NewReader(script),
						runner.Limits{Unread: true, Rows: 10_000}))(t)
				})
			}
			t.Logf("%+v", n)
			must.Be(t, n.ran != 0, "these show nothing")
		})
	}
}

// rolePair is a database, one that differs in what a role does not see, and one without that.
func rolePair(t *testing.T, name string, seed uint64) (d drawnRole, base, changed, left *embedded.DB) {
	t.Helper()
	db, err := embedded.OpenFolder(t.Context(), golds.Path(t, golds.Spider), name, runner.Limits{Rows: 10_000})
	must.Do(t, err)
	s := must.Get(db.Schema(t.Context()))(t)
	rng := rand.New(rand.NewPCG(seed, 37))
	d = drawRole(t, db, s, rng)
	seen := d.allowed(t, db, s)
	if changed, err = db.Clone(t.Context(), d.change(seen, rng)); err == nil {
		left, err = db.Clone(t.Context(), only(seen))
	}
	must.Do(t, err, name)
	return d, db, changed, left
}

func (d *drawnRole) sighted(t *testing.T, db runner.DB) roleSight {
	t.Helper()
	r, err := role.Read("drawn", d.text, d.given)
	must.Do(t, err, d.text)
	out := roleSight{inner: db}
	if out.full, err = db.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out.as, err = runner.As(t.Context(), db, r); err != nil {
		t.Fatalf("%v\n%s", err, d.text)
	}
	if out.see, err = out.as.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out
}

// refuteRole does so for one database of the embedded engine.
func refuteRole(t *testing.T, name string, golds []string, seed uint64, n *goldTests) {
	d, base, changed, left := rolePair(t, name, seed)
	a, b := d.sighted(t, base), d.sighted(t, changed)
	defer a.as.Close()
	defer b.as.Close()
	defer left.Close()
	sameRows(t, name, a, b)
	for _, sql := range golds {
		n.golds++
		told := a.told(t.Context(), t, sql)
		if other := b.told(t.Context(), t, sql); told != other {
			t.Errorf("%s, role %s %v:\n%s\ntells %.300s\nand   %.300s", name, d.text, d.given, sql, told, other)
		}
		if strings.HasPrefix(told, "refused") {
			n.refused++
			continue
		}
		n.ran++
		if !strings.HasPrefix(told, "[") {
			n.failed++
			t.Logf("%s: %s: %s", name, sql, told)
		}
		plain := tells(t.Context(), t, left, a.full, sql)
		if tells(t.Context(), t, a.inner, a.full, sql) != tells(t.Context(), t, b.inner, b.full, sql) {
			n.direct++
		}
		if d.touches(sql, a.full) || strings.Contains(sql, "LIMIT") || strings.Contains(sql, "SELECT *") {
			continue
		}
		n.compared++
		if sorted(told) != sorted(plain) {
			t.Errorf("%s, role %s %v:\n%s\nis   %.300s\nwant %.300s", name, d.text, d.given, sql, told, plain)
		}
	}
}

// sorted is a told answer without the order of its rows.
func sorted(told string) string {
	lines := strings.Split(told, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// touches says that a query reads a column for whose values others stand.
func (d *drawnRole) touches(sql string, s *schema.Schema) bool {
	return slices.ContainsFunc(sqlcheck.Inspect(sql, s).FieldsUsed, func(f string) bool { return d.masked[f] })
}

// sameRows wants two databases to be the same for the role, table by table.
func sameRows(t *testing.T, name string, a, b roleSight) {
	t.Helper()
	for i := range a.see.Tables {
		sql := "SELECT * FROM " + runner.QuoteName(a.see.Tables[i].Name)
		if x, y := a.told(t.Context(), t, sql), b.told(t.Context(), t, sql); x != y {
			t.Fatalf("%s: %s\n%.300s\n%.300s", name, sql, x, y)
		}
		if x, y := fmt.Sprintf("%+v", a.see.Tables[i]), fmt.Sprintf("%+v", b.see.Tables[i]); x != y {
			t.Errorf("%s: what is known of a table differs:\n%.500s\n%.500s", name, x, y)
		}
	}
}

// refuteRoleOn does so on a server. Which rows of a tie LIMIT cuts hangs there on how large tables are: such
// differences are counted.
func refuteRoleOn(t *testing.T, name string, golds []string, seed uint64, n *goldTests,
	create func(side, script string) runner.DB) {
	d, base, changed, left := rolePair(t, name, seed)
	var on [2]roleSight
	for i, db := range []*embedded.DB{base, changed} {
		snap := must.Get(suite.ReadSnapshot(t.Context(), db))(t)
		on[i] = d.sighted(t, create(fmt.Sprint(i), string(snap.Script())))
		defer on[i].as.Close()
		defer db.Close()
	}
	defer left.Close()
	sameRows(t, name, on[0], on[1])
	for _, sql := range golds {
		n.golds++
		told := on[0].told(t.Context(), t, sql)
		other := on[1].told(t.Context(), t, sql)
		switch {
		case strings.HasPrefix(told, "refused"):
			n.refused++
			continue
		case sorted(told) == sorted(other):
		case strings.Contains(sql, "LIMIT"):
			n.ties++
		default:
			t.Errorf("%s, role %s %v:\n%s\ntells %.300s\nand   %.300s", name, d.text, d.given, sql, told, other)
		}
		n.ran++
		if !strings.HasPrefix(told, "[") {
			n.failed++
			t.Logf("%s: %s: %s", name, sql, told)
		}
	}
}
