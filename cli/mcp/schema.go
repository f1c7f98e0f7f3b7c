package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

type schemaIn struct {
	Table    string `json:"table,omitempty" jsonschema:"one table"`
	Question string `json:"question,omitempty" jsonschema:"the tables that it is about"`
	Database string `json:"database,omitempty"`
}

// described are tables as agents read them.
type described struct {
	Database string   `json:"database"`
	Tables   []table  `json:"tables"`
	Joins    []string `json:"joins,omitempty" jsonschema:"foreign keys"`
	Hints    []string `json:"hints,omitempty" jsonschema:"what words of the question mean here"`
	Note     string   `json:"note" jsonschema:"what is not shown"`
}

type table struct {
	Name    string   `json:"name"`
	Rows    int64    `json:"rows,omitempty"`
	Comment string   `json:"comment,omitempty"`
	Columns []column `json:"columns,omitempty"`
}

type column struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Key     string   `json:"key,omitempty" jsonschema:"PRI, UNI or MUL"`
	Null    bool     `json:"null,omitempty" jsonschema:"it may be NULL"`
	Values  []string `json:"values,omitempty" jsonschema:"all that there are"`
	Comment string   `json:"comment,omitempty"`
}

// schema describes tables.
func (s Server) schema(_ context.Context, in schemaIn, _ caller) (reply[described], error) {
	d, err := s.Named(in.Database)
	if err != nil {
		return reply[described]{}, err
	}
	shown, joins, hints := d.Schema, joinsOf(d.Schema, ""), []string(nil)
	switch {
	case in.Table != "" && in.Question != "":
		return reply[described]{}, errors.New("give a table or a question, or neither for all tables")
	case in.Table != "":
		t, err := tableOf(d, in.Table)
		if err != nil {
			return reply[described]{}, err
		}
		shown, joins = &schema.Schema{Name: d.Schema.Name, Tables: []schema.Table{*t}}, joinsOf(d.Schema, t.Name)
	case in.Question != "":
		shown, hints = about(d, in.Question)
		joins = joinsOf(shown, "")
	}
	out, text := shortened(shown, joins)
	out.Database, out.Hints, out.Note = d.Name, hints, out.Note+dataMark
	if len(hints) > 0 {
		text += "Hints: " + strings.Join(hints, "; ") + "\n"
	}
	return reply[described]{value: &out, text: text + out.Note}, nil
}

// about are the tables that a question is about, and what its words mean there.
func about(d desk.Database, text string) (*schema.Schema, []string) {
	asked := question.Read(text, d.Schema)
	shown, _ := tools.Link(asked, d.Schema, d.Notes, tools.MaxTables)
	hints := syntax.Map(tools.LinkValues(asked, shown, d.Notes), tools.LinkedValue.String)
	said := slices.Concat(d.Notes, tools.CommentNotes(shown)).Linked(asked)
	for _, n := range slices.Concat(said, tools.SynonymNotes(asked, shown)) {
		hints = append(hints, n.Terms[0]+": "+n.Meaning)
	}
	return shown, hints
}

// shortened are tables with as much as an agent can read, and as a text: all of it, else names and types of columns
// alone, else names of tables, else the first of these. The note says what was left out.
func shortened(s *schema.Schema, joins []string) (out described, text string) {
	const more = " Name a table, or a question. "
	out = described{Tables: []table{}, Joins: joins}
	for _, t := range s.Tables {
		shown := table{Name: t.Name, Rows: t.Rows, Comment: t.Comment}
		for _, c := range t.Columns {
			short := column{Name: c.Name, Type: c.Type, Key: c.Key, Null: c.Nullable, Comment: c.Comment}
			if tools.IsEnumeration(t, c) {
				short.Values = c.Values
			}
			shown.Columns = append(shown.Columns, short)
		}
		out.Tables = append(out.Tables, shown)
	}
	if fits(out) {
		text := strings.TrimSuffix(tools.SchemaText(s, tools.StyleTyped), tools.Joins(s))
		for _, line := range joins {
			text += line + "\n"
		}
		return out, text
	}
	out.Joins, out.Note = nil, "Values, comments and joins are left out."+more
	for _, t := range out.Tables {
		for i, c := range t.Columns {
			t.Columns[i] = column{Name: c.Name, Type: c.Type, Key: c.Key}
		}
	}
	if fits(out) {
		return out, tools.SchemaText(s, tools.StyleNames)
	}
	size, fit := 0, 0
	for i, t := range out.Tables {
		out.Tables[i] = table{Name: t.Name}
		if size += len(jsonLine(out.Tables[i])) + 1; size <= mostText {
			fit++
		}
	}
	out.Tables, out.Note = out.Tables[:fit], "Columns are left out."+more
	if fit < len(s.Tables) {
		out.Note = fmt.Sprintf("These are the names of the first %d tables of %d.%s", fit, len(s.Tables), more)
	}
	return out, strings.Join(s.TableNames()[:fit], "\n") + "\n"
}

