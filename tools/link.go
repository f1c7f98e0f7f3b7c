package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// MaxTables is how many tables link_schema keeps before it adds what joins them (tech. ref. §7.1).
const MaxTables = 6

// Weights of schema linking, after the scoring that the original moved to (dissertation.md §2.2).
const (
	weightTable  = 3.0 // the table's name is in the question
	weightPart   = 1.5 // part of the table's name is; more, where several parts are
	weightColumn = 1.0 // a column's name is; at most three of a table count
	weightValue  = 3.0 // a known value of one of its columns is; at most three count
	weightNote   = 2.0 // a note that the question mentions names the table

	commonColumn  = 10.0 // tables that may have a column of the same name; where more do, it says less of each
	weightComment = 0.5  // the comment of a column that is not named has a word of the question: one of the columns
)

// Link keeps the tables of s that a question is about, and every table on the foreign-key paths between
// them, so that no join is cut. max of 0 switches linking off; a question that names nothing keeps all.
func Link(q *question.Question, s *schema.Schema, notes Notes, max int) (focus *schema.Schema, changed bool) {
	if max == 0 || len(s.Tables) <= 1 {
		return s, false
	}
	next := neighbours(s)
	keep := relevant(q, s, notes, next, max)
	if len(keep) == 0 {
		return s, false
	}
	widen(s, next, keep, max)
	focus = restrict(s, keep)
	if len(focus.Tables) == len(s.Tables) {
		return s, false
	}
	return focus, true
}

// restrict returns the tables of s that keep names.
func restrict(s *schema.Schema, keep map[string]bool) *schema.Schema {
	kept := syntax.Filter(s.Tables, func(t schema.Table) bool { return keep[strings.ToLower(t.Name)] })
	return &schema.Schema{Name: s.Name, Tables: kept}
}

// Read keeps the tables of s that queries read, and every table on the foreign-key paths between them. Of a text that
// does not parse, as one whose names lack their quotes, it takes what stands behind FROM and JOIN.
func Read(s *schema.Schema, queries []string) *schema.Schema {
	keep := map[string]bool{}
	for _, sql := range queries {
		tables, ok := syntax.TableNames(sql)
		for _, name := range tables {
			keep[strings.ToLower(name)] = true
		}
		if ok {
			continue
		}
		text := strings.Join(strings.Fields(strings.ToLower(sql)), " ") + " "
		for _, t := range s.Tables {
			name := strings.ToLower(t.Name)
			if strings.Contains(text, "from "+name+" ") || strings.Contains(text, "join "+name+" ") {
				keep[name] = true
			}
		}
	}
	connect(s, paths(neighbours(s)), keep)
	return restrict(s, keep)
}

// scored is a table, how strongly a question points at it, and the values of its columns that the question holds.
type scored struct {
	table  *schema.Table
	score  float64
	values []LinkedValue
}

// asked is a question as linking reads it, for one schema.
type asked struct {
	*question.Question
	words  words.Bag
	names  map[string]float64 // how much of each table's and column's name it has, see nameScore
	named  []string           // the words of the names that it has in full
	tables map[string]int     // how many tables have a column of that name, lower case
	meant  map[meant]float64  // how likely its other words mean a name
}

// meant is a name that words mean, in lower case: of a table, or of columns.
type meant struct {
	name  string
	table bool
}

func ask(q *question.Question, s *schema.Schema) asked {
	a := asked{Question: q.In(s), words: q.Bag(), names: map[string]float64{}, tables: map[string]int{},
		meant: map[meant]float64{}}
	for i := range s.Tables {
		a.name(s.Tables[i].Name)
		for _, c := range s.Tables[i].Columns {
			a.name(c.Name)
			a.tables[strings.ToLower(c.Name)]++
		}
	}
	for _, y := range a.Synonyms() {
		m := meant{strings.ToLower(y.Name), y.Table}
		a.meant[m] = max(a.meant[m], y.Weight/float64(y.Names))
	}
	return a
}

func (q *asked) name(name string) {
	if _, seen := q.names[name]; seen {
		return
	}
	if q.names[name] = nameScore(name, q.words); q.names[name] == weightTable {
		q.named = append(q.named, words.OfName(name)...)
	}
}

// table says how strongly the question points at a table.
func (q *asked) table(t *schema.Table) scored {
	h := scored{table: t, score: max(q.names[t.Name], weightTable*q.meant[meant{strings.ToLower(t.Name), true}])}
	about := contentWords(t.Comment, q.named)
	if h.score == 0 && hasAny(q.words, about) {
		h.score = weightPart
	}
	about = append(about, q.named...)
	columns := 0.0
	known := map[string]bool{} // a value that two columns know counts once
	for j := range t.Columns {
		c := &t.Columns[j]
		low := strings.ToLower(c.Name)
		if q.names[c.Name] == weightTable {
			columns += weightColumn * min(1, commonColumn/float64(q.tables[low]))
		} else if m := q.meant[meant{low, false}]; m > 0 {
			columns += weightColumn * m * min(1, commonColumn/float64(q.tables[low]))
		} else if hasAny(q.words, contentWords(c.Comment, q.named)) {
			columns += weightComment
		}
		for _, v := range q.valuesOf(t, c, about) {
			known[v.words()] = true
			h.values = append(h.values, v)
		}
	}
	h.score += min(columns, 3*weightColumn) + weightValue*float64(min(len(known), 3))
	return h
}

