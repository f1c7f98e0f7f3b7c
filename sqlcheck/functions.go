package sqlcheck

import (
	_ "embed"
	"maps"
	"slices"

	"nl2sql/sqlcheck/cost"
	"nl2sql/sqlcheck/syntax"
)

// Functions lists what [Check] lets statements call, sorted: scalar, aggregate and window functions, by the lower-case
// names that TiDB's parser gives them. An engine's tests go through it.
func Functions() (names []string) {
	names = slices.AppendSeq(names, maps.Keys(cost.Arities))
	names = slices.AppendSeq(names, maps.Keys(aggregates))
	names = slices.AppendSeq(names, maps.Keys(windowOnly))
	slices.Sort(names)
	return names
}

// functionTexts are lists of functions by their kinds, which it explains.
//
//go:embed functions.txt
var functionTexts string

var (
	listed             = syntax.Table(functionTexts)
	grammarFunctions   = syntax.WordSet(listed["grammar"])
	aggregates         = syntax.WordSet(listed["aggregate"])
	distinctAggregates = syntax.WordSet(listed["distinct"])
	windowOnly         = syntax.WordSet(listed["window"])
	forbidden          = syntax.WordSet(listed["forbidden"])
)

// foreign are functions of other databases that models write, with what MySQL has instead.
//
//go:embed foreign.txt
var foreign string

var foreignFunctions = syntax.Table(foreign)
