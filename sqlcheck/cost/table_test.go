package cost

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// Each word of functions.txt is one that the account looks for, and stands with as many numbers as it needs.
func TestFunctions(t *testing.T) {
	numbers := map[string]int{"nanos": 1, "again": 1, "search": 2, "paths": 2, "shape": 1, "moves": 1}
	for name := range strings.FieldsSeq("number:first number:any number:length number:small number:data part plain " +
		"compares edits merges nodes") {
		numbers[name] = 1
	}
	for name := range growths {
		numbers[name] = 1
	}
	must.Be(t, len(functions) > 200, len(functions))
	for name, f := range functions {
		for _, word := range slices.Sorted(maps.Keys(f.has)) {
			must.Be(t, numbers[word] == len(f.has[word]), name, word)
		}
	}
	for name, a := range Arities {
		must.Be(t, a.Takes(a.Least) && !a.Takes(a.Least-1), name, a)
		must.Be(t, a.Most < 0 || a.Takes(a.Most) && !a.Takes(a.Most+1), name, a)
	}
}
