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
	names = append(names, "count", "max", "min", "group_concat", "json_objectagg", "ntile", "lag", "lead", "first_value", "last_value",
		"nth_value")
	slices.Sort(names)
	return names
}
