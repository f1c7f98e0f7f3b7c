package embedded

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// zoned are time zones with and without summer time, with one of half an hour, and south of the equator.
var zoned = []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo"}

// CONVERT_TZ between named zones is as on a MySQL with its zone tables, also where the clocks are put forward and back.
func TestZonesAgainstMySQL(t *testing.T) {
	script := must.Get(assets.DemoSQL())(t)
	process := startMySQL(t, assets.DemoName, script)
	admin := must.Get(sql.Open("mysql", process.AdminDSN()))(t)
	defer admin.Close()
	empty := func() {
		for _, table := range []string{"", "_name", "_transition", "_transition_type"} {
			must.Get(admin.Exec("DELETE FROM mysql.time_zone" + table))(t)
		}
	}
	empty() // the server's folder is kept for other tests
	defer empty()
	var changes []time.Time
	for i, name := range zoned {
		loc := must.Get(time.LoadLocation(name))(t)
		statements, at := zoneTables(name, i+1, loc)
		changes = append(changes, at...)
		for _, statement := range statements {
			if _, err := admin.Exec(statement); err != nil {
				t.Fatalf("%v\n%.300s", err, statement)
			}
		}
	}
	server := must.Get(runner.Open(t.Context(), process.DSN(), runner.Limits{}))(t)
	defer server.Close()
	db, random := openDemo(t), rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		at := changes[random.IntN(len(changes))].Add(time.Duration(random.IntN(8*3600)-4*3600) * time.Second)
		from, to := zoned[random.IntN(len(zoned))], zoned[random.IntN(len(zoned))]
		if loc, _ := time.LoadLocation(from); random.IntN(2) == 0 {
			at = at.In(loc)
		}
		text := fmt.Sprintf("SELECT CONVERT_TZ('%s', '%s', '%s') AS x", at.Format(time.DateTime), from, to)
		want, err := reply(t.Context(), server, text)
		must.Have(t, err == nil && want.Rows[0][0] != "NULL", text, "MySQL", want.Rows, err)
		if got, err := reply(t.Context(), db, text); err != nil || !sameAnswer(want, got) {
			t.Errorf("%s\nMySQL %v\nhere  %v %v", text, want.Rows, got.Rows, err)
		}
	}
}

// zoneTables are what MySQL's zone tables have of a zone from 1970 to 2037, and when its clocks are changed.
func zoneTables(name string, id int, loc *time.Location) (statements []string, changes []time.Time) {
	types, rows, transitions := map[string]int{}, []string{}, []string{}
	kind := func(at time.Time) int {
		short, offset := at.Zone()
		key := fmt.Sprintf("%d, %t, '%s'", offset, at.IsDST(), short)
		if _, ok := types[key]; !ok {
			types[key] = len(types)
			rows = append(rows, fmt.Sprintf("(%d, %d, %s)", id, types[key], key))
		}
		return types[key]
	}
	at := time.Unix(0, 0).In(loc)
	kind(at)
	for {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.Year() > 2037 {
			break
		}
		at = end.In(loc)
		changes = append(changes, at.UTC())
		transitions = append(transitions, fmt.Sprintf("(%d, %d, %d)", id, at.Unix(), kind(at)))
	}
	statements = []string{
		fmt.Sprintf("INSERT INTO mysql.time_zone VALUES (%d, 'N')", id),
		fmt.Sprintf("INSERT INTO mysql.time_zone_name VALUES ('%s', %d)", name, id),
		"INSERT INTO mysql.time_zone_transition_type VALUES " + strings.Join(rows, ", "),
	}
	if list := strings.Join(transitions, ", "); list != "" {
		statements = append(statements, "INSERT INTO mysql.time_zone_transition VALUES "+list)
	}
	return statements, changes
}
