package sqlcheck

// askStyle says how firmly a question that names only an entity settles what to show.
type askStyle int

const (
	styleOpen  askStyle = iota // a noun phrase: "Orders with more than 3 items"
	styleList                  // "List customers in Spain"
	styleWhich                 // "Which customers …?", "Who …?"
	styleCount                 // "How many …?"
)

// openers begin a question that asks for rows.
var openers = map[string]askStyle{
	"list": styleList, "show": styleList, "find": styleList, "give": styleList, "display": styleList, "return": styleList, "get": styleList,
	"which": styleWhich, "who": styleWhich, "what": styleList, "name": styleList, "retrieve": styleList, "select": styleList,
}

var fillers = map[string]bool{"me": true, "all": true, "the": true, "of": true, "a": true, "list": true, "different": true, "distinct": true, "every": true, "each": true, "any": true, "us": true, "are": true, "is": true, "out": true, "in": true, "top": true, "those": true, "unique": true}

// findEntity reads what the question asks for rows of: the table named right after the opening words.
func (p *projector) findEntity() {
	q := p.q
	i := 0
	if len(q.words) == 0 {
		return
	}
	for i+1 < len(q.words) && q.is(i, "please", "can", "could", "you", "also", "and", "then") {
		i++
	}
	if q.is(i, "in", "for", "per", "within", "by", "at", "on") {
		return // "In every office, who …?" asks for something else
	}
	if style, ok := openers[q.words[i].low]; ok && !q.words[i].masked {
		p.style = style
		i++
	}
	for i < len(q.words) && (fillers[q.words[i].low] && p.style != styleWhich || q.number(i) > 0 || q.is(i, "of", "the", "top")) {
		i++
	}
	if t, n := q.tableAt(i); t != nil && q.columnHere(i, n, t) == 0 && !q.columnNext(i+n, t) {
		p.entity = t
	}
}
