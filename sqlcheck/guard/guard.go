// Package guard mends what a model wrote, by small named rules. Each has a file, and all stand in one table in this one.
// A rule gives text; whether it may run is for [sqlcheck.Check] to say afterwards. It imports seed, question and what is below.
package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/guard/seed"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Input is what guards may look at besides the SQL.
type Input struct {
	Question string // "" switches the guards that read it off
	Schema   *schema.Schema

	memo *memo // shared by the guards of one Apply; nil outside
}

// memo keeps what guards of one pipeline found out about the text in hand, so that a query that needs no mending is
// parsed and bound once.
type memo struct {
	sql      string
	stmt     ast.StmtNode // nil if sql is not one SELECT
	bound    *bind.Bound
	issues   []bind.Issue
	question *question.Question
}

// parse is oneSelect with a memory.
func (in Input) parse(sql string) (ast.StmtNode, bool) {
	if in.memo == nil {
		return syntax.OneSelect(sql)
	}
	if in.memo.sql != sql {
		stmt, _ := syntax.OneSelect(sql)
		in.memo.sql, in.memo.stmt, in.memo.bound = sql, stmt, nil
	}
	return in.memo.stmt, in.memo.stmt != nil
}

// maxMendBytes is the longest query that guards look into; what is longer is left to Check as it is.
const maxMendBytes = 8 << 10

// bind parses and binds with a memory; it needs a schema. A guard that changes the tree must forget it.
func (in Input) bind(sql string) (*bind.Bound, []bind.Issue, bool) {
	if len(sql) > maxMendBytes {
		return nil, nil, false
	}
	stmt, ok := in.parse(sql)
	if !ok {
		return nil, nil, false
	}
	if in.memo == nil {
		b, issues := bind.Bind(stmt, in.Schema)
		return b, issues, true
	}
	if in.memo.bound == nil {
		in.memo.bound, in.memo.issues = bind.Bind(stmt, in.Schema)
	}
	return in.memo.bound, in.memo.issues, true
}

// forget drops a tree that was changed.
func (in Input) forget() {
	if in.memo != nil {
		in.memo.sql, in.memo.stmt, in.memo.bound = "", nil, nil
	}
}

// print writes a changed tree. ok is false if the text does not read back, in which case the change is dropped.
func (in Input) print(n ast.Node) (sql string, ok bool) {
	in.forget()
	sql, err := syntax.Print(n)
	if err != nil {
		return "", false
	}
	_, ok = in.parse(sql)
	return sql, ok
}

// A change mends the tree of a query and says why, or leaves it as it is and says nothing.
type change func(sql string, b *bind.Bound, in Input) (why string)

// onTree makes a rule of a change; the rule needs a schema and leaves alone what does not parse.
func onTree(mend change) func(sql string, in Input) (out, why string, v sqlcheck.Verdict) {
	return func(sql string, in Input) (string, string, sqlcheck.Verdict) {
		ok := sqlcheck.Pass("clean")
		if in.Schema == nil {
			return sql, "", ok
		}
		b, _, parsed := in.bind(sql)
		if !parsed {
			return sql, "", ok
		}
		return rewritten(sql, b.Stmt, mend(sql, b, in), in)
	}
}

// rewritten prints stmt if why says that it changed.
func rewritten(sql string, stmt ast.Node, why string, in Input) (string, string, sqlcheck.Verdict) {
	ok := sqlcheck.Pass("clean")
	if why == "" {
		return sql, "", ok
	}
	out, good := in.print(stmt)
	if !good || out == sql {
		in.forget()
		return sql, "", ok
	}
	return out, why, ok
}

// asked is the question, read once.
func (in Input) asked() *question.Question {
	if in.memo == nil {
		return question.Read(in.Question, in.Schema)
	}
	if in.memo.question == nil {
		in.memo.question = question.Read(in.Question, in.Schema)
	}
	return in.memo.question
}

// Change is what one guard did to one query.
type Change struct {
	Guard string `json:"guard"`
	Why   string `json:"why"`
	SQL   string `json:"sql"` // after the change
}

// Guesses reports whether a reader should know of the change: a name was taken for another, a table was joined, or rows are others.
func (c Change) Guesses() bool {
	return slices.Contains([]string{"names", "joins", "lists", "parts", "ages", "tops"}, c.Guard) || strings.Contains(c.Why, joinedAs)
}

// Guard is one small named rule that rewrites a query, or rejects model text that holds none.
type Guard struct {
	Name string
	// Apply returns the new text and why it changed, or sql unchanged with an empty why.
	// A rejecting verdict ends the pipeline.
	Apply func(sql string, in Input) (out, why string, v sqlcheck.Verdict)
}

// NoNulls keeps NULL out of the lists of NOT IN. No set has it: it is for a query that found nothing, since any other means the same without.
// It is nil where there is nothing to do.
func NoNulls(sql string, in Input) *Change { return alone("nulls", nulls, sql, in) }

// ManyRows takes a subquery that is compared with = or <> for a list. No set has it: it is for a query that failed because a subquery has
// more than one row (MySQL's error 1242). It is nil where there is nothing to do.
func ManyRows(sql string, in Input) *Change { return alone("manyrows", manyRows, sql, in) }

// alone applies a rule that no set has.
func alone(name string, mend change, sql string, in Input) *Change {
	out, why, _ := onTree(mend)(sql, in)
	if why == "" {
		return nil
	}
	return &Change{Guard: name, Why: why, SQL: out}
}

// A Set of guards runs in order.
type Set []Guard