// joinsOf are the foreign keys of tables, or of one.
func joinsOf(s *schema.Schema, table string) []string {
	lines := syntax.Map(slices.Collect(strings.Lines(tools.Joins(s))), strings.TrimSpace)
	return slices.DeleteFunc(lines, func(line string) bool {
		return !strings.HasPrefix(line, table+".") && table != "" && !strings.Contains(line, " = "+table+".")
	})
}

// fits says that an agent can read it.
func fits(d described) bool { return len(jsonLine(d)) <= mostText }

// The kinds of resources: the whole schema of a database, and a table.
const wholeURI, tableURI = "nl2sql:///{database}/schema", "nl2sql:///{database}/table/{table}"

// scheme begins them. A database stands in the path: not every name can be that of a host.
const scheme = "nl2sql:///"

// uri is that of a database's schema, or of one of its tables.
func uri(database, table string) string {
	if table == "" {
		return scheme + url.PathEscape(database) + "/schema"
	}
	return scheme + url.PathEscape(database) + "/table/" + url.PathEscape(table)
}

// ddl is the type of a resource.
const ddl = "application/sql"

// addResources adds each database and each of its tables, as CREATE TABLE statements.
func (s Server) addResources(p *sdk.Server) {
	for _, d := range s.Databases {
		p.AddResource(&sdk.Resource{
			URI: uri(d.Name, ""), Name: d.Name, Title: "Tables of " + d.Name, MIMEType: ddl,
			Description: fmt.Sprintf("%d tables. %s", len(d.Schema.Tables), dataMark),
		}, s.read)
		for _, t := range d.Schema.Tables {
			p.AddResource(&sdk.Resource{
				URI: uri(d.Name, t.Name), Name: d.Name + "." + t.Name, MIMEType: ddl,
				Description: fmt.Sprintf("%d columns", len(t.Columns)),
			}, s.read)
		}
	}
	for _, t := range [][3]string{{wholeURI, "schema", "Tables of a database"}, {tableURI, "table", "Table"}} {
		p.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: t[0], Name: t[1], Title: t[2], MIMEType: ddl}, s.read)
	}
}

// read reads a resource.
func (s Server) read(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	text, err := s.resource(req.Params.URI)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	contents := &sdk.ResourceContents{URI: req.Params.URI, MIMEType: ddl, Text: text}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
}

// resource is what a URI names.
func (s Server) resource(at string) (string, error) {
	rest, ours := strings.CutPrefix(at, scheme)
	parts := strings.Split(rest, "/")
	for i := range parts {
		var err error
		if parts[i], err = url.PathUnescape(parts[i]); err != nil {
			return "", err
		}
	}
	if !ours || parts[0] == "" || len(parts) < 2 {
		return "", fmt.Errorf("there is no resource %q", at)
	}
	d, err := s.Named(parts[0])
	switch {
	case err != nil:
		return "", err
	case len(parts) == 2 && parts[1] == "schema":
		return ddlOf(d.Schema.Tables), nil
	case len(parts) != 3 || parts[1] != "table":
		return "", fmt.Errorf("there is no resource %q", at)
	}
	t, err := tableOf(d, parts[2])
	if err != nil {
		return "", err
	}
	return ddlOf([]schema.Table{*t}), nil
}

// ddlOf are tables as statements.
func ddlOf(tables []schema.Table) string {
	var b strings.Builder
	for _, t := range tables {
		b.WriteString(t.DDL() + "\n")
	}
	return b.String()
}

// complete completes names of databases and tables.
func (s Server) complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	var names []string
	switch req.Params.Argument.Name {
	case "database":
		names = s.Names()
	case "table":
		given := ""
		if c := req.Params.Context; c != nil {
			given = c.Arguments["database"]
		}
		if d, err := s.Named(given); err == nil {
			names = d.Schema.TableNames()
		}
	}
	begun := strings.ToLower(req.Params.Argument.Value)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(strings.ToLower(name), begun) })
	most := min(len(names), mostCompletions)
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
		Values: append([]string{}, names[:most]...), Total: len(names), HasMore: most < len(names),
	}}, nil
}

// mostCompletions is the protocol's.
const mostCompletions = 100
