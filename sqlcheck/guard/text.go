package guard

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Bounds on model text: what is longer is cut, what needs more attempts is left to Check.
const (
	maxRawBytes   = 32 << 10
	maxCleanTries = 24
)

// clean finds the one SELECT in what a model wrote: out of code fences and prose, without markdown escapes and
// typographic quotes, without a second statement, with the schema's awkward names quoted, and as MySQL has what other
// databases write. It rejects a text that has none: empty, no_select, no_from.
//
//	Here is the query: SELECT city FROM wards; → SELECT city FROM wards
//
//	SELECT city FROM "wards" WHERE city ILIKE 'a%' → SELECT city FROM `wards` WHERE city LIKE 'a%'
//
//	SELECT COUNT(\*) FROM visits WHERE visitId IN (SELECT visitId FROM visititems
//	→ SELECT COUNT(*) FROM visits WHERE visitId IN (SELECT visitId FROM visititems)
func clean(t *draft.Text) (string, string, sqlcheck.Verdict) {
	raw, ok := t.SQL, sqlcheck.Pass("clean")
	text := strings.TrimSpace(raw)
	if text == "" {
		return "", "", sqlcheck.Reject("clean", "empty", "")
	}
	if len(text) > maxRawBytes {
		text = strings.ToValidUTF8(text[:maxRawBytes], "")
	}
	if !strings.ContainsAny(text, "“”‘’„´") {
		out := strings.TrimRight(text, "; \t\r\n")
		if stmt, parsed := t.Parse(out); parsed {
			if needsData(stmt, t) {
				return "", "", sqlcheck.Reject("clean", "no_from", "")
			}
			never := func(t syntax.Token) bool { return t.Kind == syntax.WordToken && syntax.NeverMySQL(t.Text) }
			if other, why := dialect(out); why != "" && slices.ContainsFunc(tokens(out), never) { // TiDB alone reads it
				if _, parsed := t.Parse(other); parsed {
					return other, why, ok
				}
			}
			if quoted := quoteReserved(out, t.Schema); quoted != out {
				return quoted, "a reserved word is a name here", ok
			}
			return out, "", ok // the ends of the text are no change worth telling
		}
	}
	text = unwrapped(thought.ReplaceAllString(text, ""))
	if isQuoted.MatchString(text) {
		text = prompts.ReplaceAllString(text, "")
	}
	text = plainQuotes(fenced(text))
	starts := selectStarts(text)
	if len(starts) == 0 {
		return "", "", sqlcheck.Reject("clean", "no_select", "")
	}
	tries := 0
	for _, at := range starts {
		for _, c := range candidates(text, at, t.Schema) {
			if tries++; tries > maxCleanTries {
				break
			}
			if stmt, parsed := t.Parse(c.sql); parsed && !needsData(stmt, t) && readsTable(stmt) {
				return c.sql, changed(raw, c.sql, c.why), ok
			}
		}
	}
	// Nothing parses: hand on the most likely text, so that the syntax error names its place.
	for _, at := range starts {
		c := firstStatement(text[at:])
		if stmt, parsed := t.Parse(c); parsed && needsData(stmt, t) {
			continue
		}
		if fromWord.MatchString(c) {
			if len(c) < len(raw) { // what was cut off may have hidden more
				out, _, v := clean(&draft.Text{SQL: c, Question: t.Question, Schema: t.Schema})
				return out, changed(raw, out, "kept the first SELECT"), v
			}
			return c, changed(raw, c, "kept the first SELECT"), ok
		}
	}
	return "", "", sqlcheck.Reject("clean", "no_from", "")
}

// changed is why, unless nothing but the ends of the text changed.
func changed(raw, out, why string) string {
	if out == raw {
		return ""
	}
	return why
}

var (
	fence     = regexp.MustCompile("(?s)```[a-zA-Z0-9]*[ \t]*\r?\n?(.*?)(?:```|$)")
	startWord = regexp.MustCompile(
		`(?i)\b(?:select\b|with\s+(?:recursive\s+)?[\w` + "`" + `]+\s*(?:\([^()]*\)\s*)?as\s*(?:(?:not\s+)?materialized\s*)?\()`)
	fromWord = regexp.MustCompile(`(?i)\bfrom\b`)
	mdEscape = regexp.MustCompile(`\\+([_*<>\[\]#~])`)
)

