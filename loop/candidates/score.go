package candidates

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"nl2sql/loop"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
	"nl2sql/tools"
)

// Weights of the semantic score (dissertation.md §3.5). It holds words of a query against words of the question, and
// reads neither.
const (
	weightField   = -3.0 // of each field that the question lists and the query does not have
	weightWord    = 2.0  // of each word in a name, or function, of the query that the question says, or a synonym of it
	weightToken   = 0.1  // of each word that both have, values included
	weightValue   = 2.0  // the query has one of the question's values; negative where it has none of them
	weightSum     = 3.0  // the question asks for a sum and the query computes something
	weightNoSum   = -5.0 // it does not
	weightNoGroup = -2.0 // the question asks for one value for each of something, and the query computes one of all
)

// computing are the words with which a question asks for what a query computes, by what [question.Shape] calls it.
var computing = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"COUNT": words.With(words.MayCount), "SUM": words.With(words.MaySum), "AVG": words.With(words.MayAvg),
		"MAX": words.With(words.MayMax), "MIN": words.With(words.MayMin), "GROUP": words.With(words.Each),
	}
})

// scorer holds queries against one question.
type scorer struct {
	schema *schema.Schema
	asked  words.Bag
	means  words.Reach     // of the words that say what the question is about
	names  map[string]bool // words of the schema's names
	fields [][]string      // columns that the question asks to see, lower case, each by the names that may be meant
	values []string        // that the question holds or means, lower case
}

func newScorer(q *question.Question, notes tools.Notes) *scorer {
	sc := &scorer{schema: q.Schema, asked: q.Bag(), names: map[string]bool{},
		means: words.ReachOfAll(slices.Values(q.Content()))}
	at := map[int][]string{}
	for _, w := range q.Voc.Columns {
		for _, part := range w.Words {
			sc.names[part] = true
		}
		if i, asked := q.ColumnAt(w); asked {
			at[i] = append(at[i], strings.ToLower(w.Col.Name))
		}
	}
	for _, t := range q.Schema.Tables {
		for _, part := range words.OfName(t.Name) {
			sc.names[part] = true
		}
	}
	for _, i := range slices.Sorted(maps.Keys(at)) {
		sc.fields = append(sc.fields, at[i])
	}
	for _, v := range tools.LinkValues(q, q.Schema, notes) {
		if v.Number { // it may stand for much in a query
			continue
		}
		sc.values = append(sc.values, strings.ToLower(v.Value))
	}
	sc.values = append(sc.values, sc.spelled(q)...)
	return sc
}

// spelled are the texts of a question that are written as values are: in quotes, or with capitals inside the sentence.
func (sc *scorer) spelled(q *question.Question) (found []string) {
	quoted, capitals := q.Spelled()
	for _, text := range quoted {
		found = append(found, strings.ToLower(text))
	}
	for _, name := range capitals {
		telling := slices.DeleteFunc(strings.Fields(strings.ToLower(name)), func(w string) bool {
			return words.IsStop(w) || sc.names[words.Stem(w)]
		})
		if len(telling) > 0 {
			found = append(found, strings.Join(telling, " "))
		}
	}
	return found
}

// says reports whether the question has a word of a name, or what questions say for it; or a word, which is none of a
// name, for what a query computes.
func (sc *scorer) says(word string) bool {
	asks := func(said string) bool { return strings.Contains(sc.asked.Phrase(), words.Phrase(said)) }
	if list, computes := computing()[word]; computes {
		return slices.ContainsFunc(list, func(said string) bool { return asks(said) && !sc.names[words.Stem(said)] })
	}
	if !words.IsStop(word) && sc.asked.Holds(word) {
		return true
	}
	if sc.means.Meets(words.ReachOf(word)) >= words.Sure {
		return true
	}
	return slices.ContainsFunc(words.Senses(words.Asked, words.English, word), func(s *words.Sense) bool {
		return slices.ContainsFunc(s.Words[words.English][1:], asks)
	})
}

// of is the score of a query, in its parts; missing are the fields that it lacks.
func (sc *scorer) of(sql string, columnPenalty float64) (parts loop.Features, missing []string) {
	parts = loop.Features{}
	shape, ok := question.ShapeOf(sql, sc.schema)
	if !ok { // no check lets it through
		return parts, nil
	}
	for _, names := range sc.fields {
		if !slices.ContainsFunc(names, func(n string) bool { return shape.Names[n] }) {
			parts["fields"] += weightField
			missing = append(missing, names[0])
		}
	}
	for w := range shape.Words {
		if sc.says(w) {
			parts["words"] += weightWord
		}
	}
	for w := range words.NewBag(sql).Has {
		if sc.asked.Has[w] && !words.IsStop(w) && strings.ContainsFunc(w, unicode.IsLetter) {
			parts["tokens"]++
		}
	}
	parts["tokens"] *= weightToken
	if len(sc.values) > 0 {
		parts["values"] = -weightValue
		for _, text := range shape.Texts {
			text = strings.ToLower(text)
			if slices.ContainsFunc(sc.values,
				func(v string) bool { return text == v || len(v) > 2 && strings.Contains(text, v) }) {
				parts["values"] = weightValue
			}
		}
	}
	if sc.says("SUM") {
		if parts["sum"] = weightNoSum; shape.Aggregate {
			parts["sum"] = weightSum
		}
	}
	if sc.says("GROUP") && shape.Aggregate && !shape.Grouped {
		parts["group"] = weightNoGroup
	}
	parts["columns"] = -columnPenalty * float64(shape.Width)
	return parts, missing
}

// total adds the parts of a score, always in the same order.
func total(parts loop.Features) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		sum += parts[name]
	}
	return math.Round(sum*1e4) / 1e4
}