// table has every guard with the sets that it belongs to, in the order in which they run.
//
// "default" is what ask and eval use, and takes no column away. Names are mended before anything reads them. A rule is here if it
// saved more than it harmed on databases that no rule was made for, or touches only what MySQL refuses or misreads, or what finds nothing. Each one's
// comment has its saves and harms among 427 first texts of qwen2.5-coder-0.5b (evaluation/STEPS.md, "Guards"), strict.
//
// "dissertation" adds what follows the dissertation's items and won nothing elsewhere. It repeats our figures on its recorded runs.
//
// "seed" is the original's (dissertation.md 2.7 to 2.12), text patterns and all, kept to be measured against: it is known to
// turn right queries wrong. "final" is what the original's last loop did to each query (dissertation.md 1.3).
var table = []struct {
	Guard
	sets string
}{
	{Guard{"clean", clean}, "default dissertation"},                     // the one SELECT in a model's text
	{Guard{"slips", slips}, "default"},                                  // what is no SQL yet, by the slip of a word
	{Guard{"columns", columns}, "default dissertation"},                 // column names that mean nothing or too much
	{Guard{"names", names}, "default"},                                  // names for which only one thing can be meant
	{Guard{"joins", joins}, "default"},                                  // a foreign key that is tied to another table than its own
	{Guard{"lists", onTree(lists)}, "default"},                          // the list of an IN that shows a column of the query around it
	{Guard{"own", onTree(own)}, "default"},                              // an aggregate of a subquery, of rows around it
	{Guard{"correlate", onTree(correlate)}, "default"},                  // a column of a subquery that is compared with itself
	{Guard{"grouping", grouping}, "dissertation"},                       // a lone aggregate, where the question wants one for each of something
	{Guard{"casing", onTree(casing)}, "default dissertation"},           // names as the schema spells them
	{Guard{"layers", layers}, "default"},                                // a level of query that MySQL misses
	{Guard{"aggregate", onTree(aggregate)}, "default dissertation"},     // an aggregate in WHERE, a missing GROUP BY
	{Guard{"values", onTree(values)}, "default dissertation"},           // a text that the column does not hold
	{Guard{"parts", onTree(parts)}, "default"},                          // a text that values of the column have as a part
	{Guard{"flags", onTree(flags)}, "default"},                          // yes and no in other words than the column's
	{Guard{"concat", onTree(concat)}, "default dissertation"},           // || as CONCAT
	{Guard{"dates", onTree(dates)}, "default"},                          // dates that are added and taken away as numbers
	{Guard{"years", onTree(years)}, "default"},                          // the year of what is no date
	{Guard{"ages", onTree(ages)}, "default"},                            // the youngest for the oldest
	{Guard{"tops", onTree(tops)}, "default"},                            // the first row of all, where the first of each group is asked for
	{Guard{"postprocess", onTree(postprocess)}, "default dissertation"}, // orders and limits that nobody asked for
	{Guard{"projection", projection}, "dissertation"},                   // the columns that the dissertation's items show
	{original("seed_clean", "kept one SELECT", seed.Clean), "seed"},
	{original("seed_postprocess", "cleaned up for the question", seed.Postprocess), "seed"},
	{original("seed_projection", "kept the fields that the question lists", seed.Projection), "seed"},
	{original("seed_casing", "tables are spelled as in the schema", seed.Casing), "seed"},
	{original("final_postprocess", "the first SELECT, without an order that the question does not ask for", seed.Final), "final"},
}

// setNames are the named sets; "none" has no guard.
var setNames = []string{"default", "dissertation", "seed", "final", "none"}

// original makes a guard of a rule of the seeds.
func original(name, why string, rule seed.Rule) Guard {
	return Guard{name, func(sql string, in Input) (string, string, sqlcheck.Verdict) {
		out, v := rule(sql, in.Question, in.Schema)
		return out, changed(sql, out, why), v
	}}
}

// ParseSet returns a named set ("default", "dissertation", "seed", "final", "none"), or the guards of a comma-separated
// list of names; "-name" after a set takes one out ("default,-concat").
func ParseSet(spec string) (Set, error) {
	var out Set
	for _, name := range strings.Split(spec, ",") {
		name = strings.TrimSpace(name)
		if slices.Contains(setNames, name) {
			out = append(out, setNamed(name)...)
			continue
		}
		if off, ok := strings.CutPrefix(name, "-"); ok {
			kept := slices.DeleteFunc(slices.Clone(out), func(g Guard) bool { return g.Name == off })
			if len(kept) == len(out) {
				return nil, fmt.Errorf("guard %q is not in the set to take it from; guards: %s", off, strings.Join(Names(), ", "))
			}
			out = kept
			continue
		}
		guard, ok := guardNamed(name)
		if !ok {
			return nil, fmt.Errorf("no guard %q; sets: %s; guards: %s", name, strings.Join(setNames, ", "), strings.Join(Names(), ", "))
		}
		out = append(out, guard)
	}
	return out, nil
}

func setNamed(name string) (set Set) {
	for _, row := range table {
		if slices.Contains(strings.Fields(row.sets), name) {
			set = append(set, row.Guard)
		}
	}
	return set
}

func guardNamed(name string) (Guard, bool) {
	for _, row := range table {
		if row.Name == name {
			return row.Guard, true
		}
	}
	return Guard{}, false
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
	sql = raw
	in.memo = &memo{}
	for _, guard := range g {
		out, why, v := guard.Apply(sql, in)
		if !v.OK {
			return "", changes, v
		}
		if why != "" {
			changes = append(changes, Change{Guard: guard.Name, Why: why, SQL: out})
		}
		sql = out
	}
	return sql, changes, sqlcheck.Pass("clean")
}
