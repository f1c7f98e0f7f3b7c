package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"nl2sql/loop"
	"nl2sql/scripts/must"
)

var update = flag.Bool("update", false, "rewrite what pages show of the program")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"nl2sql": main})
}

// layers lists every package of the module and the siblings it may import. Tests may import more.
var layers = map[string]string{
	"assets": "",

	"sqlcheck/syntax":            "",
	"sqlcheck/schema":            "sqlcheck/syntax",
	"sqlcheck/bind":              "sqlcheck/schema sqlcheck/syntax",
	"sqlcheck/cost":              "sqlcheck/bind sqlcheck/schema sqlcheck/syntax",
	"sqlcheck":                   "sqlcheck/bind sqlcheck/cost sqlcheck/schema sqlcheck/syntax",
	"sqlcheck/words":             "assets",
	"sqlcheck/question":          "sqlcheck sqlcheck/schema sqlcheck/syntax sqlcheck/words",
	"sqlcheck/edit":              "sqlcheck/bind sqlcheck/schema sqlcheck/syntax",
	"sqlcheck/explain":           "sqlcheck/bind sqlcheck/edit sqlcheck/schema sqlcheck/syntax sqlcheck/words",
	"sqlcheck/ambiguity":         "sqlcheck/bind sqlcheck/edit sqlcheck/explain sqlcheck/question sqlcheck/schema sqlcheck/syntax sqlcheck/words",
	"sqlcheck/guard/draft":       "sqlcheck/bind sqlcheck/question sqlcheck/schema sqlcheck/syntax",
	"sqlcheck/guard/names":       "sqlcheck/bind sqlcheck/edit sqlcheck/question sqlcheck/schema sqlcheck/syntax sqlcheck/guard/draft sqlcheck/words",
	"sqlcheck/guard/seed":        "sqlcheck sqlcheck/schema sqlcheck/syntax",
	"sqlcheck/guard":             "sqlcheck sqlcheck/bind sqlcheck/edit sqlcheck/question sqlcheck/schema sqlcheck/syntax sqlcheck/guard/draft sqlcheck/guard/names sqlcheck/guard/seed sqlcheck/words",
	"sqlcheck/doubt":             "sqlcheck sqlcheck/bind sqlcheck/edit sqlcheck/question sqlcheck/schema sqlcheck/syntax sqlcheck/words",
	"sqlcheck/role":              "sqlcheck sqlcheck/bind sqlcheck/edit sqlcheck/schema sqlcheck/syntax",
	"sqlcheck/batch":             "sqlcheck sqlcheck/explain sqlcheck/schema sqlcheck/guard sqlcheck/doubt sqlcheck/question sqlcheck/syntax",
	"sqlcheck/internal/examples": "scripts/must sqlcheck/schema",

	"runner/files":              "",
	"llm":                       "",
	"llm/llamacpp":              "llm llm/prefix llm/llamacpp/engine",
	"llm/llamacpp/engine":       "",
	"llm/prefix":                "",
	"llm/catalog":               "runner/files",
	"llm/fetch":                 "runner/files",
	"llm/lora":                  "llm llm/catalog runner/files",
	"llm/openai":                "llm",
	"runner":                    "sqlcheck sqlcheck/role sqlcheck/schema sqlcheck/syntax assets runner/files",
	"runner/render":             "runner sqlcheck/syntax",
	"runner/embedded":           "runner sqlcheck sqlcheck/schema sqlcheck/syntax assets runner/embedded/convert runner/embedded/dump runner/embedded/translate runner/embedded/mysqlfn runner/embedded/types runner/files",
	"runner/embedded/convert":   "sqlcheck/syntax runner/embedded/xlsx",
	"runner/embedded/xlsx":      "",
	"runner/embedded/dump":      "sqlcheck/schema sqlcheck/syntax runner runner/embedded/mysqlfn runner/embedded/types",
	"runner/embedded/translate": "sqlcheck/syntax runner runner/embedded/mysqlfn runner/embedded/types",
	"runner/embedded/mysqlfn":   "runner runner/embedded/types",
	"runner/embedded/types":     "sqlcheck/schema",
	"runner/local":              "runner runner/files assets",
	"runner/profile":            "runner sqlcheck sqlcheck/schema sqlcheck/syntax sqlcheck/words",
	"tools":                     "assets sqlcheck sqlcheck/bind sqlcheck/edit sqlcheck/schema sqlcheck/syntax sqlcheck/question sqlcheck/words llm runner runner/files",
	"tools/retrieve":            "llm runner sqlcheck/words sqlcheck/schema",
	"loop":                      "assets sqlcheck sqlcheck/syntax sqlcheck/schema sqlcheck/question sqlcheck/guard sqlcheck/doubt llm runner runner/render tools sqlcheck/words",

	"loop/item":         "assets runner/files sqlcheck/syntax",
	"loop/dissertation": "assets loop llm runner sqlcheck sqlcheck/guard sqlcheck/schema tools sqlcheck/question sqlcheck/syntax",
	"loop/retrieval":    "assets loop llm runner sqlcheck sqlcheck/doubt sqlcheck/guard sqlcheck/schema tools tools/retrieve sqlcheck/question sqlcheck/syntax",
	"loop/answer": "loop loop/item loop/dissertation loop/retrieval llm runner runner/profile runner/render sqlcheck sqlcheck/doubt " +
		"sqlcheck/ambiguity sqlcheck/explain sqlcheck/guard sqlcheck/question sqlcheck/schema sqlcheck/syntax sqlcheck/words tools tools/retrieve",
	"loop/desk":             "llm loop loop/answer runner runner/files runner/render sqlcheck sqlcheck/batch sqlcheck/question sqlcheck/schema sqlcheck/syntax tools",
	"loop/internal/stories": "llm runner runner/embedded scripts/must sqlcheck/schema", // of tests

	"evaluation/score":        "sqlcheck sqlcheck/bind sqlcheck/schema sqlcheck/syntax sqlcheck/doubt runner runner/render loop/item sqlcheck/words",
	"evaluation/record":       "sqlcheck/doubt sqlcheck/syntax runner tools loop loop/item evaluation/score runner/files",
	"evaluation/confidence":   "loop evaluation/record sqlcheck/syntax",
	"evaluation/grid":         "sqlcheck/syntax",
	"evaluation/runs":         "sqlcheck sqlcheck/schema llm runner runner/files tools loop loop/answer loop/dissertation loop/item evaluation/score evaluation/record evaluation/suite",
	"evaluation/rescore":      "runner sqlcheck/guard evaluation/score evaluation/record sqlcheck/question sqlcheck/syntax",
	"evaluation/suite":        "sqlcheck sqlcheck/bind sqlcheck/schema sqlcheck/syntax runner loop/item evaluation/score evaluation/record runner/files",
	"evaluation/report":       "assets runner runner/render sqlcheck/doubt sqlcheck/syntax tools loop loop/retrieval loop/item evaluation/score evaluation/record evaluation/rescore evaluation/confidence",
	"evaluation/dissertation": "assets sqlcheck/schema runner runner/embedded runner/files runner/local evaluation/score evaluation/record evaluation/report sqlcheck/syntax",

	"llm/llamacpp/engine/headers": "",
	"llm/llamacpp/kernels/source": "",

	"cli/mcp":   "loop/answer loop/desk runner runner/render sqlcheck sqlcheck/batch sqlcheck/question sqlcheck/schema sqlcheck/syntax tools",
	"cli/serve": "assets cli/mcp loop loop/answer loop/desk runner runner/render sqlcheck/batch sqlcheck/schema sqlcheck/syntax tools",

	"nl2sql":       "cli", // main
	"cli/settings": "runner sqlcheck/syntax runner/files",
	"cli/chat":     "sqlcheck/schema sqlcheck/syntax runner/files",
	"cli/bundle":   "llm runner runner/files",
	"cli/complete": "assets cli/settings evaluation/score llm/catalog llm/fetch llm/llamacpp loop runner runner/embedded sqlcheck/guard sqlcheck/syntax",
	"cli": "cli/complete cli/mcp cli/chat cli/serve cli/settings cli/bundle sqlcheck/syntax assets sqlcheck sqlcheck/role sqlcheck/schema sqlcheck/question sqlcheck/doubt sqlcheck/guard sqlcheck/batch llm llm/llamacpp llm/catalog llm/fetch llm/lora llm/openai runner runner/profile runner/render runner/embedded runner/files runner/local tools tools/retrieve loop " +
		"loop/answer loop/desk loop/item evaluation/score evaluation/record evaluation/runs evaluation/grid evaluation/rescore evaluation/suite evaluation/report evaluation/confidence evaluation/dissertation",
}

