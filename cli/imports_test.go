package cli

import (
	goparser "go/parser"
	"go/token"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// What ask is made of knows nothing of evaluation: it is thin over loop/answer, as the other interfaces are.
func TestAskImportsNoEvaluation(t *testing.T) {
	for _, file := range []string{
		"ask.go", "ask_file.go", "method.go", "source.go", "databases.go", "flags.go", "console.go", "cli.go",
	} {
		f := must.Get(goparser.ParseFile(token.NewFileSet(), file, nil, goparser.ImportsOnly))(t)
		for _, i := range f.Imports {
			must.Be(t, !strings.HasPrefix(i.Path.Value, `"nl2sql/evaluation/`), file, "imports", i.Path.Value)
		}
	}
}
