package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

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
