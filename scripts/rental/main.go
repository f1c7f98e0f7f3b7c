// Command rental writes a database with all that dumps hold: 16 tables with keys, shapes, bits, sets, JSON, generated
// columns and partitions, some 47,000 rows, views that read each other, triggers, routines and an event. MySQL since
// 8.0 and MariaDB since 10.3 load it; queries.jsonl has questions to compare what `db import` makes of their dumps
// (README.md). The same seed gives the same bytes.
//
//	go run ./scripts/rental > rental.sql
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

//go:embed schema.sql
var tables string

//go:embed programs.sql
var programs string

func main() {
	out := bufio.NewWriter(os.Stdout)
	write(out, 1)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "rental:", err)
		os.Exit(1)
	}
}

// writer writes rows as INSERT statements; the first error stays in out.
type writer struct {
	*rand.Rand
	out io.Writer
}

func write(out io.Writer, seed uint64) {
	w := writer{rand.New(rand.NewPCG(seed, 0)), out}
	fmt.Fprintln(out, tables)
	w.places()
	w.people()
	w.tools()
	w.business()
	w.notes()
	fmt.Fprint(out, "\n", programs)
}

// insert writes n rows, 400 a statement; row gives the values of the i-th, from 1 on, as SQL. columns is "" for all of
// them.
func (w writer) insert(table, columns string, n int, row func(i int) []any) {
	for i := 1; i <= n; i++ {
		switch {
		case i%400 == 1:
			fmt.Fprintf(w.out, "INSERT INTO %s %s VALUES\n", table, columns)
		default:
			io.WriteString(w.out, ",\n")
		}
		var cells []string
		for _, v := range row(i) {
			cells = append(cells, literal(v))
		}
		fmt.Fprintf(w.out, "(%s)", strings.Join(cells, ","))
		if i%400 == 0 || i == n {
			io.WriteString(w.out, ";\n")
		}
	}
}

// raw is SQL as it stands.
type raw string

var escaped = strings.NewReplacer("\\", "\\\\", "'", "''", "\n", "\\n", "\x00", "\\0", "\x1a", "\\Z")

func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + escaped.Replace(v) + "'"
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

// maybe is v, but NULL in percent of the rows.
func (w writer) maybe(percent int, v any) any {
	if w.IntN(100) < percent {
		return nil
	}
	return v
}

func pick[T any](w writer, list []T) T { return list[w.IntN(len(list))] }

// moment is a time of day in one of three years.
func (w writer) moment() string {
	return fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d", 2023+w.IntN(3), 1+w.IntN(12), 1+w.IntN(28), w.IntN(24),
		w.IntN(60), w.IntN(60))
}

func (w writer) cents(below int) raw { return raw(fmt.Sprintf("%d.%02d", w.IntN(below), w.IntN(100))) }