// fenced returns the first code block that holds a SELECT, or the text itself.
func fenced(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if startWord.MatchString(m[1]) {
			return m[1]
		}
	}
	return strings.ReplaceAll(text, "```", "\n")
}

var (
	// field is a query in JSON.
	field = regexp.MustCompile(`(?s)"(?:sql|query|sql_query|statement)"\s*:\s*("(?:[^"\\]|\\.)*")`)
	// wrapping are tags around a query, and marks of the end of a text.
	wrapping = regexp.MustCompile(`(?i)</?(?:sql|query|answer|tool_call|code|pre|final)>|<\|\w+\|>|</s>`)
	entities = strings.NewReplacer("&gt;", ">", "&lt;", "<", "&quot;", `"`, "&#39;", "'", "&apos;", "'", "&amp;", "&")
)

// unwrapped is a text without what formats put around a query.
func unwrapped(text string) string {
	if m := field.FindStringSubmatch(text); m != nil {
		var sql string
		failed := json.Unmarshal([]byte(strings.ReplaceAll(m[1], "\n", `\n`)), &sql)
		if failed == nil && startWord.MatchString(sql) {
			return sql
		}
	}
	return entities.Replace(wrapping.ReplaceAllString(text, "\n"))
}

// inside ends in what stands before a SELECT that is a part of the one before it, as a bracket is that closes those of
// WITH.
var inside = regexp.MustCompile(`(?i)(?:\(|\b(?:union|intersect|except|minus)(?:\s+(?:all|distinct))?)$`)

// selectStarts are the offsets where a query may begin.
func selectStarts(text string) (at []int) {
	for _, m := range startWord.FindAllStringIndex(text, 8) {
		before, with := strings.TrimRight(text[:m[0]], " \t\r\n"), len(at) > 0 && text[at[len(at)-1]]|0x20 == 'w'
		if len(at) > 0 && inside.MatchString(before) || with && strings.HasSuffix(before, ")") {
			continue
		}
		at = append(at, m[0])
	}
	return at
}

var typographic = strings.NewReplacer("“", "'", "”", "'", "‘", "'", "’", "'", "„", "'", "´", "'",
	"\u00a0", " ", "\u200b", "", "＝", "=", "≥", ">=", "≤", "<=", "≠", "<>")

// plainQuotes writes typographic quotes and markdown escapes as SQL has them, outside quoted text. A quote that is
// mended may move what is quoted, so it looks again.
func plainQuotes(text string) string {
	for range maxPlainQuotes {
		out := plainQuotesOnce(text)
		if out == text {
			break
		}
		text = out
	}
	return text
}

const maxPlainQuotes = 8

func plainQuotesOnce(text string) string {
	ascii := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
	if ascii && !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	at := startWord.FindStringIndex(text)
	i := 0
	if at != nil {
		b.WriteString(text[:at[0]])
		i = at[0]
	}
	for i < len(text) {
		end := i
		for end < len(text) && text[end] != '\'' && text[end] != '"' && text[end] != '`' {
			end++
		}
		b.WriteString(mdEscape.ReplaceAllString(typographic.Replace(text[i:end]), "$1"))
		if end < len(text) {
			close := syntax.SkipQuoted(text, end)
			b.WriteString(text[end:close])
			end = close
		}
		i = end
	}
	return b.String()
}

// A candidate is a text that may be the query, and why it is another than the model's.
type candidate struct{ sql, why string }

