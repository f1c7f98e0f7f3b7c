package retrieval

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"nl2sql/loop"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// callHead finds an action of [Agent]; its arguments reach to the bracket that closes it.
var callHead = regexp.MustCompile(`(?i)\bAction[\s*]*:[\s*` + "`" + `]*([a-z_]+)[ \t]*(\(?)`)

// parameters are those of each tool, in their order: arguments may go without names.
var parameters = map[tools.Name][]string{
	loop.RetrieveTables: {"query", "top_k", "retrieval_type"},
	tools.ValidateSQL:   {"sql_query", "strict"},
	loop.SubmitAnswer:   {"sql_query", "explanation", "confidence", "reasoning_steps"},
}

// ParseCall reads the first action of a turn of [Agent], written as Python writes calls: tool(name="text", n=3,
// yes=True, list=["a", "b"]). SQL in a text may hold the quotes around it. An object in place of the arguments is taken
// as JSON. The error is for the model.
func ParseCall(text string) (tools.Call, error) {
	m := callHead.FindStringSubmatchIndex(text)
	if m == nil {
		return tools.Call{}, errors.New("there is no action: write one line like Action: retrieve_tables(query=\"…\")")
	}
	call := tools.Call{Tool: tools.Name(strings.ToLower(text[m[2]:m[3]])), Args: loop.NoArgs}
	rest := strings.TrimSpace(text[m[5]:])
	if m[4] == m[5] { // no bracket: no arguments
		return call, nil
	}
	if strings.HasPrefix(rest, "{") {
		call.Args = loop.Arguments("[" + rest)
		return call, nil
	}
	names := parameters[call.Tool]
	args, err := (&callReader{text: rest, ends: plainEnd, inList: plainEnd}).arguments(names)
	if err != nil {
		loose, again := (&callReader{text: rest, ends: argumentEnd, inList: elementEnd}).arguments(names)
		if again == nil {
			args, err = loose, nil
		}
	}
	if err != nil {
		return call, err
	}
	call.Args, err = json.Marshal(args)
	return call, err
}

// What follows the quote that ends a text: anything, or, where texts hold quotes, what only comes behind an argument or
// an element.
var (
	plainEnd    = regexp.MustCompile(``)
	argumentEnd = regexp.MustCompile(`^\s*(?:,\s*[A-Za-z_]\w*\s*=|\)?\s*$|\)\s*\n)`)
	elementEnd  = regexp.MustCompile(`^\s*(?:,\s*["']|,?\s*\])`)
)

// callReader reads arguments from the front of text.
type callReader struct {
	text         string
	ends, inList *regexp.Regexp // what follows the quote that ends a text
}

var argumentName = regexp.MustCompile(`^([A-Za-z_]\w*)\s*=`)

func (r *callReader) arguments(names []string) (map[string]any, error) {
	args := map[string]any{}
	for place := 0; ; place++ {
		r.blanks()
		if r.text == "" || r.text[0] == ')' {
			return args, nil
		}
		name := ""
		if m := argumentName.FindStringSubmatch(r.text); m != nil {
			name, r.text = strings.ToLower(m[1]), r.text[len(m[0]):]
		} else if place < len(names) {
			name = names[place]
		} else {
			return nil, errors.New("there are too many parameters")
		}
		if _, twice := args[name]; twice {
			return nil, fmt.Errorf("%s is there twice", syntax.Clip(name, 64))
		}
		r.blanks()
		value, err := r.value()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", syntax.Clip(name, 64), err)
		}
		args[name] = value
		r.blanks()
		if !r.take(",") && r.text != "" && r.text[0] != ')' {
			return nil, fmt.Errorf("%s: a comma or a bracket must follow its value", syntax.Clip(name, 64))
		}
	}
}

func (r *callReader) blanks() { r.text = strings.TrimLeft(r.text, " \t\r\n") }

func (r *callReader) take(prefix string) (ok bool) {
	r.text, ok = strings.CutPrefix(r.text, prefix)
	return ok
}

var bareWord = regexp.MustCompile(`^[-+.\w]+`)

// value is a text, a list of texts, or a word: a number, true, false or none, else the text itself.
func (r *callReader) value() (any, error) {
	switch {
	case r.text == "":
		return nil, errors.New("its value is missing")
	case r.text[0] == '"' || r.text[0] == '\'':
		return r.quoted(r.ends)
	case r.take("["):
		return r.list()
	}
	word := bareWord.FindString(r.text)
	r.text = r.text[len(word):]
	switch strings.ToLower(word) {
	case "":
		return nil, errors.New("its value is missing, or a text without quotes")
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "none", "null":
		return nil, nil
	}
	if n, err := strconv.ParseFloat(word, 64); err == nil && json.Valid([]byte(word)) {
		return n, nil
	}
	return word, nil
}

func (r *callReader) list() (any, error) {
	list := []any{}
	for {
		r.blanks()
		switch {
		case r.take("]"):
			return list, nil
		case r.text == "" || r.text[0] != '"' && r.text[0] != '\'':
			return nil, errors.New("a list holds texts in quotes, and ends with ]")
		}
		text, err := r.quoted(r.inList)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
		if r.blanks(); !r.take(",") && !strings.HasPrefix(r.text, "]") {
			return nil, errors.New("a comma or ] must follow each text of a list")
		}
	}
}

var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': `\`, '"': `"`, '\'': "'"}

// quoted reads a text up to the first of its quotes behind which ends matches.
func (r *callReader) quoted(ends *regexp.Regexp) (string, error) {
	quote := r.text[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(r.text, triple) {
		quote = triple
	}
	var b strings.Builder
	for i := len(quote); i < len(r.text); i++ {
		switch {
		case r.text[i] == '\\' && i+1 < len(r.text):
			i++
			if plain, known := escapes[r.text[i]]; known {
				b.WriteString(plain)
			} else {
				b.WriteString(r.text[i-1 : i+1])
			}
		case strings.HasPrefix(r.text[i:], quote) && ends.MatchString(r.text[i+len(quote):]):
			r.text = r.text[i+len(quote):]
			return b.String(), nil
		default:
			b.WriteByte(r.text[i])
		}
	}
	return "", errors.New("its text has no end: a quote is missing")
}

// decodeArgs reads the arguments of a tool. The error is for the model.
func decodeArgs(raw json.RawMessage, into any) error {
	err := json.Unmarshal(raw, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s is a %s, and must be %s", wrong.Field, wrong.Value, kindName(wrong.Type.Kind().String()))
	}
	return err
}

// kindName is what a model calls one of Go's kinds.
func kindName(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "True or False"
	case "slice":
		return "a list of texts"
	}
	return "a text"
}
