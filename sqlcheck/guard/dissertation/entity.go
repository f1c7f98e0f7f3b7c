package dissertation

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
	"list": styleList, "show": styleList, "find": styleList, "give": styleList, "display": styleList, "return": styleList, "get": styleList,
	"which": styleWhich, "who": styleWhich, "what": styleList, "name": styleList, "retrieve": styleList, "select": styleList,
}

var fillers = map[string]bool{"me": true, "all": true, "the": true, "of": true, "a": true, "list": true, "different": true, "distinct": true, "every": true, "each": true, "any": true, "us": true, "are": true, "is": true, "out": true, "in": true, "top": true, "those": true, "unique": true}

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
	for i < len(q.Words) && (fillers[q.Words[i].Low] && p.style != styleWhich || q.Number(i) > 0 || q.Is(i, "of", "the", "top")) {
		i++
	}
	if t, n := q.TableAt(i); t != nil && q.ColumnHere(i, n, t) == 0 && !q.ColumnNext(i+n, t) {
		p.entity = t
	}
}