// candidates are texts to try in order: the statement that begins at offset at, with the schema's awkward names
// quoted, or as MySQL has what other databases write; then shorter and shorter by whole paragraphs and lines, and up to
// a second SELECT.
func candidates(text string, at int, s *schema.Schema) (list []candidate) {
	if inner, quoted := quotedWhole(text, at); quoted {
		text, at = inner, 0
	}
	stmt := firstStatement(text[at:])
	keep := func(sql string) { list = append(list, candidate{strings.TrimSpace(sql), "kept the first SELECT"}) }
	keep(stmt)
	quoted := quoteNames(stmt, s)
	if quoted != stmt {
		keep(quoted)
	}
	if n, _ := openBrackets(stmt); n > 0 && n <= maxOpenBrackets {
		keep(behind(quoted, strings.Repeat(")", n))) // cut off, or forgotten
	}
	if out, why := dialect(stmt); why != "" {
		list = append(list, candidate{out, why}, candidate{quoteNames(out, s), why})
	}
	if i := strings.Index(stmt, "\n\n"); i > 0 && !clause.MatchString(stmt[i:]) {
		keep(stmt[:i])
	}
	if next := selectStarts(stmt); len(next) > 1 {
		keep(stmt[:next[1]])
	}
	lines := strings.Split(stmt, "\n")
	for n := len(lines) - 1; n > 0 && len(list) < 12 && !clause.MatchString(lines[n]); n-- {
		keep(strings.Join(lines[:n], "\n"))
	}
	if m := sentence.FindStringIndex(stmt); m != nil && !clause.MatchString(stmt[m[0]:]) {
		keep(stmt[:m[0]])
	}
	return list
}

var (
	// clause is how a line begins that is a part of the query, whatever does not parse in it, and no prose behind it.
	clause = regexp.MustCompile(`(?i)^\s*(?:(?:group|order|partition)\s+by\b|having\b|limit\b|offset\b|fetch\b|union\b|` +
		`intersect\b|except\s+(?:all|select)\b|window\b|(?:(?:left|right|full|inner|outer|cross|natural|anti|semi)\s+)*join\b|` +
		`(?:where|and|or|on|not|between|when|then|else|from|using)\b[^\n]*[=<>~'"(\d\[]|` +
		`(?:[,+)]|[<>!]?=|<>|\|\||>)(?:[\s\w'(]|$))`)
	// thought is what models think before they answer; who is cut off in it has answered nothing.
	thought = regexp.MustCompile(`(?is)<(think|thinking|thought|reasoning)>.*?(?:</(?:think|thinking|thought|reasoning)>|$)|` +
		`^.*</(?:think|thinking|thought|reasoning)>|<\|channel\|>analysis.*?(?:<\|channel\|>final|$)`)
	// prompts stand before the lines of a query that is quoted in a mail or was copied from a terminal.
	prompts  = regexp.MustCompile(`(?m)^[ \t]*(?:mysql>|MariaDB[^\n>]*>|->|>)[ \t]?`)
	isQuoted = regexp.MustCompile(`(?im)^[ \t]*(?:mysql>|MariaDB[^\n>]*>|>)[ \t]*(?:select|with)\b`)
)

// maxOpenBrackets is how many missing brackets are closed; a text with more was cut off in its middle.
const maxOpenBrackets = 4

// openBrackets is how many brackets of sql are not closed, and where the first one closes that was not opened; that
// is -1 if there is none.
func openBrackets(sql string) (open, stray int) {
	for _, t := range tokens(sql) {
		switch t.Text {
		case "(":
			open++
		case ")":
			if open--; open < 0 {
				return open, t.Pos
			}
		}
	}
	return open, -1
}

// sentence is where prose goes on after a query on the same line.
var sentence = regexp.MustCompile(`(?i)(?:\.\s+|\s+)` +
	`(?:this|note|here|explanation|answer|output|the|it|where the|respond|question)\b[^=<>'"]*$`)

// firstStatement ends at the first semicolon outside quotes and comments.
func firstStatement(text string) string {
	for t, next := syntax.NextToken(text, 0); t.Kind != syntax.EndToken; t, next = syntax.NextToken(text, next) {
		if t.Text == ";" {
			return strings.TrimSpace(text[:t.Pos])
		}
	}
	return strings.Trim(text, "; \t\r\n") // the quote that hides a semicolon at the end is not closed
}

// readsTable reports whether any part of the query has a FROM clause.
func readsTable(stmt ast.StmtNode) bool { return len(syntax.All[*ast.TableName](stmt)) > 0 }

// needsData reports a constant in place of an answer: the question names something of the schema and
// the query reads no table. A SELECT without FROM is legal, so without a question it passes.
func needsData(stmt ast.StmtNode, t *draft.Text) bool {
	if t.Asked() == "" || t.Schema == nil || readsTable(stmt) {
		return false
	}
	q := t.Question
	for i := range q.Words {
		if table, _ := q.TableAt(i); table != nil {
			return true
		}
	}
	return false
}
