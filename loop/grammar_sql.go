package loop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

// SQLGrammar admits one SELECT or WITH statement whose words are MySQL's, functions that [sqlcheck.Check] lets pass,
// names of s, in any case, or aliases. It looks at words and brackets and no further: no second statement, no comment,
// no variable, each bracket closed.
//
// A grammar cannot remember an alias. AS and WITH may introduce any name, BY and HAVING may use any, and elsewhere a
// name that s lacks may be one short lower-case word or begin as names of computed columns do. What models invent,
// customer_name for customerName, is neither.
func SQLGrammar(s *schema.Schema) string {
	bare, behindDot, all := trie{}, trie{}, trie{}
	bare.add(strings.Fields(sqlWords)...)
	for _, f := range sqlcheck.Functions() {
		f, _, _ = strings.Cut(f, "_func") // the parser's char_func is CHAR
		if isBare(f) {
			bare.add(f)
		}
	}
	var names []string
	if s.Name != "" {
		names = append(names, s.Name)
	}
	for _, t := range s.Tables {
		names = append(names, t.Name)
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
	}
	for _, n := range names {
		if isBare(n) {
			bare.add(n)
			behindDot.add(n)
		}
		all.add(strings.ReplaceAll(n, "`", "``"))
	}
	rules := strings.ReplaceAll(sqlRules, "|\n  ", "| ")
	return fmt.Sprintf(rules, bare.rule(), behindDot.rule(), all.rule())
}

// sqlRules are the grammar; a rule may go on behind a | on the next line. It has a place for words, for names that
// follow a dot, and for names in backquotes. After a word something must part it from the next; a minus or a slash
// begins no comment. Rules that go on to the end come last in each alternative, so that llama.cpp's stacks stay short.
const sqlRules = `root ::= [ \t\r\n]* (first | "(" [ \t\r\n]* first ")" body) (";" [ \t\r\n]*)?
first ::= [sS] [eE] [lL] [eE] [cC] [tT] after |
  [wW] [iI] [tT] [hH] [ \t\r\n]+ ([rR] [eE] [cC] [uU] [rR] [sS] [iI] [vV] [eE] [ \t\r\n]+)? introduced
body ::= operand | op body | [-/] operand? | "," [ \t\r\n]* name [ \t\r\n]+ as "(" body ")" body | ""
after ::= [ \t\r\n] body | "(" body ")" body | op body | "." dotted | string body | [-/] operand? | ""
operand ::= [ \t\r\n] body | word after | alias afteralias | as introduced | by name afteralias | number after |
  string body | backquoted after | "(" body ")" body
afteralias ::= [ \t\r\n] body | op body | "." dotted | [-/] operand? | ""
dotted ::= (named | alias) after | backquoted after | "*" body
as ::= [aA] [sS] [ \t\r\n]+
by ::= ([bB] [yY] | [hH] [aA] [vV] [iI] [nN] [gG]) [ \t\r\n]+
introduced ::= name after | string body | "` + "`" + `" [^` + "`" + `\x00-\x1f]+ "` + "`" + `" after
op ::= [=<>!+*%%,|&^~]
number ::= [0-9]+ ("." [0-9]*)? ([eE] [-+]? [0-9]+)? | "." [0-9]+
string ::= "'" ([^'\\\x00] | "''" | "\\" [^\x00])* "'" | "\"" ([^"\\\x00] | "\"\"" | "\\" [^\x00])* "\""
name ::= [a-zA-Z_] [a-zA-Z0-9_]*
alias ::= [a-z] [a-z]{0,8} [0-9]{0,4} "_"? | [A-Z] [A-Z]? [0-9]{0,2} | computed [a-zA-Z0-9_]*
computed ::= [tT] "otal" | [aA] ("vg" | "verage") | [nN] "um" | [cC] ("ount" | "nt") | [mM] ("ax" | "in") |
  "sum" | "per" [A-Z_] | "so" [A-Z_]
word ::= %s
named ::= %s
backquoted ::= "` + "`" + `" (alias | known) "` + "`" + `"
known ::= %s
`

// sqlWords are the words of MySQL's SELECT that are no functions of sqlcheck's table, types and units among them.
// Source: MySQL 8.0 Reference Manual, "SELECT Statement", "Expressions", "Window Function Concepts and Syntax".
const sqlWords = `select distinct distinctrow all from where group by having order asc desc limit offset as on using
	join inner left right outer cross natural straight_join union intersect except with recursive rollup
	and or xor not in is null true false unknown like regexp rlike between exists any some case when then else end
	interval div mod binary collate cast convert escape sounds separator values row lateral dual
	signed unsigned char nchar character set decimal numeric date datetime time timestamp year json
	integer int double float real
	window over partition rows range unbounded preceding following current
	microsecond second minute hour day week month quarter year second_microsecond minute_second hour_minute hour_second
	day_hour day_minute day_second year_month both leading trailing for sql_calc_found_rows
	std stddev variance utf8 utf8mb4 utf8mb4_bin utf8mb4_general_ci utf8mb4_0900_ai_ci latin1 boolean mode`

// isBare reports whether a name can stand without quotes, as words of sqlRules are written.
func isBare(name string) bool {
	for i, r := range name {
		letter := r == '_' || r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// trie holds words letter by letter, so that what they have in common is one alternative of a grammar. The key 0 ends a
// word.
type trie map[rune]trie

func (t trie) add(words ...string) {
	for _, w := range words {
		at := t
		for _, r := range strings.ToLower(w) {
			if at[r] == nil {
				at[r] = trie{}
			}
			at = at[r]
		}
		at[0] = nil
	}
}

// rule is the words as a rule's alternatives, letters in either case; without words, the empty text.
func (t trie) rule() string {
	if len(t) == 0 {
		return `""`
	}
	var alternatives []string
	for _, r := range slices.Sorted(maps.Keys(t)) {
		if r == 0 {
			continue
		}
		one := letter(r)
		_, ends := t[r][0]
		switch next := t[r]; {
		case ends && len(next) == 1:
		case ends:
			one += " (" + next.rule() + ")?"
		case len(next) > 1:
			one += " (" + next.rule() + ")"
		default:
			one += " " + next.rule()
		}
		alternatives = append(alternatives, one)
	}
	return strings.Join(alternatives, " | ")
}

// letter matches a lower-case letter in either case, and anything else as it is.
func letter(r rune) string {
	if up := []rune(strings.ToUpper(string(r))); len(up) == 1 && up[0] != r && utf8.ValidRune(r) {
		return "[" + string(r) + string(up) + "]"
	}
	return quoted(string(r))
}
