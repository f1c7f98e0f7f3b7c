package tools

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// SchemaStyle says how a schema is written into a prompt.
type SchemaStyle string

const (
	// StyleNames is one line a table, "table(col1, col2)": what the recorded runs saw (dissertation.md §2.1).
	StyleNames SchemaStyle = "names"
	// StyleSummary is StyleNames with the columns that tell rows apart first, at most 50 a table: what the recorded
	// few-shot and query/finish runs saw (dissertation.md §2.1).
	StyleSummary SchemaStyle = "summary"
	// StyleTyped adds types, keys, references, known values and comments.
	StyleTyped SchemaStyle = "typed"
)

// maxShown bounds the values written behind a column: more of them are samples, not an enumeration.
const maxShown = 8

// SchemaText renders s for a prompt. Equal schemas give equal bytes, so that a prefix cache can hold them.
func SchemaText(s *schema.Schema, style SchemaStyle) string {
	var b strings.Builder
	for _, t := range s.Tables {
		b.WriteString(t.Name + "(")
		cols := t.Columns
		if style == StyleSummary {
			cols = summary(cols)
		}
		for i, c := range cols {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(c.Name)
			if style == StyleTyped {
				b.WriteString(columnNote(t, c))
			}
		}
		b.WriteString(")")
		if style == StyleTyped {
			b.WriteString(shownComment(t.Name, t.Comment))
		}
		b.WriteByte('\n')
	}
	if style == StyleTyped {
		b.WriteString(Joins(s))
	}
	return b.String()
}

// Joins are the foreign keys between tables of s, a line for each pair of columns.
func Joins(s *schema.Schema) string {
	var b strings.Builder
	for _, t := range s.Tables {
		for _, fk := range t.ForeignKeys {
			if _, ok := s.Table(fk.RefTable); !ok {
				continue
			}
			for i := range fk.Columns {
				b.WriteString(t.Name + "." + fk.Columns[i] + " = " + fk.RefTable + "." + fk.RefColumns[i] + "\n")
			}
		}
	}
	return b.String()
}

var telling = regexp.MustCompile(`(?i)name|id|line|code|number`)

// summary puts key columns and those with a telling name first, else in their order.
func summary(cols []schema.Column) []schema.Column {
	var first, rest []schema.Column
	for _, c := range cols {
		if c.Key == "PRI" || telling.MatchString(c.Name) {
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	cols = append(first, rest...)
	return cols[:min(50, len(cols))]
}

// columnNote is what follows a column's name: short type, key, where they are few its values, and its comment.
func columnNote(t schema.Table, c schema.Column) string {
	var b strings.Builder
	b.WriteString(" " + shortType(c.Type))
	if t.IsIdentity(c.Name) {
		b.WriteString(" primary key")
	}
	if IsEnumeration(t, c) {
		quoted := func(v string) string { return "'" + strings.ReplaceAll(v, "'", "''") + "'" }
		b.WriteString(" in (" + strings.Join(syntax.Map(c.Values, quoted), ", ") + ")")
	}
	b.WriteString(shownComment(c.Name, c.Comment))
	return b.String()
}

// IsEnumeration reports whether c's values are few, known in full, and shared by several rows each.
func IsEnumeration(t schema.Table, c schema.Column) bool {
	n := len(c.Values)
	return c.Complete && n > 0 && n <= maxShown && len(strings.Join(c.Values, "")) <= 120 &&
		c.Key != "PRI" && c.Key != "UNI" && (t.Rows == 0 || t.Rows >= 3*int64(n))
}

// shortType drops what a model does not need: "varchar(50)" is text, "decimal(10,2)" decimal.
func shortType(text string) string {
	t := schema.ParseType(text)
	switch {
	case t.Kind() == schema.Text:
		return "text"
	case t.Kind() == schema.Number && strings.HasSuffix(t.Name, "int"):
		return "int"
	}
	return t.Name
}

type getSchema struct{ prompts *Prompts }

func (getSchema) Name() Name { return GetSchema }

func (t getSchema) Run(_ context.Context, env Env, _ json.RawMessage) (Observation, error) {
	return Observation{Text: SchemaText(env.Schema, t.prompts.style), Schema: env.Schema}, nil
}
