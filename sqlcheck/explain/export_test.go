package explain

import (
	"maps"
	"slices"
)

// Functions are all that have words, sorted.
func Functions() []string {
	names := slices.Collect(maps.Keys(calls))
	names = slices.AppendSeq(names, maps.Keys(totals))
	names = slices.AppendSeq(names, maps.Keys(ranks))
	names = append(names, "group_concat")
	slices.Sort(names)
	return names
}
