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
	hasValue := func(row []any) bool { return slices.ContainsFunc(row, func(v any) bool { return v != nil }) }
	switch {
	case len(c.Rows) == 0:
		return finding("the query found nothing")
	case !slices.ContainsFunc(c.Rows, hasValue):
		return finding("the query found nothing but NULL")
	case len(c.Rows) == 1 && len(c.Rows[0]) == 1 && fmt.Sprint(c.Rows[0][0]) == "0":
		return finding("the query found nothing: it is 0")
	}
	return nil
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
