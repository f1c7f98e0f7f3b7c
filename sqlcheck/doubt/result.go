package doubt

import (
	"fmt"
	"slices"

	"nl2sql/sqlcheck"
)

// nothingFound finds a result without a row, of NULLs alone, or that counts nothing. One that hangs on the clock says
// that nothing is as new.
func nothingFound(c *Case) []sqlcheck.Finding {
	if !c.Ran || c.Query != nil && len(sqlcheck.Unsteady(*c.Query)) > 0 {
		return nil
	}
	if what := Nothing(c.Rows); what != "" {
		return finding("the query found %s", what)
	}
	return nil
}

// Nothing says of rows that hold nothing what they are: none, NULL alone, or a count of 0. "" if they hold something.
func Nothing(rows [][]any) string {
	hasValue := func(row []any) bool { return slices.ContainsFunc(row, func(v any) bool { return v != nil }) }
	switch {
	case len(rows) == 0:
		return "nothing"
	case !slices.ContainsFunc(rows, hasValue):
		return "nothing but NULL"
	case len(rows) == 1 && len(rows[0]) == 1 && fmt.Sprint(rows[0][0]) == "0":
		return "nothing: it is 0"
	}
	return ""
}

// unfinished finds an answer that did not pass all that it should.
func unfinished(c *Case) []sqlcheck.Finding {
	if c.Unfinished == "" {
		return nil
	}
	return []sqlcheck.Finding{{Message: c.Unfinished}}
}

// splitVote finds an answer that has no majority of the model's candidates.
func splitVote(c *Case) []sqlcheck.Finding {
	if 2*c.Agree > c.Tries || c.Tries == 0 {
		return nil
	}
	return finding("only %d of %d tries agreed on this result", c.Agree, c.Tries)
}
