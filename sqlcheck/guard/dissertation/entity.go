package dissertation

import (
	"slices"
	"strings"
)

// askStyle says how firmly a question that names only an entity settles what to show.
type askStyle int

const (
	styleOpen  askStyle = iota // a noun phrase: "Wards with more than 3 beds"
	styleList                  // "List wards in the north"
	styleWhich                 // "Which wards …?", "Who …?"
	styleCount                 // "How many …?"
)

// openers begin a question that asks for rows.
var openers = map[string]askStyle{
	"list": styleList, "show": styleList, "find": styleList, "give": styleList, "display": styleList,
	"return": styleList,
	"get":    styleList, "which": styleWhich, "who": styleWhich, "what": styleList, "name": styleList,
	"retrieve": styleList,
	"select":   styleList,
}

// fillers may stand between the opener and what is asked for.
var fillers = strings.Fields(
	"me all the of a list different distinct every each any us are is out in top those unique")

// findEntity reads what the question asks for rows of: the table named right after the opening words.
func (p *projector) findEntity() {
	q := p.q
	i := 0
	if len(q.Words) == 0 {
		return
	}
	for i+1 < len(q.Words) && q.Is(i, "please", "can", "could", "you", "also", "and", "then") {
		i++
	}
	if q.Is(i, "in", "for", "per", "within", "by", "at", "on") {
		return // "In every ward, who …?" asks for something else
	}
	if style, ok := openers[q.Words[i].Low]; ok && !q.Words[i].Masked {
		p.style = style
		i++
	}
	passed := func(i int) bool {
		fills := p.style != styleWhich && slices.Contains(fillers, q.Words[i].Low)
		return fills || q.Number(i) > 0 || q.Is(i, "of", "the", "top")
	}
	for i < len(q.Words) && passed(i) {
		i++
	}
	if t, n := q.TableAt(i); t != nil && q.ColumnHere(i, n, t) == 0 && !q.ColumnNext(i+n, t) {
		p.entity = t
	}
}
