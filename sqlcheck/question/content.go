package question

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Content returns the stems of a question's words that say what it is about: no plain words, numbers, quoted texts,
// known values, and no names, which are values that need not be known.
func (q *Question) Content() (stems []string) {
	plain := words.Plain | words.Request | words.Beside
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
// beside, stands for or surely means.
func (q *Question) Unlinked(beside ...string) []string {
	known, values := maps.Clone(q.Voc.stems), map[string]bool{}
	for _, w := range q.Words {
		if q.translated(w) {
			known[w.stem] = true
		}
	}
	for _, t := range q.Schema.Tables {
		for _, c := range t.Columns {
			if c.Kind() == schema.Date {
				known["date"], known["year"] = true, true
			}
			for _, w := range words.Stems(strings.Join(c.Values, " ")) {
				values[words.Singular(w)] = true
			}
		}
	}
	maps.Copy(known, syntax.Set(words.Stems(strings.Join(beside, " "))))
	english := q.Lang == words.English && q.Voc.lang() == words.English
	return slices.DeleteFunc(q.Content(), func(w string) bool {
		return values[words.Singular(w)] || words.StandsFor(known, w) || english && len(q.Voc.means().find(w)) > 0
	})
}

// translated reports whether a word of another language means a name of the schema.
func (q *Question) translated(w Word) bool {
	stands := func(m string) bool { return words.Stands(q.Voc.stems, m) }
	return slices.ContainsFunc(words.Meanings(q.Lang, w.Low), stands)
}

// Foreign reports whether a question is about something, and neither its schema nor the texts beside have a word of it.
func (q *Question) Foreign(beside ...string) bool {
	unlinked := q.Unlinked(beside...)
	aside := func(w string) bool { // "buy milk" is about milk
		return words.Is(w, words.SmallTalk) || w == q.Words[0].stem && words.Changes(q.Words[0].fold) != nil
	}
	about := slices.DeleteFunc(q.Content(), aside)
	known := func(w string) bool { return !slices.Contains(unlinked, w) }
	return len(about) > 0 && !slices.ContainsFunc(about, known) && len(q.Known()) == 0 &&
		!slices.ContainsFunc(q.Words, q.stands)
}

// stands reports whether a word means a name or a value of the schema in any language, as a few words do not tell
// theirs. In so few it may be another form of the value: "germans".
func (q *Question) stands(w Word) bool {
	var means []string
	for lang := range words.Langs {
		means = append(means, words.Meanings(lang, w.Low)...)
	}
	whole := func(v indexed) bool { return len(v.low) == 1 }
	form := func(key string) bool { return strings.HasPrefix(key, w.fold[:max(4, len(w.fold)-3)]) }
	return slices.ContainsFunc(means, func(m string) bool {
		return words.Stands(q.Voc.stems, m) || slices.ContainsFunc(q.Voc.index[words.Stem(m)], whole)
	}) || len(w.fold) > 5 && len(q.Words) <= 3 && slices.ContainsFunc(slices.Collect(maps.Keys(q.Voc.index)), form)
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

// Spelled are the texts of the question that are written as values are: those in quotes, and runs of words with
// capitals, but for one that begins the question.
func (q *Question) Spelled() (quoted, capitals []string) {
	ts := q.tokens
	for i := 0; i < len(ts); i++ {
		from := i
		if ts[i].Quoted && ts[i].Kind == words.Sign && (i == 0 || !ts[i-1].Quoted) {
			end := i + slices.IndexFunc(ts[i:], func(t words.Token) bool { return !t.Quoted })
			quoted = append(quoted, q.Text[ts[i].End:ts[end].At])
			continue // a name may stand in them
		}
		if !isCapital(ts[i]) {
			continue
		}
		for i+1 < len(ts) {
			next := ts[i+1]
			touches := next.At == ts[i].End && (next.Kind != words.Sign || strings.Contains("&.'-", next.Text))
			if apart := strings.TrimSpace(q.Text[ts[i].End:next.At]) == "" && next.At > ts[i].End &&
				isCapital(next); !touches && !apart {
				break
			}
			i++
		}
		name := q.Text[ts[from].At:ts[i].End]
		if from == 0 {
			_, name, _ = strings.Cut(name, " ")
		}
		name = strings.TrimRightFunc(strings.TrimSuffix(name, "'s"), unicode.IsPunct)
		if name != "" {
			capitals = append(capitals, name)
		}
	}
	return quoted, capitals
}

func isCapital(t words.Token) bool {
	first, _ := utf8.DecodeRuneInString(t.Text)
	return unicode.IsUpper(first)
}
