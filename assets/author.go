package assets

import _ "embed"

// AuthorBase says in what the database of the dissertation's recorded runs differs from the stock ClassicModels sample,
// a JSON object a line, in order: a column is multiplied by factor and rounded to two places, or moved by days.
// Found by comparing recorded rows (dissertation.md §5.9).
//
//go:embed data/author_base.jsonl
var AuthorBase string
