package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
)

// The lists are what the rule gives.
func TestSplit(t *testing.T) {
	all := slices.Concat(sides["check"], sides["fit"])
	hash := func(name string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(name))) }
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(hash(a), hash(b)) })
	if n := len(slices.Compact(slices.Clone(all))); n != 130 || len(all) != 130 {
		t.Fatalf("%d names, %d of them different", len(all), n)
	}
	for side, want := range map[string][]string{"check": all[:26], "fit": all[26:]} {
		slices.Sort(want)
		must.Same(t, sides[side], want, side)
	}
}

func TestSideOf(t *testing.T) {
	for _, tt := range []struct{ name, csv, fault string }{
		{"both sides", "database,question,sql\nship_1,How many?,SELECT 1\nactivity_1,Which?,SELECT 2\nship_1,Who?,SELECT 3\n", ""},
		{"another database", "database,question,sql\npets,How many?,SELECT 1\n",
			`database "pets" is on neither side of the split`},
	} {
		folder := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(folder, "items.csv"), []byte(tt.csv), 0o666))
		items, err := sideOf(folder, "check")
		if tt.fault != "" {
			must.Be(t, err != nil && strings.HasSuffix(err.Error(), tt.fault), tt.name, err)
			continue
		}
		want := []item.Item{
			{ID: "check-0", Database: "ship_1", Question: "How many?", SQL: "SELECT 1"},
			{ID: "check-1", Database: "ship_1", Question: "Who?", SQL: "SELECT 3"},
		}
		if diff := cmp.Diff(want, items); err != nil || diff != "" {
			t.Errorf("%s: %v %s", tt.name, err, diff)
		}
	}
}
