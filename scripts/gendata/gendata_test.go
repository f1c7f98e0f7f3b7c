package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/assets"
	"nl2sql/scripts/must"
)

// The committed file is what the generator writes.
func TestCommitted(t *testing.T) {
	want := must.Get(Pack(Script(seed)))(t)
	got := must.Get(os.ReadFile("../../assets/data/classicmodels.sql.zst"))(t)
	if !bytes.Equal(got, want) {
		t.Error("assets/data/classicmodels.sql.zst is not what gendata makes: go run ./scripts/gendata")
	}
	script := must.Get(assets.DemoSQL())(t)
	if !bytes.Equal(script, Script(seed)) {
		t.Error("assets.DemoSQL is not the generated script")
	}
}

var insert = regexp.MustCompile("(?s)INSERT INTO `(\\w+)` VALUES\n(.*?);\n")

// rows are the lines of the INSERT statements, by table.
func rows(script []byte) map[string][]string {
	out := map[string][]string{}
	for _, m := range insert.FindAllStringSubmatch(string(script), -1) {
		out[m[1]] = append(out[m[1]], strings.Split(m[2], "\n")...)
	}
	return out
}

func TestScript(t *testing.T) {
	for _, s := range []uint64{seed, 1, 2} {
		script := Script(s)
		got := map[string]int{}
		for table, r := range rows(script) {
			got[table] = len(r)
		}
		want := map[string]int{"customers": 122, "employees": 23, "offices": 7, "orderdetails": 2996, "orders": 326,
			"payments": 273, "products": 110, "productlines": 7}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: rows (-want +got):\n%s", s, diff)
		}
		if m := regexp.MustCompile(` '[,)]`).Find(script); m != nil {
			t.Errorf("seed %d: a text ends in a blank", s)
		}
	}
}

// No name, address or text of the sample's original rows is in ours: only words that the two share on purpose.
func TestOwnRows(t *testing.T) {
	original, err := os.ReadFile("../../../shared/data/classicmodels.sql")
	if err != nil {
		t.Skip("the original dump is not here: ", err)
	}
	text := regexp.MustCompile(`'((?:[^'\\]|\\.)*)'`)
	theirs := map[string]bool{}
	for _, m := range text.FindAllSubmatch(original, -1) {
		theirs[strings.TrimSpace(string(m[1]))] = true
	}
	shared := map[string]bool{}
	for _, c := range countries {
		shared[c.name] = true
		for _, town := range c.cities {
			shared[town.name], shared[town.state] = true, true
		}
	}
	for _, o := range offices {
		shared[o.city], shared[o.state], shared[o.territory] = true, true, true
	}
	for _, l := range lines {
		shared[l.name] = true
		for _, s := range l.scales {
			shared[s] = true
		}
	}
	for _, e := range employees {
		shared[e.title] = true
	}
	for s := range comments {
		shared[s] = true
	}
	plain := regexp.MustCompile(`^[0-9.,-]*$`) // numbers, dates, codes of offices, postal codes
	for _, m := range text.FindAllSubmatch(Script(seed), -1) {
		if v := string(m[1]); theirs[v] && !shared[v] && !plain.MatchString(v) {
			t.Errorf("%q is in the original dump too", v)
		}
	}
}
