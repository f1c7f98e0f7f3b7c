package dissertation

import (
	"path/filepath"
	"strconv"
	"strings"
)

// GridRow is a row of the dissertation's grid: what is run, with how many exemplars, under how many seeds (dissertation.md §5.11).
type GridRow struct {
	Name    string // in conditions
	Agent   string
	Adapter bool // with the fine-tuned adapter
	Cells   []GridCell
}

// GridCell is a number of exemplars, and of seeds under which they are drawn.
type GridCell struct{ Shots, Seeds int }

// Grid is the dissertation's.
var Grid = []GridRow{
	{"base", "baseline", false, []GridCell{{0, 1}, {3, 10}}},
	{"react", "react", false, []GridCell{{3, 5}}},
	{"qlora", "baseline", true, []GridCell{{0, 1}, {3, 10}}},
}

// GridSeed is the nth seed: 7, 17, 27 …
func GridSeed(n int) string { return strconv.Itoa(7 + 10*n) }

// GridModel is what the published conditions call a model: one of their families stands beside their figures.
func GridModel(model string) string {
	name := strings.ToLower(strings.TrimSuffix(model, filepath.Ext(model)))
	for _, family := range []string{"llama", "qwen"} {
		if strings.Contains(name, family) {
			return family
		}
	}
	return name
}
