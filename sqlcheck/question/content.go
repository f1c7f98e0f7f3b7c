package question

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// Content returns the stems of a question's words that say what it is about: no plain words, numbers, quoted texts,
// known values, and no names, which are values that need not be known.
func (q *Question) Content() []string {
	var stems []string
	plain := words.Plain | words.Request
	if q.Lang != words.English {
		plain |= words.Tells(q.Lang)
	}
	for i, w := range q.Words {
		name := w.upper && i > 0 && !q.Words[i-1].stop
		if w.Masked || name || w.cue != "" || len(w.fold) < 3 || strings.ContainsFunc(w.fold, unicode.IsDigit) ||
			words.Is(w.fold, plain) || words.Is(words.Stem(w.fold), words.Plain) || slices.Contains(stems, w.stem) {
			continue
		}
		stems = append(stems, w.stem)
	}
	return stems
}

// Unlinked returns the content words of a question that no name and no known value of its schema, and none of the texts
// beside, stands for.
func (q *Question) Unlinked(s *schema.Schema, beside ...string) []string {
	known, values := maps.Clone(q.Voc.stems), map[string]bool{}
	for _, w := range q.Words { // in another language
		if slices.ContainsFunc(words.Meanings(q.Lang, w.Low), func(m string) bool { return words.Stands(known, m) }) {
			known[w.stem] = true
		}
	}
	for _, t := range s.Tables {
		for _, c := range t.Columns {
			if c.Kind() == schema.Date {
				known["date"], known["year"] = true, true
			}
			for _, v := range c.Values {
				for _, w := range words.Stems(v) {
					values[words.Singular(w)] = true
				}
			}
		}
	}
	for _, text := range beside {
		for _, w := range words.Stems(text) {
			known[w] = true
		}
	}
	return slices.DeleteFunc(q.Content(), func(w string) bool {
		return values[words.Singular(w)] || words.StandsFor(known, w)
	})
}

// ProperNames are the runs of words with a capital, but at the beginning of a sentence, that are no known values, no
// quoted texts and no names of the schema. A German question has none: all its nouns have a capital.
func (q *Question) ProperNames() []string { return q.proper() }

func (q *Question) findProper() (names []string) {
	if q.Lang == words.German {
		return nil
	}
	var run []string
	end := func() {
		if name := strings.Join(run, " "); len(name) >= 4 {
			names = append(names, name)
		}
		run = nil
	}
	for i, w := range q.Words {
		if !w.upper || w.Masked || i == 0 || q.Words[i-1].stop || q.Voc.stems[w.stem] ||
			words.Is(w.Low, words.Date|words.Stop) {
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
