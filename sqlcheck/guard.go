package sqlcheck

import (
	"fmt"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// Input is what guards may look at besides the SQL.
type Input struct {
	Question string // "" switches the guards that read it off
	Schema   *Schema

	memo *memo // shared by the guards of one Apply; nil outside
}

// memo keeps what guards of one pipeline found out about the text in hand, so that a query that needs no mending is
// parsed and bound once.
type memo struct {
	sql      string
	stmt     ast.StmtNode // nil if sql is not one SELECT
	bound    *Bound
	issues   []Issue
	question *question
}

// parse is oneSelect with a memory.
func (in Input) parse(sql string) (ast.StmtNode, bool) {
	if in.memo == nil {
		return oneSelect(sql)
	}
	if in.memo.sql != sql {
		stmt, _ := oneSelect(sql)
		in.memo.sql, in.memo.stmt, in.memo.bound = sql, stmt, nil
	}
	return in.memo.stmt, in.memo.stmt != nil
}

// maxMendBytes is the longest query that guards look into; what is longer is left to Check as it is.
const maxMendBytes = 8 << 10

// bind parses and binds with a memory; it needs a schema. A guard that changes the tree must forget it.
func (in Input) bind(sql string) (*Bound, []Issue, bool) {
	if len(sql) > maxMendBytes {
		return nil, nil, false
	}
	stmt, ok := in.parse(sql)
	if !ok {
		return nil, nil, false
	}
	if in.memo == nil {
		b, issues := bind(stmt, in.Schema)
		return b, issues, true
	}
	if in.memo.bound == nil {
		in.memo.bound, in.memo.issues = bind(stmt, in.Schema)
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
	sql, err := Print(n)
	if err != nil {
		return "", false
	}
	_, ok = in.parse(sql)
	return sql, ok
}

// asked is the question, read once.
func (in Input) asked() *question {
	if in.memo == nil {
		return readQuestion(in.Question, in.Schema)
	}
	if in.memo.question == nil {
		in.memo.question = readQuestion(in.Question, in.Schema)
	}
	return in.memo.question
}

// Change is what one guard did to one query.
type Change struct {
	Guard string `json:"guard"`
	Why   string `json:"why"`
	SQL   string `json:"sql"` // after the change
}

// Guard is one small named rule that rewrites a query, or rejects model text that holds none.
type Guard struct {
	Name string
	// Apply returns the new text and why it changed, or sql unchanged with an empty why.
	// A rejecting verdict ends the pipeline.
	Apply func(sql string, in Input) (out, why string, v Verdict)
}

// Guards run in order.
type Guards []Guard

// defaultGuards is our set. Names are mended before anything reads them; the select list is settled last.
var defaultGuards = Guards{
	{"clean", clean},
	{"columns", repairColumns},
	{"grouping", repairGrouping},
	{"casing", casing},
	{"aggregate", repairAggregate},
	{"values", repairValues},
	{"concat", repairConcat},
	{"postprocess", postprocess},
	{"projection", projection},
}

// GuardSet returns a named set ("default", "seed", "final", "none"), or the guards of a comma-separated
// list of names; "-name" after a set takes one out ("default,-projection").
func GuardSet(spec string) (Guards, error) {
	sets := map[string]Guards{"default": defaultGuards, "seed": seedGuards, "final": finalGuards, "none": nil}
	var out Guards
	for _, name := range strings.Split(spec, ",") {
		name = strings.TrimSpace(name)
		if set, ok := sets[name]; ok {
			out = append(out, set...)
			continue
		}
		if off, ok := strings.CutPrefix(name, "-"); ok {
			kept := out[:0:0]
			for _, g := range out {
				if g.Name != off {
					kept = append(kept, g)
				}
			}
			if len(kept) == len(out) {
				return nil, fmt.Errorf("guard %q is not in the set to take it from; guards: %s", off, guardNames())
			}
			out = kept
			continue
		}
		g, ok := guardNamed(name)
		if !ok {
			return nil, fmt.Errorf("no guard %q; sets: default, seed, final, none; guards: %s", name, guardNames())
		}
		out = append(out, g)
	}
	return out, nil
}

func guardNamed(name string) (Guard, bool) {
	for _, set := range []Guards{defaultGuards, seedGuards, finalGuards} {
		for _, g := range set {
			if g.Name == name {
				return g, true
			}
		}
	}
	return Guard{}, false
}

func guardNames() string {
	var names []string
	for _, set := range []Guards{defaultGuards, seedGuards, finalGuards} {
		for _, g := range set {
			names = append(names, g.Name)
		}
	}
	return strings.Join(names, ", ")
}

// Apply sends raw model text through the guards. A rejecting verdict means that no candidate is left.
func (g Guards) Apply(raw string, in Input) (sql string, changes []Change, v Verdict) {
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
	return sql, changes, Pass("clean")
}
