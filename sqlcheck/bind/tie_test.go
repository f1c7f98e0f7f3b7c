package bind

import (
	"slices"
	"testing"

	"nl2sql/scripts/must"
)

// All that are tied to a source go with it, whatever their order is.
func TestTie(t *testing.T) {
	group := []int{0, 1, 2, 3}
	for _, pair := range [][2]int{{1, 2}, {3, 0}, {1, 3}} {
		Tie(group, pair[0], pair[1])
	}
	must.Be(t, slices.Min(group) == slices.Max(group), group)
}
