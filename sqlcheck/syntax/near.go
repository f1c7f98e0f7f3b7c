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
	out := make([]string, 0, 3)
	for _, h := range hits[:min(3, len(hits))] {
		out = append(out, h.name)
	}
	return out
}

// foldName makes spellings comparable: lower case, no underscores, no blanks.
func foldName(s string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(s))
}

// editDistance is Levenshtein's, over bytes.
func editDistance(a, c string) int {
	row := make([]int, len(c)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(c) {
			cost := diag
			if a[i] != c[j] {
				cost++
			}
			diag, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(c)]
}

// OneEdit reports whether one insertion, deletion, substitution or swap of neighbours turns a into b.
func OneEdit(a, b string) bool {
	if editDistance(a, b) == 1 {
		return true
	}
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return len(a) == len(b) && i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