func TestImportArrows(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-tags", "stub", "-f",
		`{{.ImportPath}} {{join .Imports " "}}`, "./...").Output())(t)
	checked := 0
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		pkg = strings.TrimPrefix(pkg, "nl2sql/")
		if strings.HasPrefix(pkg, "scripts/") {
			continue // they may import anything
		}
		checked++
		may, known := layers[pkg]
		must.Be(t, known, "package", pkg, "is not in layers: say what it may import")
		for imp := range strings.FieldsSeq(imports) {
			if imp, ours := strings.CutPrefix(imp, "nl2sql/"); ours && !strings.Contains(" "+may+" ", " "+imp+" ") {
				t.Errorf("%s must not import %s", pkg, imp)
			}
		}
	}
	must.Be(t, checked != 0, "go list found no package")
}

// unbounded are the files that may read without the bounds of runner/files: they read what this program or the system
// wrote, or look at its length before.
const unbounded = `cli/bundle cli/cli.go cli/doctor.go cli/learn.go cli/source.go llm/fetch llm/llamacpp
llm/lora/lora.go llm/lora/merge.go llm/openai llm/prefix runner/cache.go runner/embedded runner/files
runner/local scripts tools/retrieve/keep.go`

// What a user names is read within bounds: by runner/files, and not by the functions that know none.
func TestBoundedReading(t *testing.T) {
	reads := regexp.MustCompile(`\bos\.(ReadFile|Open)\(|\bio\.ReadAll\(|\bbufio\.NewScanner\(`)
	unused := strings.Fields(unbounded)
	must.Do(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !reads.Match(text) {
			return err
		}
		may := slices.ContainsFunc(strings.Fields(unbounded), func(u string) bool { return strings.HasPrefix(path, u) })
		must.Be(t, may, path, "reads without a bound: runner/files has one")
		unused = slices.DeleteFunc(unused, func(u string) bool { return strings.HasPrefix(path, u) })
		return nil
	}))
	must.Be(t, len(unused) == 0, unused, "need no exception")
}

