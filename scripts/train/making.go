package main

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed making/*.txt
var making embed.FS

// made reads a description of a database, see README.md, and writes its schema.sql and data beneath dir.
func made(dbName, description, dir string) (*database, error) {
	d := &database{name: dbName}
	rng := rand.New(rand.NewPCG(uint64(len(dbName)), seedOf(dbName)))
	var ddl strings.Builder
	var t *table
	var rules []string
	var comment string
	data := map[string][][]string{}
	keys := []string{}
	flush := func() error {
		if t == nil {
			return nil
		}
		ddl.WriteString(createTable(t, d, rules, keys, comment))
		rows, err := fill(rng, d, t, rules, data)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", dbName, t.name, err)
		}
		data[t.name] = rows
		keys = nil
		return writeRows(filepath.Join(dir, dbName, "data", t.name+".csv"), t, rules, rows)
	}
	for n, line := range strings.Split(description, "\n") {
		f := strings.Split(line, "|")
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		at := func(i int) string {
			if i < len(f) {
				return f[i]
			}
			return ""
		}
		var err error
		switch head, rest, _ := strings.Cut(f[0], " "); {
		case f[0] == "" || head == "#":
		case f[0] == "nokeys":
			d.nokeys = true
		case head == "=":
			if err = flush(); err != nil {
				return nil, err
			}
			t, rules, comment = &table{name: rest, one: at(1), many: at(2)}, nil, at(4)
			t.rows = atoi(at(3))
			d.tables = append(d.tables, t)
		case head == "+": // an expression: noun | expression | role
			t.cols = append(t.cols, &column{table: t, role: role(at(2)), noun: rest, expr: at(1), unit: at(3)})
		case head == ">": // a key of several columns
			err = addLink(d, t, rest, at(1), at(2))
		case head == "&": // a tie: A's column | B's column | did/do
			err = addTie(d, t, rest, at(1), at(2))
		default:
			rules = append(rules, line)
			err = addColumn(d, t, f[0], at(1), at(2), at(3), at(4))
			if strings.Contains(at(2), "pk") {
				keys = append(keys, f[0])
				t.pk = keys
			}
		}
		if err != nil {
			return nil, fmt.Errorf("making/%s.txt:%d: %w", dbName, n+1, err)
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	for _, t := range d.tables {
		shown(t)
	}
	return d, os.WriteFile(filepath.Join(dir, dbName, "schema.sql"), []byte(ddl.String()), 0o644)
}

func seedOf(s string) (n uint64) {
	for _, b := range []byte(s) {
		n = n*31 + uint64(b)
	}
	return n
}

func addColumn(d *database, t *table, colName, typ, what, words, rule string) error {
	c := &column{table: t, expr: "{" + colName + "}", typ: strings.ToLower(typ)}
	w := strings.Split(words, ";")
	word := func(i int) string {
		if i < len(w) {
			return strings.TrimSpace(w[i])
		}
		return ""
	}
	c.noun = word(0)
	for _, part := range strings.Fields(what) {
		switch role(part) {
		case key, name, category, amount, rate, moment, text:
			c.role = role(part)
		case "pk":
			c.role = key
		default:
			parent := d.table(part)
			if parent == nil { // a name with blanks
				parent = d.table(strings.ReplaceAll(part, "_", " "))
			}
			if parent == nil {
				return fmt.Errorf("column %s: %q is neither a use nor a table above", colName, part)
			}
			c.role = key
			l := &link{child: t, parent: parent, cols: []string{colName}, refs: parent.pk[:1], as: word(0)}
			l.did, l.do, _ = strings.Cut(word(1), "/")
			d.links = append(d.links, l)
		}
	}
	switch c.role {
	case moment:
		c.do, c.noun, c.null = word(0), word(1), word(2)
	case category:
		c.do, c.that, c.null = word(1), word(2), word(3)
	case amount, rate:
		c.unit = word(1)
		c.null = word(2)
	}
	if codes, ok := strings.CutPrefix(rule, "code "); ok {
		c.meaning = map[string]string{}
		for _, pair := range strings.Split(strings.Split(codes, " null ")[0], ",") {
			code, means, _ := strings.Cut(strings.TrimSpace(pair), "=")
			c.meaning[code] = means
		}
	}
	t.cols = append(t.cols, c)
	return nil
}

func addLink(d *database, t *table, parent, cols, words string) error {
	l := &link{child: t, parent: d.table(parent), cols: strings.Split(cols, ",")}
	if l.parent == nil || len(l.cols) != len(l.parent.pk) {
		return fmt.Errorf("%s: no table above with a key of so many columns", parent)
	}
	l.refs = l.parent.pk
	var did string
	l.as, did, _ = strings.Cut(words, ";")
	l.did, l.do, _ = strings.Cut(strings.TrimSpace(did), "/")
	d.links = append(d.links, l)
	return nil
}

func addTie(d *database, t *table, a, b, did string) error {
	e := &tie{}
	for _, l := range d.links {
		if l.child == t && l.cols[0] == a {
			e.a = l
		}
		if l.child == t && l.cols[0] == b {
			e.b = l
		}
	}
	if e.a == nil || e.b == nil {
		return fmt.Errorf("no links %s and %s", a, b)
	}
	e.did, e.do, _ = strings.Cut(did, "/")
	d.ties = append(d.ties, e)
	return nil
}

// shown chooses what stands for a row: its names, else its key.
func shown(t *table) {
	for _, c := range t.cols {
		if c.role == name && len(t.show) < 2 {
			t.show = append(t.show, c)
		}
	}
	for _, k := range t.pk {
		if c := t.column(k); len(t.show) == 0 && len(t.pk) == 1 && c != nil && c.noun != "" {
			t.show = append(t.show, c)
		}
	}
}

func createTable(t *table, d *database, rules, keys []string, comment string) string {
	var lines []string
	for _, r := range rules {
		f := strings.Split(r, "|")
		colName, typ, rule, note := strings.TrimSpace(f[0]), strings.TrimSpace(f[1]), "", ""
		if len(f) > 4 {
			rule = f[4]
		}
		if len(f) > 5 {
			note = strings.TrimSpace(f[5])
		}
		line := "  " + ident(colName) + " " + typ
		if !strings.Contains(rule, "null ") && !slices.ContainsFunc(d.links, func(l *link) bool {
			return l.child == t && l.parent == t && l.cols[0] == colName // the first row has none above it
		}) {
			line += " NOT NULL"
		}
		if note == "codes" {
			_, codes, _ := strings.Cut(rule, "code ")
			note = strings.NewReplacer("=", " ", ",",
				", ").Replace(strings.TrimSpace(strings.Split(codes, " null ")[0]))
		}
		if note != "" {
			line += " COMMENT " + literal(note)
		}
		lines = append(lines, line)
	}
	if len(keys) > 0 {
		lines = append(lines, "  PRIMARY KEY ("+idents(keys)+")")
	}
	for _, l := range d.links {
		if l.child == t && !d.nokeys {
			lines = append(lines, fmt.Sprintf("  FOREIGN KEY (%s) REFERENCES %s (%s)", idents(l.cols),
				ident(l.parent.name), idents(l.refs)))
		}
	}
	end := ")"
	if comment != "" {
		end += " COMMENT=" + literal(comment)
	}
	return "CREATE TABLE " + ident(t.name) + " (\n" + strings.Join(lines, ",\n") + "\n" + end + ";\n\n"
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func writeRows(file string, t *table, rules []string, rows [][]string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := csv.NewWriter(f)
	var head []string
	for _, r := range rules {
		head = append(head, strings.TrimSpace(strings.Split(r, "|")[0]))
	}
	if err := w.Write(head); err != nil {
		return err
	}
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return f.Close()
}
