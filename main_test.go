package main

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the help that README.md shows")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"nl2sql": main})
}

// layers lists every package of the module and the siblings it may import. Tests may import more.
var layers = map[string]string{
	"assets":                    "",
	"sqlcheck":                  "",
	"llm":                       "",
	"llm/llamacpp":              "llm llm/prefix",
	"llm/prefix":                "",
	"llm/catalog":               "",
	"llm/lora":                  "llm llm/catalog",
	"llm/openai":                "llm",
	"runner":                    "sqlcheck assets",
	"runner/render":             "runner",
	"runner/embedded":           "runner sqlcheck assets runner/embedded/dump runner/embedded/translate runner/embedded/mysqlfn runner/embedded/types",
	"runner/embedded/dump":      "runner sqlcheck runner/embedded/mysqlfn runner/embedded/types",
	"runner/embedded/translate": "runner runner/embedded/mysqlfn runner/embedded/types",
	"runner/embedded/mysqlfn":   "runner runner/embedded/types",
	"runner/embedded/types":     "",
	"runner/local":              "runner sqlcheck assets",
	"tools":                     "assets sqlcheck llm runner",
	"loop":                      "assets sqlcheck llm runner runner/render tools",
	"evaluation":                "assets sqlcheck llm runner runner/render tools loop",

	"llm/llamacpp/kernels/source": "",

	"nl2sql": "cli", // main
	"cli":    "assets sqlcheck llm llm/llamacpp llm/catalog llm/lora llm/openai runner runner/render runner/embedded runner/local tools loop evaluation",
}

func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-tags", "stub", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		pkg = strings.TrimPrefix(pkg, "nl2sql/")
		if strings.HasPrefix(pkg, "scripts/") {
			continue // they may import anything
		}
		checked++
		may, known := layers[pkg]
		if !known {
			t.Errorf("package %s is not in layers: say what it may import", pkg)
		}
		for imp := range strings.FieldsSeq(imports) {
			if imp, ours := strings.CutPrefix(imp, "nl2sql/"); ours && !strings.Contains(" "+may+" ", " "+imp+" ") {
				t.Errorf("%s must not import %s", pkg, imp)
			}
		}
	}
	if checked == 0 {
		t.Error("go list found no package")
	}
}

// README shows --help as it is. go test -run README -update . rewrites it.
func TestREADME(t *testing.T) {
	help, err := exec.Command("nl2sql", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "$ nl2sql --help\n", "```"
	head, rest, ok := strings.Cut(string(readme), begin)
	if !ok {
		t.Fatalf("README.md has no block that begins with %q", begin)
	}
	shown, tail, _ := strings.Cut(rest, end)
	if diff := cmp.Diff(string(help), shown); diff != "" {
		if !*update {
			t.Fatalf("README.md's --help is out of date (go test -run README -update .): %s", diff)
		}
		if err := os.WriteFile("README.md", []byte(head+begin+string(help)+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A deferred function that reads a named result sees what the return statement made of it: after `return nil, err` a
// pointer that it wants to close is nil. So deferred functions read no named results but those of predeclared types.
func TestDeferredFunctionsReadNoResults(t *testing.T) {
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch f := n.(type) {
			case *ast.FuncDecl:
				checkDeferred(t, files, f.Type, f.Body)
			case *ast.FuncLit:
				checkDeferred(t, files, f.Type, f.Body)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkDeferred(t *testing.T, files *token.FileSet, kind *ast.FuncType, body *ast.BlockStmt) {
	if kind.Results == nil || body == nil {
		return
	}
	results := map[string]bool{}
	for _, field := range kind.Results.List {
		if id, ok := field.Type.(*ast.Ident); ok && types.Universe.Lookup(id.Name) != nil {
			continue
		}
		for _, name := range field.Names {
			results[name.Name] = name.Name != "_"
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false // has results of its own
		}
		deferred, ok := n.(*ast.DeferStmt)
		if !ok {
			return true
		}
		if f, ok := deferred.Call.Fun.(*ast.FuncLit); ok {
			set := map[ast.Node]bool{} // names that are assigned to
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if a, ok := n.(*ast.AssignStmt); ok {
					for _, left := range a.Lhs {
						set[left] = true
					}
				}
				if id, ok := n.(*ast.Ident); ok && results[id.Name] && !set[n] {
					t.Errorf("%s: a deferred function reads the result %s", files.Position(id.Pos()), id.Name)
				}
				return true
			})
		}
		return false
	})
}
