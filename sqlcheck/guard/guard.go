// Package guard mends what a model wrote, by small named rules. All stand in one table in this file, with what each
// may touch; the files are called so: text and refused, empty, reads, meaning. names mends names, seed has
// the original program's rules. A rule gives text; whether it may run is for [sqlcheck.Check] to say afterwards. It
// imports draft, names, seed, edit, question and what is below.
package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/guard/names"
	"nl2sql/sqlcheck/guard/seed"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Touches says which texts a rule may change, and so how far it can be trusted without reading it.
type Touches string

const (
	// Refused is what is no SELECT, or what Check or MySQL refuses. Of what runs it may change how names are spelled.
	Refused Touches = "refused"
	// Empty is what finds no row, value or count on the rows that there are: a condition that none of them meets.
	Empty Touches = "empty"
	// Reads is what MySQL reads otherwise than standard SQL, or reads where that has an error: || and sums of dates.
	Reads Touches = "reads"
	// Meaning is anything: the rule changes what a running query means.
	Meaning Touches = "meaning"
)

// Input is what guards may look at besides the SQL.
type Input struct {
	Question *question.Question // nil, or one without words, switches the guards that read it off
	Schema   *schema.Schema
}

// Change is what one guard did to one query. Its JSON is an interface.
type Change struct {
	Guard   string  `json:"guard"`
	Why     string  `json:"why"`
	SQL     string  `json:"sql"` // after the change
	Touches Touches `json:"touches,omitempty"`
	// Guess says that a reader should know of the change: the query ran before, or it reads a table or column now
	// that the text did not name.
	Guess bool `json:"guess,omitempty"`
}

// Guard is one small named rule that rewrites a query, or rejects model text that holds none.
type Guard struct {
	Name    string
	Touches Touches

	// One of the two is set. mend returns the new text and why it changed, or the text unchanged with an empty why;
	// find may also reject, which ends the pipeline.
	mend func(t *draft.Text) (out, why string)
	find func(t *draft.Text) (out, why string, v sqlcheck.Verdict)
}

// A Set of guards runs in order.
type Set []Guard

// table has every guard with the sets that it belongs to, in the order in which they run.
//
// "default" is what ask and eval use. Names are mended before anything reads them. A rule of Meaning is here only if,
// on questions by other hands, it was right at least four times of five that it made an answer right or wrong, and
// made five right; README.md has the figures.
//
// "seed" is the original's (dissertation.md 2.7 to 2.12), text patterns and all, kept to be measured against: it is
// known to turn right queries wrong. "final" is what the original's last loop did to each query (dissertation.md
// 1.3).
var table = []struct {
	Guard
	sets string
}{
	{Guard{Name: "clean", Touches: Refused, find: clean}, "default"},
	{mends("slips", Refused, slips), "default"},
	{mends("quoted", Reads, draft.OnTree(quoted)), "default"},
	{mends("columns", Refused, names.Columns), "default"},
	{mends("names", Refused, names.Names), "default"},
	{mends("joins", Meaning, draft.OnTree(joins)), "default"},
	{mends("casing", Refused, draft.OnTree(casing)), "default"},
	{mends("layers", Refused, layers), "default"},
	{mends("aggregate", Refused, draft.OnTree(aggregate)), "default"},
	{mends("texts", Empty, draft.OnTree(texts)), "default"},
	{mends("flags", Empty, draft.OnTree(flags)), "default"},
	{mends("concat", Reads, draft.OnTree(concat)), "default"},
	{mends("datetexts", Meaning, draft.OnTree(dateTexts)), "default"},
	{mends("dates", Reads, draft.OnTree(dates)), "default"},
	{mends("years", Reads, draft.OnTree(years)), "default"},
	{mends("ages", Meaning, draft.OnTree(ages)), "default"},
	{mends("numerals", Meaning, draft.OnTree(numerals)), "default"},
	{mends("bounds", Meaning, draft.OnTree(bounds)), "default"},
	{mends("lastdays", Meaning, draft.OnTree(lastDays)), "default"},
	{Guard{Name: "seed_clean", Touches: Meaning, find: seedClean}, "seed"},
	{original("seed_postprocess", "cleaned up for the question", seed.Postprocess), "seed"},
	{original("seed_projection", "kept the fields that the question lists", seed.Projection), "seed"},
	{original("seed_casing", "tables are spelled as in the schema", seed.Casing), "seed"},
	{original("final_postprocess", "the first SELECT, without an order that the question does not ask for",
		seed.Final), "final"},
}

// afterwards are rules that no set has: they wait for what the database says of a query.
var (
	nullsRule      = mends("nulls", Empty, draft.OnTree(nulls))
	nullsFirstRule = mends("nullsfirst", Meaning, draft.OnTree(nullsFirst))
	manyrowsRule   = mends("manyrows", Refused, draft.OnTree(manyrows))
)

// mends is a guard that never rejects.
func mends(name string, touches Touches, mend func(t *draft.Text) (out, why string)) Guard {
	return Guard{Name: name, Touches: touches, mend: mend}
}

// original is a guard of a rule of the seeds.
func original(name, why string, rule seed.Rule) Guard {
	return mends(name, Meaning, func(t *draft.Text) (string, string) {
		out := rule(t.SQL, t.Asked(), t.Schema)
		return out, changed(t.SQL, out, why)
	})
}

func seedClean(t *draft.Text) (string, string, sqlcheck.Verdict) {
	out, v := seed.Clean(t.SQL)
	return out, changed(t.SQL, out, "kept one SELECT"), v
}