// shows holds what stands in a file between begin and end against want, and rewrites it with -update.
func shows(t *testing.T, file, begin, want, end string) {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	head, rest, ok := strings.Cut(string(text), begin)
	must.Have(t, ok, file, "has no part that begins with", begin)
	shown, tail, _ := strings.Cut(rest, end)
	if diff := cmp.Diff(want, shown); diff != "" {
		must.Have(t, *update, file, "is out of date: go test -run", t.Name(), "-update .", diff)
		must.Do(t, os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644))
	}
}

// cli/README.md shows --help as it is.
func TestHelpInREADME(t *testing.T) {
	help := must.Get(exec.Command("nl2sql", "--help").Output())(t)
	shows(t, "cli/README.md", "$ nl2sql --help\n", string(help), "```")
}

// cli/mcp/README.md shows the entries of clients as the files have them that a test of cli loads.
func TestClientsInREADME(t *testing.T) {
	files := must.Get(filepath.Glob("cli/mcp/testdata/clients/*"))(t)
	must.Have(t, len(files) == 8, len(files), "files")
	for _, file := range files {
		begin := fmt.Sprintf("<!-- %s -->\n```%s\n", filepath.Base(file), strings.TrimPrefix(filepath.Ext(file), "."))
		shows(t, "cli/mcp/README.md", begin, string(must.Get(os.ReadFile(file))(t)), "```")
	}
}

