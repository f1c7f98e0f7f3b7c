package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// part is what a name of a condition is made of: letters and digits, or a mark between them.
var part = regexp.MustCompile(`[^_+/:, -]+|[_+/:, -]`)

// differing are names without what all of them have, in that order: what is left says what differs. … stands for what
// went.
func differing(names []string) []string {
	if len(names) < 2 {
		return names
	}
	common := part.FindAllString(names[0], -1)
	for _, name := range names[1:] {
		common = commonParts(common, part.FindAllString(name, -1))
	}
	out := make([]string, len(names))
	for i, name := range names {
		at, gap := 0, false
		for _, p := range part.FindAllString(name, -1) {
			if at < len(common) && p == common[at] {
				at, gap = at+1, true
				continue
			}
			if gap && !strings.HasSuffix(out[i], "…") {
				out[i] += "…"
			}
			out[i], gap = out[i]+p, false
		}
		if out[i] == "" { // the others have more
			out[i] = name
		} else if gap {
			out[i] += "…"
		}
	}
	return out
}

// commonParts is a longest list of parts that both have in this order.
func commonParts(a, b []string) (common []string) {
	length := make([][]int, len(a)+1) // of the longest list of a[i:] and b[j:]
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}

// clipped is text of at most n letters, without its middle if it is longer.
func clipped(s string, n int) string { return clippedAfter(s, n, n/2) }

// clippedAfter is clipped with the first head letters.
func clippedAfter(s string, n, head int) string {
	r := []rune(s)
	if len(r) <= n || n < 3 {
		return s
	}
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// clippedApart is the clipped name i; its gap is as near to the middle as it can be and sets the name apart from the
// others.
func clippedApart(names []string, i, n int) string {
	for off := range n / 2 {
		for _, head := range []int{n/2 + off, n/2 - off} {
			mine := clippedAfter(names[i], n, min(head, n-1))
			if !slices.ContainsFunc(names, func(name string) bool {
				return name != names[i] && clippedAfter(name, n, min(head, n-1)) == mine
			}) {
				return mine
			}
		}
	}
	return clipped(names[i], n)
}

// label names a condition in at most n letters: its number, as in the overview, and its name.
func (r Report) label(i, n int) string {
	if len(r.Conditions) == 1 {
		return r.name(i, n)
	}
	number := fmt.Sprintf("#%d ", i+1)
	return number + r.name(i, n-len(number))
}

// name is a condition's in at most n letters: only what sets it apart from the others, where names are longer.
func (r Report) name(i, n int) string {
	var names []string
	for _, c := range r.Conditions {
		names = append(names, c.Name)
	}
	if slices.ContainsFunc(names, func(name string) bool { return utf8.RuneCountInString(name) > n }) {
		names = differing(names)
	}
	return clippedApart(names, i, n)
}

// labelOf is the label of a condition by its name.
func (r Report) labelOf(name string, n int) string {
	return r.label(slices.IndexFunc(r.Conditions, func(c ConditionReport) bool { return c.Name == name }), n)
}
