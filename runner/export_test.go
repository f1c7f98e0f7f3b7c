package runner

import (
	"context"
)

// MaxConns is how many queries run at a time.
const MaxConns = maxConns

// Run runs any text as Query would run a checked one, with limits of its own.
func Run(ctx context.Context, db DB, text string, l Limits) (Result, error) {
	return db.(*server).run(ctx, text, l.WithDefaults())
}

// Lacks is the first of some functions that is not one of the server's own.
func Lacks(ctx context.Context, db DB, names ...string) (string, error) {
	return db.(*server).lacks(ctx, names)
}

// ScanView reads the definition of a view: what it should not call, and the tables that it reads.
func ScanView(def string) (calls string, tables []string) {
	t := scanView(def)
	for _, n := range t.tables {
		tables = append(tables, n.in("here").String())
	}
	return t.calls, tables
}

// WeighDefinition counts what a view comes to that reads no other one.
func WeighDefinition(def string) int {
	view, tables := name{"here", "v"}, map[name][]name{}
	scanView(def).reads(view, "here", tables)
	return weigh(view, tables, map[name]int{})
}

// WeighView counts what a view comes to: reads is what each view reads.
func WeighView(view string, reads map[string][]string) int {
	tables := map[name][]name{}
	for v, list := range reads {
		for _, n := range list {
			tables[name{"", v}] = append(tables[name{"", v}], name{"", n})
		}
	}
	return weigh(name{"", view}, tables, map[name]int{})
}
