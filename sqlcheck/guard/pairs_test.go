package guard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// Every rule's comment says by pairs what it does, "before → after" or "question | before → after", and that is what
// it does, and once.
func TestPairs(t *testing.T) {
	s := pairSchema(t)
	comments := ruleComments(t)
	for _, g := range allGuards() {
		if strings.Contains(g.Name, "_") { // the original's are held to its own figures
			continue
		}
		pairs := pairsOf(comments[g.Name])
		must.Be(t, len(pairs) != 0, g.Name, "has no pair")
		for _, p := range pairs {
			in := Input{Question: question.Read(p.question, s), Schema: s}
			got, changes, v := Set{g}.Apply(p.before, in)
			if got != p.after || len(changes) != 1 || !v.OK {
				t.Errorf("%s: %s\n%s\nis   %s\nwant %s\n%v %v", g.Name, p.question, p.before, got, p.after, changes, v)
			}
			if again, _, _ := (Set{g}).Apply(got, in); again != got {
				t.Errorf("%s: a second pass changes\n%s\n%s", g.Name, got, again)
			}
		}
	}
}

// allGuards are those of the table and those that no set has.
func allGuards() (all Set) {
	for _, row := range table {
		all = append(all, row.Guard)
	}
	return append(all, nullsRule, nullsFirstRule, manyrowsRule)
}

// pairSchema has what the pairs speak of: a clinic and a club.
func pairSchema(tb testing.TB) *schema.Schema {
	s := examples.Clinic(tb)
	club, _ := readRules(tb, "testdata/club.txt")
	return &schema.Schema{Name: s.Name, Tables: append(append([]schema.Table{}, s.Tables...), club.Tables...)}
}

type pair struct{ question, before, after string }

// pairsOf reads the indented parts of a comment.
func pairsOf(comment string) (pairs []pair) {
	for _, part := range strings.Split(comment, "\n\n") {
		if !strings.HasPrefix(part, "\t") {
			continue
		}
		text := strings.Join(strings.Fields(part), " ")
		before, after, is := strings.Cut(text, " → ")
		question, sql, asked := strings.Cut(before, " | ")
		if !asked {
			question, sql = "", before
		}
		if is {
			pairs = append(pairs, pair{question, sql, after})
		}
	}
	return pairs
}

// ruleComments are the comments of functions and variables of this folder and of names, by their names in lower
// case.
func ruleComments(t *testing.T) map[string]string {
	comments := map[string]string{}
	files := must.Get(filepath.Glob("*.go"))(t)
	below := must.Get(filepath.Glob("names/*.go"))(t)
	for _, name := range append(files, below...) {
		file := must.Get(parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments))(t)
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					comments[strings.ToLower(d.Name.Name)] = d.Doc.Text()
				}
			case *ast.GenDecl:
				if v, is := d.Specs[0].(*ast.ValueSpec); is {
					comments[strings.ToLower(v.Names[0].Name)] = d.Doc.Text()
				}
			}
		}
	}
	return comments
}
