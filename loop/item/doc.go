// Package item is what files of questions hold: each with its gold query or without one, and which of them are shown
// with a question as exemplars, drawn as Python's random draws them.
//
// It reads files of items in every shape (JSON, JSON lines, CSV, a question a line). It knows no database, no model and
// no answer. Begin with Item, then Read, Questions and Pool.
package item
