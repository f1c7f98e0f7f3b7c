package runner

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

func TestProfileValues(t *testing.T) {
	many := make([][]any, profileValues+1)
	for i := range many {
		many[i] = []any{fmt.Sprint(i), int64(1)}
	}
	const ask = "SELECT `%[1]s`, COUNT(*) FROM `t` WHERE `%[1]s` IS NOT NULL GROUP BY `%[1]s` ORDER BY 2 DESC, 1 LIMIT 201"
	answers := map[string][][]any{
		fmt.Sprintf(ask, "status"): {{"b", int64(2)}, {"z", int64(1)}, {[]byte("A"), int64(1)}},
		fmt.Sprintf(ask, "size"):   {{"M", int64(5)}},
		fmt.Sprintf(ask, "name"):   many,
		fmt.Sprintf(ask, "empty"):  {},
	}
	query := func(_ context.Context, sql string) ([][]any, error) {
		rows, ok := answers[sql]
		if !ok {
			return nil, &QueryError{Code: 1143, Message: "denied"}
		}
		return rows, nil
	}
	s := &schema.Schema{Tables: []schema.Table{
		{Name: "t", Rows: 10, Columns: []schema.Column{
			{Name: "id", Type: "int(11)"}, {Name: "status", Type: "varchar(15)"}, {Name: "size", Type: "enum('S','M')"},
			{Name: "name", Type: "char(50)"}, {Name: "empty", Type: "varchar(3)"}, {Name: "denied", Type: "varchar(3)"},
			{Name: "wide", Type: "varchar(256)"}, {Name: "note", Type: "text"},
		}},
		{Name: "huge", Rows: profileRows + 1, Columns: []schema.Column{{Name: "a", Type: "varchar(3)"},
			{Name: "e", Type: "enum('x','y')"}}},
		{Name: "unknown", Columns: []schema.Column{{Name: "a", Type: "varchar(3)"}}},
	}}
	must.Do(t, ProfileValues(t.Context(), s, query))
	got := map[string][]string{}
	for _, table := range s.Tables {
		for _, c := range table.Columns {
			if c.Complete {
				got[table.Name+"."+c.Name] = c.Values
			} else if c.Values != nil {
				t.Errorf("%s has values but is not complete", c.Name)
			}
		}
	}
	want := map[string][]string{"t.status": {"b", "A", "z"}, "t.size": {"M", "S"}, "t.empty": nil, "huge.e": {"x", "y"}}
	must.Same(t, got, want, "values")

	broken := errors.New("broken pipe")
	err := ProfileValues(t.Context(), s, func(context.Context, string) ([][]any, error) { return nil, broken })
	must.Be(t, errors.Is(err, broken), err)
}

func TestMeasureTexts(t *testing.T) {
	asked := map[string][][]any{"SELECT MAX(OCTET_LENGTH(`note`)), MAX(OCTET_LENGTH(`title`)), " +
		"MAX(OCTET_LENGTH(`doc`)) FROM `t`": {{int64(12), int64(7), nil}}}
	query := func(_ context.Context, sql string) ([][]any, error) {
		rows, ok := asked[sql]
		if !ok {
			return nil, &QueryError{Code: 1143, Message: "denied"}
		}
		return rows, nil
	}
	s := &schema.Schema{Tables: []schema.Table{
		{Name: "t", Rows: 10, Columns: []schema.Column{{Name: "id", Type: "int"}, {Name: "note", Type: "text"},
			{Name: "name", Type: "varchar(9)"}, {Name: "title", Type: "varchar(99)"}, {Name: "doc", Type: "json"}}},
		{Name: "denied", Rows: 10, Columns: []schema.Column{{Name: "note", Type: "longtext"}}},
		{Name: "large", Rows: profileRows + 1, Columns: []schema.Column{{Name: "note", Type: "longtext"}}},
		{Name: "unknown", Columns: []schema.Column{{Name: "note", Type: "longtext"}}},
	}}
	must.Do(t, MeasureTexts(t.Context(), s, query))
	var got []int64
	for _, table := range s.Tables {
		for _, col := range table.Columns {
			got = append(got, col.Longest)
		}
	}
	must.Same(t, got, []int64{0, 12, 0, 7, 0, 0, 0, 0})
}
