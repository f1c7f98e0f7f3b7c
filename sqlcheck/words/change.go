package words

import (
	"strings"
	"sync"
)

// A Change is how a request to change data goes on behind a verb.
type Change struct {
	Next  []string // words of which one must come next; nil demands none
	Later []string // words of which one must come later; nil demands none
	Never []string // with one of these among the next two, the verb, or noun, asks for something else
}

var changes = sync.OnceValue(func() map[string][]Change { return mustLoad("changes.txt", readChanges) })

func readChanges(lines []line) (map[string][]Change, error) {
	of := map[string][]Change{}
	for _, l := range lines {
		if len(l.cells) > 4 {
			return nil, l.errorf("want verbs, next words, later words and words that never come")
		}
		var cells [4][]string
		for i := range cells {
			for word := range strings.FieldsSeq(l.cell(i)) {
				if err := l.folded(word); err != nil {
					return nil, err
				}
				if word == "@determiners" {
					cells[i] = append(cells[i], With(Determiner)...)
				} else {
					cells[i] = append(cells[i], word)
				}
			}
		}
		for _, verb := range cells[0] {
			of[verb] = append(of[verb], Change{cells[1], cells[2], cells[3]})
		}
	}
	return of, nil
}

// Changes are the ways in which a request to change data begins with a verb, without accents; nil where none does.
func Changes(verb string) []Change { return changes()[verb] }