// ARCHITECTURE.md lists the packages with what their documentation says that they know, and with their arrows.
func TestMapOfPackages(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-tags", "stub", "-f",
		`{{.ImportPath}}|{{.Doc}}|{{join .Imports " "}}`, "./...").Output())(t)
	var b strings.Builder
	b.WriteString("| package | what it knows | imports |\n|---|---|---|\n")
	for line := range strings.Lines(string(out)) {
		part := strings.SplitN(strings.TrimSpace(line), "|", 3)
		pkg := strings.TrimPrefix(part[0], "nl2sql/")
		if strings.HasPrefix(pkg, "scripts/") {
			continue
		}
		_, doc, ok := strings.Cut(part[1], " ") // behind "Package"
		must.Be(t, ok, "package", pkg, "does not say what it knows")
		var ours []string
		for imp := range strings.FieldsSeq(part[2]) {
			if imp, ok := strings.CutPrefix(imp, "nl2sql/"); ok {
				ours = append(ours, imp)
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", pkg, strings.ReplaceAll(doc, "|", "\\|"), strings.Join(ours, ", "))
	}
	shows(t, "ARCHITECTURE.md", "<!-- packages -->\n", b.String(), "<!-- end -->")
}

// The walk of ARCHITECTURE.md comes to each package once, and all that it names is there.
func TestWalk(t *testing.T) {
	text := string(must.Get(os.ReadFile("ARCHITECTURE.md"))(t))
	_, text, _ = strings.Cut(text, "## Where a question passes")
	walk, _, ok := strings.Cut(text, "\n## ")
	must.Have(t, ok, "there is no walk")
	step := map[string]int{} // of a package
	for i, part := range regexp.MustCompile(`(?m)^\d+\. `).Split(walk, -1) {
		for _, m := range regexp.MustCompile("`([a-z0-9]+(/[a-z0-9]+)+(\\.go)?)`").FindAllStringSubmatch(part, -1) {
			_, err := os.Stat(m[1])
			must.Be(t, err == nil, m[1], err)
			folder := strings.TrimSuffix(m[1], "/"+filepath.Base(m[1]))
			if filepath.Ext(m[1]) == "" {
				folder = m[1]
			}
			must.Be(t, step[folder] == 0 || step[folder] == i, folder, "stands in steps", step[folder], "and", i)
			step[folder] = i
		}
	}
	must.Be(t, len(step) > 15, step)
}

// loop/README.md lists the switches of --without.
func TestSwitchesInREADME(t *testing.T) {
	var b strings.Builder
	b.WriteString("| name | what | of | without it |\n|---|---|---|---|\n")
	for _, s := range loop.Switches() {
		of, off := strings.Join(s.Of, ", "), s.Off
		if s.Of == nil {
			of = "all"
		}
		if s.Plan != "" {
			of += " `--plan " + string(s.Plan) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, s.Kind, of, off)
	}
	for _, name := range slices.Sorted(maps.Keys(loop.Fixed)) {
		if keeps, ok := strings.CutPrefix(loop.Fixed[name], "stays on: "); ok {
			fmt.Fprintf(&b, "| `%s` | stays on | all | *%s* |\n", name, keeps)
		}
	}
	shows(t, "loop/README.md", "<!-- switches -->\n", b.String(), "<!-- end -->")
}

// generated is what of a page is no prose: code, and what tests write.
var generated = regexp.MustCompile("(?ms)^ *```.*?^ *```|^<!-- \\w+ -->.*?^<!-- (?:/\\w+|end) -->")

// README.md is short, what any page links to is there, and its lines end before column 120, tables and code aside.
func TestPages(t *testing.T) {
	pages, err := exec.Command("git", "ls-files", "*.md").Output()
	if err != nil {
		t.Skip("not a checkout: ", err)
	}
	link := regexp.MustCompile(`\]\(([^):]+)\)`)
	for page := range strings.FieldsSeq(string(pages)) {
		text := must.Get(os.ReadFile(page))(t)
		if lines := strings.Count(string(text), "\n"); page == "README.md" && lines > 150 {
			t.Errorf("README.md has %d lines, want 150 at most: the folders have pages of their own", lines)
		}
		prose := generated.ReplaceAllStringFunc(string(text), func(s string) string {
			return strings.Repeat("\n", strings.Count(s, "\n"))
		})
		for n, line := range strings.Split(prose, "\n") {
			if utf8.RuneCountInString(line) > maxColumns && !strings.HasPrefix(line, "    ") &&
				!strings.HasPrefix(strings.TrimSpace(line), "|") {
				t.Errorf("%s:%d: the line is longer than %d columns", page, n+1, maxColumns)
			}
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			file, anchor, anchored := strings.Cut(m[1], "#")
			to := page
			if file != "" {
				to = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			} else if anchored && !slices.Contains(headings(t, to), anchor) {
				t.Errorf("%s links to %s: there is no such heading", page, m[1])
			}
		}
	}
}

// headings are a page's, as links name them.
func headings(t *testing.T, page string) (names []string) {
	text := must.Get(os.ReadFile(page))(t)
	mark := regexp.MustCompile(`[^\pL\pN _-]`)
	for line := range strings.Lines(string(text)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			title = mark.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			names = append(names, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return names
}

// A deferred function that reads a named result sees what the return statement made of it: after `return nil, err` a
// pointer that it wants to close is nil. So deferred functions read no named results but those of predeclared types.
func TestDeferredFunctionsReadNoResults(t *testing.T) {
	files := token.NewFileSet()
	must.Do(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
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
	}))
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

// maxColumns is the most that a line of Go has, a tab counting four; maxFiles the most source files of a folder, those
// of tests aside (STYLE: lines end before column 120; a folder that needs more files holds two ideas).
const maxColumns, maxFiles = 120, 25

// manyFiles are folders that hold more than maxFiles, with the reason.
var manyFiles = map[string]string{}

// Lines of Go end before column 120, and a folder holds one idea. A line may be longer where a text in quotes begins
// it, reaches over that column, or is the most of it: texts are data, and the tag of a field cannot be broken.
func TestLayout(t *testing.T) {
	files, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not a checkout: ", err)
	}
	all := must.Get(exec.Command("git", "ls-files").Output())(t)
	top := map[string]bool{}
	for path := range strings.FieldsSeq(string(all)) {
		name, _, _ := strings.Cut(path, "/")
		top[name] = true
	}
	must.Same(t, slices.Sorted(maps.Keys(top)), strings.Fields(`.ci .gitignore ARCHITECTURE.md LICENSE Makefile README.md
		assets cli evaluation go.mod go.sum llm loop main.go main_test.go runner scripts sqlcheck tools`), "top level")
	inFolder := map[string]int{}
	for path := range strings.FieldsSeq(string(files)) {
		src, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		must.Do(t, err)
		if !strings.HasSuffix(path, "_test.go") {
			inFolder[filepath.Dir(path)]++
		}
		for _, line := range longLines(src) {
			t.Errorf("%s:%d: the line is longer than %d columns", path, line, maxColumns)
		}
	}
	for folder, n := range inFolder {
		must.Be(t, n <= maxFiles || manyFiles[folder] != "", folder, "has", n, "source files", maxFiles, "at most")
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", maxColumns)
	for name, test := range map[string]struct {
		src  string
		want int // lines
	}{
		"a comment":          {"package p\n\n// " + long + "\n", 1},
		"a name":             {"package p\n\nvar " + long + " int\n", 1},
		"as long as allowed": {"package p\n\nvar " + long[:maxColumns-8] + " int\n", 0},
		"tabs count four":    {"package p\n\nfunc f() {\n\tvar " + long[:maxColumns-11] + " int\n}\n", 1},
		"a text over it":     {"package p\n\nvar x = \"" + long + "\"\n", 0},
		"a tag over it":      {"package p\n\ntype t struct {\n\tF int `help:\"" + long + "\"`\n}\n", 0},
		"a text before it":   {"package p\n\nvar x = \"short\" + " + long + "\n", 1},
		"a row of data":      {"package p\n\nvar x = m{\"" + long[:maxColumns-12] + "\": 1234, 5: 6}\n", 0},
		"lines of one text":  {"package p\n\nvar x = `\n" + long + "x\n`\n", 0},
	} {
		must.Equal(t, len(longLines([]byte(test.src))), test.want, name, "are too long", "of them")
	}
}

// longLines are the numbers, from 1, of lines that are longer than maxColumns and no data.
func longLines(src []byte) (long []int) {
	over := map[int]bool{}  // lines of which a text reaches over column maxColumns
	quoted := map[int]int{} // the columns of a line that are texts
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(src))
	s.Init(file, src, nil, 0)
	for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
		if tok != token.STRING {
			continue
		}
		at := file.Offset(pos)
		for i, part := range strings.Split(text, "\n") {
			line := file.Line(pos) + i
			before := columns(src[bytes.LastIndexByte(src[:at], '\n')+1 : at])
			after := before + columns([]byte(part))
			begins := len(bytes.TrimSpace(src[bytes.LastIndexByte(src[:at], '\n')+1:at])) == 0
			over[line] = over[line] || begins || before < maxColumns && after >= maxColumns
			quoted[line] += after - before
			at += len(part) + 1
		}
	}
	n := 0
	for line := range bytes.Lines(src) {
		n++
		if c := columns(bytes.TrimRight(line, "\r\n")); c > maxColumns && !over[n] && 2*quoted[n] < c {
			long = append(long, n)
		}
	}
	return long
}

// columns is how wide a text is where a tab is as wide as four letters.
func columns(text []byte) int { return utf8.RuneCount(text) + 3*bytes.Count(text, []byte("\t")) }