// NoNulls keeps NULL out of the lists of NOT IN. It is for a query that found nothing, since any other means the same
// without. It is nil where there is nothing to do.
func NoNulls(sql string, in Input) *Change {
	if !strings.Contains(strings.ToUpper(sql), "NOT") && !strings.Contains(sql, "!") {
		return nil
	}
	return nullsRule.alone(sql, in)
}

// NoNullsFirst keeps NULL out of the first rows of an ascending order. It is for a query that found something: where
// the rows are the same without, nothing was wrong. It is nil where there is nothing to do.
func NoNullsFirst(q sqlcheck.Query, sql string, in Input) *Change {
	if b := q.Bound(); b != nil && !slices.ContainsFunc(b.Blocks,
		func(block *bind.Block) bool { return edit.NullsFirst(b, block) != nil }) {
		return nil
	}
	return nullsFirstRule.alone(sql, in)
}

// ManyRows takes a subquery that is compared with = or <> for a list. It is for a query that failed because a
// subquery has more than one row (MySQL's error 1242). It is nil where there is nothing to do.
func ManyRows(sql string, in Input) *Change { return manyrowsRule.alone(sql, in) }

func (g Guard) alone(sql string, in Input) *Change {
	if _, changes, _ := (Set{g}).Apply(sql, in); len(changes) > 0 {
		return &changes[0]
	}
	return nil
}

// setNames are the named sets; "none" has no guard.
var setNames = []string{"default", "seed", "final", "none"}

// Sets are the names of the sets.
func Sets() []string { return slices.Clone(setNames) }

// gone are names that ParseSet knew once, with what to say instead.
var gone = map[string]string{
	"dissertation": "default", "values": "texts", "postprocess": "seed_postprocess", "projection": "seed_projection",
}

// ParseSet returns a named set ("default", "seed", "final", "none"), or the guards of a comma-separated list of
// names; "-name" after a set takes one out ("default,-concat").
func ParseSet(spec string) (out Set, err error) {
	for _, name := range strings.Split(spec, ",") {
		name = strings.TrimSpace(name)
		if slices.Contains(setNames, name) {
			out = append(out, setNamed(name)...)
			continue
		}
		if off, ok := strings.CutPrefix(name, "-"); ok {
			kept := slices.DeleteFunc(slices.Clone(out), func(g Guard) bool { return g.Name == off })
			if len(kept) == len(out) {
				guards := strings.Join(Names(), ", ")
				return nil, fmt.Errorf("guard %q is not in the set to take it from; guards: %s", off, guards)
			}
			out = kept
			continue
		}
		named := setNamed(name)
		if named == nil {
			if use := gone[name]; use != "" {
				return nil, fmt.Errorf("guard or set %q is gone: use %s", name, use)
			}
			sets, guards := strings.Join(setNames, ", "), strings.Join(Names(), ", ")
			return nil, fmt.Errorf("no guard %q; sets: %s; guards: %s", name, sets, guards)
		}
		out = append(out, named...)
	}
	return out, nil
}

// setNamed are the guards of a set, or the one of a name.
func setNamed(name string) (set Set) {
	for _, row := range table {
		if row.Name == name || slices.Contains(strings.Fields(row.sets), name) {
			set = append(set, row.Guard)
		}
	}
	return set
}

// Names are those of all guards.
func Names() (names []string) {
	for _, row := range table {
		names = append(names, row.Name)
	}
	return names
}

// Apply sends raw model text through the guards. A rejecting verdict means that no candidate is left.
func (g Set) Apply(raw string, in Input) (sql string, changes []Change, v sqlcheck.Verdict) {
	t := &draft.Text{SQL: raw, Question: in.Question, Schema: in.Schema}
	for _, guard := range g {
		out, why, v := guard.apply(t)
		if !v.OK {
			return "", changes, v
		}
		before := t.SQL
		t.SQL = out
		if why != "" {
			guess := guard.Touches != Refused || namesMore(before, t)
			changes = append(changes, Change{guard.Name, why, out, guard.Touches, guess})
		}
	}
	return t.SQL, changes, sqlcheck.Pass("clean")
}

func (g Guard) apply(t *draft.Text) (out, why string, v sqlcheck.Verdict) {
	if g.find != nil {
		return g.find(t)
	}
	out, why = g.mend(t)
	return out, why, sqlcheck.Pass("clean")
}

// namesMore reports whether a query reads a table or a column of the schema that the query before did not name, but
// for case and underscores.
func namesMore(before string, t *draft.Text) bool {
	b, _, ok := t.Bind()
	if _, was := syntax.OneSelect(before); !ok || !was {
		return false
	}
	plain := func(word string) string { return strings.ReplaceAll(strings.ToLower(word), "_", "") }
	named := syntax.Set(syntax.Map(tokens(before), func(t syntax.Token) string { return plain(t.Name()) }))
	isNewWord := func(word string) bool { return !named[plain(word)] }
	isNew := func(name string) bool { return isNewWord(name) && slices.ContainsFunc(strings.Fields(name), isNewWord) }
	for _, block := range b.Blocks {
		for _, s := range block.Sources {
			if name, is := s.Node.Source.(*ast.TableName); is && s.Table != nil && isNew(name.Name.O) {
				return true
			}
		}
	}
	return slices.ContainsFunc(b.Columns, func(r *bind.ColumnRef) bool {
		_, c := r.Column()
		return c != nil && isNew(c.Name)
	})
}
