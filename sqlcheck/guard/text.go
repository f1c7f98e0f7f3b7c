package guard

import (
	"regexp"
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
// typographic quotes, without a second statement, and with the schema's awkward names quoted. It rejects a text that
// has none: empty, no_select, no_from.
//
//	Here is the query: SELECT city FROM wards; → SELECT city FROM wards
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
			if quoted := quoteReserved(out, t.Schema); quoted != out {
				return quoted, "a reserved word is a name here", ok
			}
			return out, "", ok // the ends of the text are no change worth telling
		}
	}
	text = plainQuotes(fenced(text))
	starts := selectStarts(text)
	if len(starts) == 0 {
		return "", "", sqlcheck.Reject("clean", "no_select", "")
	}
	tries := 0
	for _, at := range starts {
		for _, c := range candidates(text[at:], t.Schema) {
			if tries++; tries > maxCleanTries {
				break
			}
			if stmt, parsed := t.Parse(c); parsed && !needsData(stmt, t) && readsTable(stmt) {
				return c, changed(raw, c, "kept the first SELECT"), ok
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
		`(?i)\b(?:select\b|with\s+(?:recursive\s+)?[\w` + "`" + `]+\s*(?:\([^()]*\)\s*)?as\s*\()`)
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

// selectStarts are the offsets where a query may begin.
func selectStarts(text string) []int {
	var at []int
	for _, m := range startWord.FindAllStringIndex(text, 8) {
		// A SELECT in brackets is a part of the one before it.
		if len(at) > 0 && strings.HasSuffix(strings.TrimRight(text[:m[0]], " \t\r\n"), "(") {
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
	if isASCII(text) && !strings.Contains(text, `\`) {
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

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// candidates are texts to try in order: the statement, shorter and shorter by whole paragraphs and lines,
// then up to a second SELECT; and the whole with the schema's awkward names quoted.
func candidates(text string, s *schema.Schema) []string {
	stmt := firstStatement(text)
	list := []string{stmt}
	quoted := quoteNames(stmt, s)
	if quoted != stmt {
		list = append(list, quoted)
	}
	if n, _ := openBrackets(stmt); n > 0 && n <= maxOpenBrackets {
		list = append(list, quoted+strings.Repeat(")", n)) // cut off, or forgotten
	}
	if i := strings.Index(stmt, "\n\n"); i > 0 {
		list = append(list, strings.TrimSpace(stmt[:i]))
	}
	if next := selectStarts(stmt); len(next) > 1 {
		list = append(list, strings.TrimSpace(stmt[:next[1]]))
	}
	lines := strings.Split(stmt, "\n")
	for n := len(lines) - 1; n > 0 && len(list) < 12; n-- {
		list = append(list, strings.TrimSpace(strings.Join(lines[:n], "\n")))
	}
	if m := sentence.FindStringIndex(stmt); m != nil {
		list = append(list, strings.TrimSpace(stmt[:m[0]]))
	}
	return list
}

// maxOpenBrackets is how many missing brackets are closed; a text with more was cut off in its middle.
const maxOpenBrackets = 4

// openBrackets is how many brackets of sql are not closed, and where the first one closes that was not opened; that
// is -1 if there is none.
func openBrackets(sql string) (open, stray int) {
	for i := 0; i < len(sql); i++ {
		switch sql[i] {
		case '\'', '"', '`':
			i = syntax.SkipQuoted(sql, i) - 1
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return open, i
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
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\'', '"', '`':
			i = syntax.SkipQuoted(text, i) - 1
		case ';':
			return strings.TrimSpace(text[:i])
		}
	}
	return strings.Trim(text, "; \t\r\n") // the quote that hides a semicolon at the end is not closed
}

// readsTable reports whether any part of the query has a FROM clause.
func readsTable(stmt ast.StmtNode) (found bool) {
	syntax.Visit(stmt, func(n ast.Node) bool {
		if _, ok := n.(*ast.TableName); ok {
			found = true
		}
		return !found
	})
	return found
}

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
