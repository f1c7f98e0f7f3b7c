package syntax

import (
	"testing"

	"nl2sql/scripts/must"
)

func TestTableNames(t *testing.T) {
	for sql, want := range map[string][]string{
		"SELECT b.*, room FROM shelf AS s JOIN book AS b USING (shelfId)":              {"shelf", "book"},
		"SELECT room FROM Shelf WHERE id IN (SELECT id FROM Shelf UNION SELECT 1)":     {"Shelf", "Shelf"},
		"WITH few AS (SELECT * FROM shelf LIMIT 3) SELECT * FROM few JOIN (book) ON 1": {"shelf", "few", "book"},
		"SELECT 1": nil,
	} {
		got, ok := TableNames(sql)
		must.Have(t, ok, sql)
		must.Same(t, got, want, sql)
	}
	if _, ok := TableNames("DELETE FROM book"); ok {
		t.Error("a DELETE is taken for a query")
	}
}
