package loop

import (
	"encoding/json"
	"fmt"
	"strings"

	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Constrain says which of the model's texts must keep to a grammar.
type Constrain string

const (
	ConstrainOff    Constrain = "off" // as ""
	ConstrainAction Constrain = "action"
	ConstrainSQL    Constrain = "sql"
	ConstrainAll    Constrain = "all"
)

// SQL says that queries must keep to [SQLGrammar].
func (c Constrain) SQL() bool { return c == ConstrainSQL || c == ConstrainAll }

// actions says that turns must keep to [ActionGrammar].
func (c Constrain) actions() bool { return c == ConstrainAction || c == ConstrainAll }

// maxThought bounds a thought that a grammar admits, in characters.
const maxThought = 400

// ActionGrammar admits the turns that the prompts ask for: a line of thought, which may be missing, and an action of
// one of the tools with arguments of the right types. parseAction finds a known tool and its arguments in each of them.
// A line that ends in a bracket ends a turn, so no thought does.
func ActionGrammar(set tools.Set, s *schema.Schema) string {
	var calls []string
	for _, t := range set {
		calls = append(calls, quoted(string(t.Name())+"[{")+argumentsRule(tools.Args(t.Name()))+quoted("}]"))
	}
	var tables []string
	for _, name := range s.TableNames() {
		tables = append(tables, quoted(jsonString(name)))
	}
	if len(tables) == 0 {
		tables = []string{`"\"\""`}
	}
	return fmt.Sprintf(`root ::= ("Thought:" thought{0,%d} "\n"+)? "Action:" " "? (%s) "\n"*
thought ::= [^\n\]] | "]"+ [^\n\]]
table ::= %s
count ::= [1-9] | "10"
text ::= "\"" ([^"\\\x00-\x1f] | "\\" ["\\/bfnrt])* "\""
`, maxThought, strings.Join(calls, " | "), strings.Join(tables, " | "))
}

// argumentsRule is the inside of a call's JSON object.
func argumentsRule(args []tools.Arg) string {
	var b strings.Builder
	open, between := 0, ""
	for _, a := range args {
		if a.Optional {
			b.WriteString(" (")
			open++
		}
		fmt.Fprintf(&b, " %s%s \":\" \" \"? ", between, quoted(jsonString(a.Name)))
		switch a.Kind {
		case tools.KindTable:
			b.WriteString("table")
		case tools.KindCount:
			b.WriteString("count")
		default:
			b.WriteString("text")
		}
		between = `"," " "? `
	}
	b.WriteString(strings.Repeat(")?", open) + " ")
	return b.String()
}

func jsonString(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // of a string there is none
		return `""`
	}
	return string(b)
}

// quoted writes a text as a literal of a grammar.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
