package cli

import (
	"testing"

	"nl2sql/assets"
	"nl2sql/evaluation/grid"
	"nl2sql/scripts/must"
)

// What is built in has no flag that eval would refuse.
func TestBuiltInGrids(t *testing.T) {
	for _, name := range assets.Grids() {
		text, err := assets.Grid(name)
		must.Do(t, err)
		p := parser(t)
		given, err := p.Parse([]string{"grid", name, "--out=x", "--limit=5"})
		must.Do(t, err)
		keys, _ := evalKeys(t.Context(), given, &set{})
		must.Be(t, keys.Given["limit"] == "5" && len(keys.Given) == 1, "given", keys.Given)
		delete(keys.Given, "limit")
		cells, err := grid.Read(name, text, keys)
		must.Do(t, err)
		for _, cell := range cells {
			if _, err := commandOf(name, cell, "x", &set{}); err != nil {
				t.Error(err)
			}
		}
	}
}
