package question

import (
	"maps"
	"slices"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

func TestShapeOf(t *testing.T) {
	s, err := schema.ParseDDL("",
		"CREATE TABLE shelf (shelfId INT PRIMARY KEY, room VARCHAR(9)); CREATE TABLE book (bookId INT PRIMARY KEY, title VARCHAR(9), shelfId INT)")
	must.Do(t, err)
	type shape struct {
		Width              int
		Aggregate, Grouped bool
		Names, Words       []string
		Texts              []string
	}
	for _, tt := range []struct {
		sql  string
		want shape
	}{
		{"SELECT title FROM book WHERE title = 'Emma'", shape{1, false, false, []string{"title"},
			[]string{"book", "title"}, []string{"Emma"}}},
		{"SELECT * FROM shelf", shape{2, false, false, []string{"room", "shelfid"}, []string{"shelf"}, nil}},
		{"SELECT b.*, room FROM shelf AS s JOIN book AS b USING (shelfId)",
			shape{4, false, false, []string{"bookid", "room", "shelfid", "title"},
				[]string{"book", "id", "room", "shelf"}, nil}},
		{"SELECT * FROM (SELECT COUNT(*), room FROM shelf GROUP BY room) AS n", shape{2, true, true, []string{"room"},
			[]string{"COUNT", "GROUP", "room", "shelf"}, nil}},
		{"SELECT room FROM shelf UNION SELECT title FROM book", shape{1, false, false, []string{"room", "title"},
			[]string{"book", "room", "shelf", "title"}, nil}},
		{"SELECT CONCAT(room, ', ', 2) FROM shelf", shape{1, false, false, []string{"room"},
			[]string{"room", "shelf"}, []string{", "}}},
	} {
		got, ok := ShapeOf(tt.sql, s)
		must.Be(t, ok, tt.sql, "is no query")
		flat := shape{got.Width, got.Aggregate, got.Grouped, slices.Sorted(maps.Keys(got.Names)),
			slices.Sorted(maps.Keys(got.Words)), got.Texts}
		must.Same(t, flat, tt.want, tt.sql)
	}
	if _, ok := ShapeOf("DELETE FROM book", s); ok {
		t.Error("a DELETE has a shape")
	}
}
