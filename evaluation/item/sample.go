package item

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// Sample takes n items that stand for all: those of a database lie together, and are cut with all others into n stretches of one length; of each
// stretch it takes the item whose question and gold query have the least SHA-256. So each database has its share, no rhythm of the file
// counts, and the same file gives the same sample. It is in the items' order. Where n is 0 or not less than their number, it is all of them.
func Sample(items []Item, n int) []Item {
	if n <= 0 || n >= len(items) {
		return items
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(items[a].Database, items[b].Database) })
	least := func(a, b int) int {
		x := sha256.Sum256([]byte(items[a].Question + "\n" + items[a].SQL))
		y := sha256.Sum256([]byte(items[b].Question + "\n" + items[b].SQL))
		return cmp.Or(slices.Compare(x[:], y[:]), cmp.Compare(a, b))
	}
	taken := make([]int, n)
	for i := range n {
		taken[i] = slices.MinFunc(order[i*len(order)/n:(i+1)*len(order)/n], least)
	}
	slices.Sort(taken)
	sample := make([]Item, n)
	for i, at := range taken {
		sample[i] = items[at]
	}
	return sample
}
