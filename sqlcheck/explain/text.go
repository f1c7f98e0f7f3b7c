package explain

import "strings"

// Lines is an explanation for people: a label and what it is about, one below the other, and queries below the one that
// speaks of them.
func (e Explanation) Lines() []string { return e.lines("") }

// Line is an explanation in one line: what is shown of which rows, in which order and how many; not the queries within.
func (e Explanation) Line() string {
	parts := []string{"a row is " + e.Row}
	if len(e.Shows) > 0 {
		parts = append([]string{strings.Join(e.Shows, ", ")}, parts...)
	} else { // a set operation
		for _, q := range e.Queries {
			parts = append(parts, q.Name+": "+q.Line())
		}
	}
	add := func(before string, list []string, between string) {
		if len(list) > 0 {
			parts = append(parts, before+strings.Join(list, between))
		}
	}
	add("where ", e.Where, " and ")
	add("of groups where ", e.Having, " and ")
	add("in the order of ", e.Order, ", ")
	if e.Limit != "" {
		parts = append(parts, e.Limit)
	}
	return strings.Join(parts, "; ")
}

const labelWidth = 13

func (e Explanation) lines(indent string) (out []string) {
	add := func(label string, texts ...string) {
		for i, text := range texts {
			if i > 0 {
				label = ""
			}
			out = append(out, indent+label+strings.Repeat(" ", max(1, labelWidth-len(label)))+text)
		}
	}
	add("A row is", e.Row)
	add("From", e.From...)
	add("Only where", e.Where...)
	add("Groups where", e.Having...)
	add("Shows", e.Shows...)
	add("Sorted by", e.Order...)
	if e.Limit != "" {
		add("Keeps", e.Limit)
	}
	for _, q := range e.Queries {
		out = append(out, indent+"  "+q.Name+":")
		out = append(out, q.lines(indent+"    ")...)
	}
	return out
}
