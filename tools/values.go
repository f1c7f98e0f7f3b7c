package tools

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// LinkedValue is a known value of a column that a question holds.
type LinkedValue struct{ Table, Column, Value string }

// String is the value as a condition: customers.country = 'France'.
func (v LinkedValue) String() string {
	return v.Table + "." + v.Column + " = '" + strings.ReplaceAll(v.Value, "'", "''") + "'"
}

// maxLinkedValues bounds what a prompt says about values.
const maxLinkedValues = 6

// LinkValues returns the known values that the question holds, one column each: where several columns know a
// value, the one whose table the question points at most. Of values of one column that differ in blanks, case or signs only,
// that which the question spells so is taken, else the most frequent. A value inside a longer one is left out.
func LinkValues(asked string, s *schema.Schema, notes Notes) []LinkedValue {
	phrase := question.NewBag(asked).Phrase()
	var linked []LinkedValue
	at := map[string]int{} // in linked, by the words of a value
	for _, h := range scores(asked, s, notes) {
		for _, c := range h.table.Columns {
			for _, v := range question.ValuesIn(&c, phrase) {
				key, hit := question.NewBag(v).Phrase(), LinkedValue{h.table.Name, c.Name, v}
				i, seen := at[key]
				switch {
				case !seen:
					at[key] = len(linked)
					linked = append(linked, hit)
				case linked[i].Table == hit.Table && linked[i].Column == hit.Column && verbatim(asked, v) > verbatim(asked, linked[i].Value):
					linked[i] = hit
				}
			}
		}
	}
	linked = slices.DeleteFunc(linked, func(v LinkedValue) bool {
		inner := question.NewBag(v.Value).Phrase()
		return slices.ContainsFunc(linked, func(o LinkedValue) bool {
			outer := question.NewBag(o.Value).Phrase()
			return outer != inner && strings.Contains(outer, inner)
		})
	})
	return linked[:min(len(linked), maxLinkedValues)]
}

// verbatim is how much of a value the question has just as it is spelled: all of its bytes or none.
func verbatim(asked, value string) int {
	if !strings.Contains(asked, value) {
		return 0
	}
	return len(value)
}
