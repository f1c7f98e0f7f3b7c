// Package assets holds the bytes that are built into the binary. It knows nothing of what they mean:
// whoever owns the data reads or renders it.
package assets

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
	text "text/template"
)

//go:embed data/classicmodels.sql.zst
var demo []byte

// DemoName is the name of the demo database.
const DemoName = "classicmodels"

// DemoSQL returns the demo database as a MySQL script; data/SOURCES.md says where it comes from.
func DemoSQL() ([]byte, error) {
	script, err := unpacked("demo database", demo)
	return []byte(script), err
}

// AuthorBase says in what the database of the dissertation's recorded runs differs from the stock ClassicModels sample,
// a JSON object a line, in order: a column is multiplied by factor and rounded to two places, or moved by days.
// Found by comparing recorded rows (dissertation.md §5.9).
//
//go:embed data/author_base.jsonl
var AuthorBase string

// DemoNotes is the glossary that belongs to the demo database, a term and its meaning a line.
//
//go:embed data/classicmodels.notes
var DemoNotes string

// Examples are the questions that README shows, each with its gold query, a JSON object a line.
//
//go:embed data/examples.jsonl
var Examples string

// Benchmark are our own test questions about the demo database, each with its gold query, a JSON object a line.
// SOURCES.md says how they were made.
//
//go:embed data/benchmark.jsonl
var Benchmark string

// Confidence is the model of how likely an answer is right, as `nl2sql confidence --fit` writes it.
//
//go:embed data/confidence.json
var Confidence string

// Train are questions of the same kind, of other families than those of Benchmark, to draw exemplars from or to tune
// on.
//
//go:embed data/train.jsonl
var Train string

var (
	//go:embed licences.txt.zst
	licences []byte
	//go:embed data/wordnet.txt.zst
	wordNet []byte
)

// Licences are the texts of the licences of nl2sql and of all that is linked into a release: go run ./scripts/dist
// licences writes them.
func Licences() (string, error) { return unpacked("licences", licences) }

// WordNet is what was cut from Princeton's WordNet 3.0 (data/SOURCES.md); sqlcheck/words reads it.
func WordNet() (string, error) { return unpacked("WordNet", wordNet) }

func unpacked(what string, packed []byte) (string, error) {
	text, err := unpack(packed)
	if err != nil {
		return "", fmt.Errorf("assets: %s: %w", what, err)
	}
	return string(text), nil
}

//go:embed data/grids
var grids embed.FS

// Grids are the names of the grids that are built in.
func Grids() []string {
	files, err := fs.Glob(grids, "data/grids/*.yaml")
	if err != nil { // the pattern is ours
		panic(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	return files
}

// Grid is the text of one; a name that there is not is an error.
func Grid(name string) ([]byte, error) { return grids.ReadFile("data/grids/" + name + ".yaml") }

//go:embed prompts
var prompts embed.FS

// Prompt returns template name of a prompt set: a file whose blocks are the messages.
func Prompt(set, name string) (*text.Template, error) {
	t, err := text.New(name).Option("missingkey=error").ParseFS(prompts, "prompts/"+set+"/"+name+".tmpl")
	if err != nil {
		return nil, fmt.Errorf("prompt %s/%s: %w", set, name, err)
	}
	return t, nil
}

// PromptHash is the SHA-256 of the file that [Prompt] reads.
func PromptHash(set, name string) (string, error) {
	text, err := prompts.ReadFile("prompts/" + set + "/" + name + ".tmpl")
	if err != nil {
		return "", fmt.Errorf("prompt %s/%s: %w", set, name, err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

//go:embed page
var page embed.FS

// Page returns the files of the page of `nl2sql serve`: plain HTML, CSS and modules that no build step makes.
func Page() (fs.FS, error) { return fs.Sub(page, "page") }

//go:embed report
var report embed.FS

// ReportPage returns the template of the report's page, which writes texts with functions. Style and script are in it:
// the page needs no network.
func ReportPage(functions template.FuncMap) (*template.Template, error) {
	t, err := template.New("report.html.tmpl").Option("missingkey=error").Funcs(functions).ParseFS(report, "report/*")
	if err != nil {
		return nil, fmt.Errorf("report page: %w", err)
	}
	return t, nil
}
