// Package report says what runs come to: rates with intervals, tests between conditions, what is wrong with answers,
// what guards and repairs did, tokens and time; as tables, a page, LaTeX, CSV or JSON.
//
// It computes everything from records; only where they leave something open does it let rescore run a query. Begin
// with New; sections.go has the tables, which text.go, html.go and csv.go write.
package report
