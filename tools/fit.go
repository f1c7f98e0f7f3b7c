package tools

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Focus is the part of a schema that a question is about, and whether it is less than the whole: the tables that [Link]
// keeps or, in sets that show a small schema whole, as much of a large one as they show.
func (p *Prompts) Focus(q *question.Question, s *schema.Schema) (focus *schema.Schema, changed bool) {
	if p.fits(s) {
		return Link(p.read(q), s, p.Notes, p.MaxTables)
	}
	return p.fit(q, s), true
}

// fits reports whether a schema is shown whole. Sets without a limit show what they are told to.
func (p *Prompts) fits(s *schema.Schema) bool {
	return p.wholeUpTo == 0 || len(SchemaText(s, p.style)) <= p.wholeUpTo
}

// fit cuts a schema to what a prompt has room for: the tables that texts name, those that the question points at, the
// strongest first and each with what joins it to the others, and their neighbours; where the question points at none,
// those that most others refer to. Of wide tables it keeps the keys and the columns that the question points at, and as
// many others as there is room for.
func (p *Prompts) fit(q *question.Question, s *schema.Schema, naming ...string) *schema.Schema {
	if q = p.read(q); p.MaxTables == 0 {
		q = question.Read("", s)
	}
	next := neighbours(s)
	var order []string
	for _, text := range naming {
		order = append(order, identifiers(text)...)
	}
	order = append(order, ranked(scores(s, q, s, p.Notes), next)...)
	if len(order) == 0 {
		order = hubs(s, next)
	}
	narrowed := p.narrowed(q, s)
	room := p.leastRoom(narrowed)
	keep, path, tried := map[string]bool{}, paths(next), 0
	for _, name := range order {
		if _, ok := room[name]; !ok || keep[name] {
			continue
		}
		if tried++; len(keep) >= maxFitted || tried > maxTried {
			break
		}
		more, least := map[string]bool{name: true}, room[name]
		for k := range keep {
			more[k] = true
			least += room[k]
		}
		if least > p.wholeUpTo { // whatever joins it
			continue
		}
		connect(s, path, more)
		if len(SchemaText(restrict(narrowed, more), p.style)) <= p.wholeUpTo {
			keep = more
		}
	}
	return restrict(narrowed, keep)
}

// leastRoom is the bytes that each table takes without what joins it. Names are lower case.
func (p *Prompts) leastRoom(s *schema.Schema) map[string]int {
	room := map[string]int{}
	for _, t := range s.Tables {
		t.ForeignKeys = nil
		room[strings.ToLower(t.Name)] = len(SchemaText(&schema.Schema{Tables: []schema.Table{t}}, p.style))
	}
	return room
}

// maxFitted is how many tables of a large schema are shown at most: with more of them a model finds the right ones less
// often.
const maxFitted = 3 * MaxTables

// maxTried bounds the tables that are tried: what a question points at less than at so many others is not what it
// means.
const maxTried = 500

// ranked are the tables that a question points at, and those that they are joined to, the strongest first. What a
// question leaves unsaid ("the advisor") is mostly one join away.
func ranked(hits []scored, next map[string][]string) (names []string) {
	own, score := map[string]float64{}, map[string]float64{}
	for _, h := range hits {
		name := strings.ToLower(h.table.Name)
		own[name], score[name] = h.score, h.score
	}
	for name, s := range own {
		for _, n := range next[name] {
			score[n] = max(score[n], own[n]+weightNeighbour*s)
		}
	}
	names = slices.Sorted(maps.Keys(score))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	return names
}

// weightNeighbour is the share of a table's score that a table has for being joined to it.
const weightNeighbour = 0.5

// hubs are the tables of a schema, those that most others are joined to first.
func hubs(s *schema.Schema, next map[string][]string) []string {
	names := syntax.Map(s.TableNames(), strings.ToLower)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(next[b]), len(next[a])) })
	return names
}

// narrowed is a schema of which each table takes at most a quarter of the room.
func (p *Prompts) narrowed(q *question.Question, s *schema.Schema) *schema.Schema {
	n := *s
	n.Tables = slices.Clone(s.Tables)
	asked, values := q.Bag(), q.In(s).Known()
	for i := range n.Tables {
		t := &n.Tables[i]
		left := p.wholeUpTo/4 - len(t.Name)
		if len(SchemaText(&schema.Schema{Tables: n.Tables[i : i+1]}, p.style)) <= left {
			continue
		}
		rank := func(c *schema.Column) int { // the smaller, the sooner
			in := func(key []string) bool { return slices.Contains(key, c.Name) }
			switch {
			case in(t.Identity()),
				slices.ContainsFunc(t.ForeignKeys, func(fk schema.ForeignKey) bool { return in(fk.Columns) }):
				return 0
			case values[c] != nil || nameScore(c.Name, asked) > 0 || hasAny(asked, contentWords(c.Comment, nil)):
				return 1
			}
			return 2
		}
		var ranked []*schema.Column
		for j := range t.Columns {
			ranked = append(ranked, &t.Columns[j])
		}
		slices.SortStableFunc(ranked, func(a, b *schema.Column) int { return cmp.Compare(rank(a), rank(b)) })
		room := map[string]bool{}
		for _, c := range ranked {
			if left -= len(c.Name) + len(", ") + len(columnNote(*t, *c)); left >= 0 {
				room[c.Name] = true
			}
		}
		t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c schema.Column) bool { return !room[c.Name] })
	}
	return &n
}
