package syntax

import (
	"cmp"
	"slices"
	"strings"
)

// DidYouMean asks whether the nearest of the names there are was meant; where none is near it is otherwise.
func DidYouMean(name string, there []string, otherwise string) string {
	if near := NearNames(name, there); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return otherwise
}

// NearNames lists the candidates that are spelled almost like name, best first, at most three.
func NearNames(name string, candidates []string) []string {
	type near struct {
		name string
		dist int
	}
	var hits []near
	low := foldName(name)
	for _, c := range candidates {
		fold := foldName(c)
		dist := editDistance(low, fold)
		switch {
		case fold == low:
			dist = 0
		case len(low) >= 3 && (strings.Contains(fold, low) || strings.Contains(low, fold) && len(fold) >= 3):
			dist = min(dist, 2)
		}
		if dist <= max(1, min(len(low), len(fold))/3) {
			hits = append(hits, near{c, dist})
		}
	}
	slices.SortStableFunc(hits, func(a, c near) int { return cmp.Compare(a.dist, c.dist) })
	return Map(hits[:min(3, len(hits))], func(h near) string { return h.name })
}

// foldName makes spellings comparable: lower case, no underscores, no blanks.
func foldName(s string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(s))
}

// editDistance is how many insertions, deletions, substitutions and swaps of neighbours turn a into c, over bytes.
func editDistance(a, c string) int {
	last, row, next := make([]int, len(c)+1), make([]int, len(c)+1), make([]int, len(c)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(c) {
			cost := row[j]
			if a[i] != c[j] {
				cost++
			}
			if i > 0 && j > 0 && a[i] == c[j-1] && a[i-1] == c[j] {
				cost = min(cost, last[j-1]+1)
			}
			next[j+1] = min(cost, row[j+1]+1, next[j]+1)
		}
		last, row, next = row, next, last
	}
	return row[len(c)]
}

// OneEdit reports whether one insertion, deletion, substitution or swap of neighbours turns a into b.
func OneEdit(a, b string) bool { return editDistance(a, b) == 1 }
