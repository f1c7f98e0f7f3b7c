package assets

import (
	_ "embed"
	"fmt"
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
