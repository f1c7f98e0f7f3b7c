package candidates

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"nl2sql/assets"
	"nl2sql/loop"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
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

// lexicon are the phrases that questions use, as bags write them, by the word of a name or, in capitals, by what a
// query computes.
type lexicon map[string][]string

var synonyms = sync.OnceValue(func() lexicon { return readLexicon(assets.Synonyms) })

// readLexicon reads lines "word: phrase, phrase"; the others are empty or begin with a #.
func readLexicon(text string) lexicon {
	l := lexicon{}
	for line := range strings.Lines(text) {
		word, phrases, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(word, "#") {
			continue
		}
		if word != strings.ToUpper(word) {
			word = question.Stem(word)
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			l[word] = append(l[word], question.NewBag(phrase).Phrase())
		}
	}
	return l
}

// scorer holds queries against one question.
type scorer struct {
	schema *schema.Schema
	asked  question.Bag
	words  lexicon
	names  map[string]bool // words of the schema's names
	fields [][]string      // columns that the question asks to see, lower case, each by the names that may be meant
	values []string        // that the question holds or means, lower case
}

func newScorer(text string, s *schema.Schema, notes tools.Notes) *scorer {
	sc := &scorer{schema: s, asked: question.NewBag(text), words: synonyms(), names: map[string]bool{}}
	q := question.Read(text, s)
	at := map[int][]string{}
	for _, w := range q.Voc.Columns {
		for _, part := range w.Words {
			sc.names[part] = true
		}
		if i, asked := q.ColumnAt(w); asked {
			at[i] = append(at[i], strings.ToLower(w.Col.Name))
		}
	}
	for _, t := range s.Tables {
		for _, part := range question.SplitName(t.Name) {
			sc.names[part] = true
		}
	}
	for _, i := range slices.Sorted(maps.Keys(at)) {
		sc.fields = append(sc.fields, at[i])
	}
	for _, v := range tools.LinkValues(q, s, notes) {
		if v.Number { // it may stand for much in a query
			continue
		}
		sc.values = append(sc.values, strings.ToLower(v.Value))
	}
	sc.values = append(sc.values, sc.spelled(text)...)
	return sc
}

var (
	inQuotes = regexp.MustCompile(`"([^"]+)"|(?:^|\s)'([^']+)'|“([^”]+)”`)
	capitals = regexp.MustCompile(`\p{Lu}[\p{L}\d&.'-]*(?:\s+\p{Lu}[\p{L}\d&.'-]*)*`)
)

// spelled are the texts of a question that are written as values are: in quotes, or with capitals inside the sentence.
func (sc *scorer) spelled(text string) (found []string) {
	for _, m := range inQuotes.FindAllStringSubmatch(text, -1) {
		found = append(found, strings.ToLower(m[1]+m[2]+m[3]))
	}
	for _, at := range capitals.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		if strings.TrimSpace(text[:at[0]]) == "" { // the sentence begins so
			_, name, _ = strings.Cut(name, " ")
		}
		name = strings.TrimRightFunc(strings.TrimSuffix(name, "'s"), unicode.IsPunct)
		var telling []string
		for _, w := range strings.Fields(name) {
			if stem := question.Stem(w); !question.IsStopWord(strings.ToLower(w)) && !sc.names[stem] {
				telling = append(telling, strings.ToLower(w))
			}
		}
		if len(telling) > 0 {
			found = append(found, strings.Join(telling, " "))
		}
	}
	return found
}

// says reports whether the question has a word of a name, or a synonym. What a query computes is not meant by a word of
// a name.
func (sc *scorer) says(word string) bool {
	computes := word == strings.ToUpper(word)
	if !computes && !question.IsStopWord(word) && sc.asked.Holds(word) {
		return true
	}
	return slices.ContainsFunc(sc.words[word], func(phrase string) bool {
		return strings.Contains(sc.asked.Phrase(), phrase) && !(computes && sc.names[strings.TrimSpace(phrase)])
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
	for w := range question.NewBag(sql).Has {
		if sc.asked.Has[w] && !question.IsStopWord(w) && strings.ContainsFunc(w, unicode.IsLetter) {
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
