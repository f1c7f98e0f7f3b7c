package question

import "strings"

// dated are words with a capital that tell when, not who or where.
var dated = setOf("january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday " +
	"christmas easter english french german spanish mr mrs ms dr null")

// ProperNames are the runs of words with a capital, but at the beginning of a sentence, that are no known values, no quoted texts and no names of the schema. A German question
// has none: all its nouns have a capital.
func (q *Question) ProperNames() (names []string) {
	if q.Lang == "de" {
		return nil
	}
	ours := map[string]bool{}
	for _, c := range q.Voc.Columns {
		for _, w := range c.Words {
			ours[w] = true
		}
		for _, w := range q.Voc.TableWordsOf(c.Table) {
			ours[w] = true
		}
	}
	var run []string
	end := func() {
		if name := strings.Join(run, " "); len(name) >= 4 {
			names = append(names, name)
		}
		run = nil
	}
	for i, w := range q.Words {
		if !w.upper || w.Masked || i == 0 || q.Words[i-1].stop || ours[w.stem] || dated[w.Low] || IsStopWord(w.Low) {
			end()
			continue
		}
		run = append(run, w.Low)
		if w.comma || w.stop {
			end()
		}
	}
	end()
	return names
}
