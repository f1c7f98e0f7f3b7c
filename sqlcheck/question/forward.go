package question

import (
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// What guards, doubts and the loop call until they call words, and until the question is handed to them.
var (
	SplitName  = words.OfName
	Stem       = words.Stem
	NewBag     = words.NewBag
	IsStopWord = words.IsStop
	Stands     = words.Stands
	StandsFor  = words.StandsFor
	SameText   = words.SameText
	KeyWords   = map[string]bool{"id": true, "number": true, "code": true, "key": true, "identifier": true,
		"ssn": true, "uid": true}
)

// Bag is [words.Bag].
type Bag = words.Bag

// ExtractConstraints reads a text.
func ExtractConstraints(text string, s *schema.Schema) Constraints {
	return Read(text, s).Constraints()
}

// ClassifyIntent reads a text.
func ClassifyIntent(text string, s *schema.Schema) Intent { return Read(text, s).Intent() }

// CheckIntent reads a text.
func CheckIntent(text, sql string, s *schema.Schema) sqlcheck.Verdict {
	return Read(text, s).CheckIntent(sql)
}

// Nothing reads a text.
func Nothing(text string) string { return Read(text, nil).Nothing() }

// Changes reads a text.
func Changes(text string) string { return Read(text, nil).Changes() }
