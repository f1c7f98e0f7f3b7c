package report

import (
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"
)

// part is what a name of a condition is made of: letters up to the next mark.
var part = regexp.MustCompile(`[^_+/: -]*[_+/: -]?`)

// differing are names without what all of them begin and end with: what is left says what differs. … stands for what went.
func differing(names []string) []string {
	if len(names) < 2 {
		return names
	}
	var all [][]string
	least := -1
	for _, name := range names {
		parts := part.FindAllString(name, -1)
		all = append(all, parts)
		if least < 0 || len(parts) < least {
			least = len(parts)
		}
	}
	alike := func(most int, at func(parts []string, i int) string) int {
		for i := range most {
			if slices.ContainsFunc(all, func(parts []string) bool { return at(parts, i) != at(all[0], i) }) {
				return i
			}
		}
		return max(0, most)
	}
	head := alike(least-1, func(parts []string, i int) string { return parts[i] })
	tail := alike(least-1-head, func(parts []string, i int) string { return parts[len(parts)-1-i] })
	out := make([]string, len(names))
	for i, parts := range all {
		for _, p := range parts[head : len(parts)-tail] {
			out[i] += p
		}
		if head > 0 {
			out[i] = "…" + out[i]
		}
		if tail > 0 {
			out[i] += "…"
		}
	}
	return out
}

// clipped is text of at most n letters, without its middle if it is longer.
func clipped(s string, n int) string {
	r := []rune(s)
	if len(r) <= n || n < 3 {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-1-n/2):])
}

// label names a condition in at most n letters: its number, as in the overview, and its name, of which only what sets it apart
// from the others is there where names are longer.
func (r Report) label(i, n int) string {
	if len(r.Conditions) == 1 {
		return clipped(r.Conditions[0].Name, n)
	}
	var names []string
	for _, c := range r.Conditions {
		names = append(names, c.Name)
	}
	number := fmt.Sprintf("#%d ", i+1)
	n -= len(number)
	if slices.ContainsFunc(names, func(name string) bool { return utf8.RuneCountInString(name) > n }) {
		names = differing(names)
	}
	return number + clipped(names[i], n)
}

// labelOf is the label of a condition by its name.
func (r Report) labelOf(name string, n int) string {
	return r.label(slices.IndexFunc(r.Conditions, func(c ConditionReport) bool { return c.Name == name }), n)
}
