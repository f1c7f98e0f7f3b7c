// Package item is what a benchmark asks: questions with their gold queries, and which of them are shown with a question as
// exemplars, drawn as Python's random draws them.
//
// It reads files of items in every shape (JSON, JSON lines, CSV, a query a line). It knows no database, no model and no answer.
// Begin with Item, then Read and Pool.
package item