// scores returns the tables of a part of s that a question points at, the strongest first.
func scores(part *schema.Schema, q *question.Question, s *schema.Schema, notes Notes) []scored {
	a := ask(q, s)
	linked := syntax.Map(notes.Linked(q), func(n Note) []string { return identifiers(n.Meaning) })
	var hits []scored
	for i := range part.Tables {
		h := a.table(&part.Tables[i])
		for _, names := range linked {
			if slices.Contains(names, strings.ToLower(h.table.Name)) {
				h.score += weightNote
			}
		}
		if h.score > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.table.Name, b.table.Name))
	})
	return hits
}

func hasAny(asked words.Bag, of []string) bool { return slices.ContainsFunc(of, asked.Holds) }

// relevant returns the best scored tables, at most max of them, and what joins them; nothing where the question names
// nothing.
func relevant(q *question.Question, s *schema.Schema, notes Notes, next map[string][]string, max int) map[string]bool {
	hits := scores(s, q, s, notes)
	low := func(h scored) string { return strings.ToLower(h.table.Name) }
	keep := syntax.Set(syntax.Map(hits[:min(max, len(hits))], low))
	connect(s, paths(next), keep)
	return keep
}

// neighbours lists, for each table, the tables at the other end of a foreign key. Names are lower case.
func neighbours(s *schema.Schema) map[string][]string {
	next := map[string][]string{}
	for _, t := range s.Tables {
		for _, fk := range t.ForeignKeys {
			a, b := strings.ToLower(t.Name), strings.ToLower(fk.RefTable)
			next[a], next[b] = append(next[a], b), append(next[b], a)
		}
	}
	return next
}

// widen fills keep up to max with neighbours of kept tables: what a question leaves unsaid ("the advisor") is mostly
// one join away.
func widen(s *schema.Schema, next map[string][]string, keep map[string]bool, max int) {
	for _, t := range s.Tables {
		for _, n := range next[strings.ToLower(t.Name)] {
			if len(keep) >= max {
				return
			}
			if _, real := s.Table(n); real && keep[strings.ToLower(t.Name)] {
				keep[n] = true
			}
		}
	}
}

// paths tells of a table, for every table that is joined to it over others, the one before it on the shortest way. It
// remembers.
func paths(next map[string][]string) func(from string) map[string]string {
	known := map[string]map[string]string{}
	return func(from string) map[string]string {
		before, there := known[from]
		if there {
			return before
		}
		before = map[string]string{from: ""}
		for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
			for _, n := range next[queue[0]] {
				if _, seen := before[n]; !seen {
					before[n] = queue[0]
					queue = append(queue, n)
				}
			}
		}
		known[from] = before
		return before
	}
}

// connect adds to keep the tables on the shortest foreign-key paths between the kept ones.
func connect(s *schema.Schema, path func(from string) map[string]string, keep map[string]bool) {
	kept := syntax.Filter(syntax.Map(s.TableNames(), strings.ToLower), func(name string) bool { return keep[name] })
	for i, from := range kept {
		before := path(from)
		for _, to := range kept[i+1:] {
			for n := to; n != ""; n = before[n] {
				if _, reached := before[n]; reached {
					keep[n] = true
				}
			}
		}
	}
}

// nameScore says how much of an identifier the question's words hold.
func nameScore(name string, asked words.Bag) float64 {
	parts := words.OfName(name)
	hit, telling := 0, false
	for _, p := range parts {
		if asked.Holds(p) {
			hit++
			telling = telling || !words.IsStop(p)
		}
	}
	joined := words.Stem(name)
	switch {
	case hit == len(parts) || asked.Holds(joined):
		return weightTable
	case telling && len(parts) > 1: // the more of several parts, the more
		return weightPart + (weightTable-weightPart)*float64(hit-1)/float64(len(parts))
	case slices.ContainsFunc(asked.List, func(w string) bool {
		return len(w) > 4 && len(joined) > len(w) && strings.HasPrefix(joined, w)
	}):
		return weightPart
	}
	return 0
}

type linkSchema struct{ prompts *Prompts }

func (linkSchema) Name() Name { return LinkSchema }

func (t linkSchema) Run(_ context.Context, env Env, _ json.RawMessage) (Observation, error) {
	focus, changed := t.prompts.Focus(env.Asked, env.Schema)
	return Observation{Text: SchemaText(focus, t.prompts.style), Schema: focus, Changed: changed}, nil
}

// identifiers are the bare names in a piece of SQL, lower case.
func identifiers(sql string) (names []string) {
	for t := range words.Identifiers(sql) {
		names = append(names, strings.ToLower(t.Text))
	}
	return names
}
