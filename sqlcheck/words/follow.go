package words

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A FollowUp is how a text begins that goes on from another question, or ends: see [Ends] and [Behind].
type FollowUp struct {
	Words [][]string // of each place, those of which one must stand there; Any alone is any word
	Most  int        // words of such a text; 0 sets no limit
}

// Any stands for any word, AnyNumber for any number. Ends stands before words with which a text ends, Behind before
// those with which one begins that may be a whole question where none was asked before.
const (
	Any       = "*"
	AnyNumber = "#"
	Ends      = ".."
	Behind    = ">"
)

var followUps = sync.OnceValue(func() map[string][]FollowUp { return mustLoad("follows.txt", readFollowUps) })

func readFollowUps(lines []line) (map[string][]FollowUp, error) {
	of := map[string][]FollowUp{}
	for _, l := range lines {
		var f FollowUp
		for place := range strings.FieldsSeq(l.cell(0)) {
			f.Words = append(f.Words, strings.Split(place, "/"))
		}
		most, err := strconv.Atoi(l.cell(1))
		if len(l.cells) != 2 || len(f.Words) == 0 || err != nil && l.cell(1) != "" {
			return nil, l.errorf("want the words that begin it, and the most words that it has")
		}
		for _, word := range slices.Concat(f.Words...) {
			if err := l.folded(word); err != nil {
				return nil, err
			}
		}
		f.Most = most
		for _, first := range f.Words[0] {
			of[first] = append(of[first], f)
		}
	}
	return of, nil
}

// FollowUps are the ways in which a text that begins with a word goes on from another question; nil where none does.
func FollowUps(first string) []FollowUp { return followUps()[first] }
