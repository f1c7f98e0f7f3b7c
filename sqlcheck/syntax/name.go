package syntax

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pingcap/tidb/pkg/parser"
	"go.yaml.in/yaml/v4"
)

// Reserved says that a word is no name without backquotes, whatever its case: to MySQL 8.0 or to the parser.
func Reserved(word string) bool {
	return parserReserves.has(word) || OnlyMySQLReserves(word) || NeverMySQL(word)
}

// OnlyMySQLReserves says that MySQL 8.0 reserves a word that TiDB's parser takes as a name.
func OnlyMySQLReserves(word string) bool { return onlyMySQL.has(word) }

// NeverMySQL says that a word belongs to TiDB's SELECT and not to MySQL's: FETCH FIRST n ROWS, TABLESAMPLE, ILIKE.
func NeverMySQL(word string) bool { return onlyTiDB.has(word) }

// capitals are words in capitals, with the letters that those of a length begin with: most words are none of them.
type capitals struct {
	words  map[string]bool
	begins [longestWord + 1]uint32
}

func newCapitals(words map[string]bool) *capitals {
	set := &capitals{words: words}
	for w := range words {
		set.begins[len(w)] |= 1 << (w[0] % 32)
	}
	return set
}

// has looks a word up whatever its case.
func (set *capitals) has(word string) bool {
	var up [longestWord]byte
	if n := len(word); n == 0 || n > len(up) || set.begins[n]>>(word[0]%32)&1 == 0 {
		return false
	}
	for i := range len(word) {
		up[i] = word[i]
		if c := word[i]; c >= 'a' && c <= 'z' {
			up[i] -= 'a' - 'A'
		}
	}
	return set.words[string(up[:len(word)])]
}

// longestWord is no shorter than any reserved word, in bytes.
const longestWord = 32

// parserReserves are the words that the parser takes for no name without backquotes.
var parserReserves = newCapitals(func() map[string]bool {
	set := map[string]bool{}
	for _, k := range parser.Keywords {
		if k.Reserved {
			set[k.Word] = true
		}
	}
	return set
}())

// Source: information_schema.KEYWORDS of MySQL 8.0.15, each tried with the parser.
var onlyMySQL = newCapitals(WordSet(`ACCESSIBLE ASENSITIVE BEFORE CONDITION CUBE DECLARE DETERMINISTIC EACH EMPTY FUNCTION GET
	INSENSITIVE IO_AFTER_GTIDS IO_BEFORE_GTIDS JSON_TABLE LOOP MASTER_BIND MASTER_SSL_VERIFY_SERVER_CERT MODIFIES
	OPTIMIZER_COSTS PURGE READS READ_WRITE RESIGNAL RETURN SENSITIVE SIGNAL SPECIFIC SYSTEM UNDO`))

var onlyTiDB = newCapitals(WordSet(`FETCH ILIKE TABLESAMPLE`))

// onlyParser are words that the parser reserves and MySQL 8.0.15 does not: each was tried there as an alias, a table's
// and a column's name. INTERSECT, which is one more, is reserved since 8.0.31.
var onlyParser = newCapitals(WordSet(`ARRAY CURRENT_ROLE UNTIL`))

// QuoteFree puts those words into backquotes, so that the parser takes them for the names that they are to MySQL:
// SELECT ends AS until. A call, CURRENT_ROLE(), stays one.
func QuoteFree(sql string) string {
	var b strings.Builder
	from := 0
	for t, next := NextToken(sql, 0); t.Kind != EndToken; t, next = NextToken(sql, next) {
		if t.Kind == WordToken && onlyParser.has(t.Text) && !strings.HasPrefix(sql[SkipBlank(sql, next):], "(") {
			b.WriteString(sql[from:t.Pos] + QuoteName(t.Text))
			from = next
		}
	}
	if from == 0 {
		return sql
	}
	return b.String() + sql[from:]
}

// Rows reads data of ours, a list in YAML, when it is first asked for. Keys are the fields of a T in lower case.
func Rows[T any](text string) func() []T {
	return sync.OnceValue(func() (rows []T) {
		if err := yaml.Load([]byte(text), &rows, yaml.WithKnownFields()); err != nil {
			panic(err) // tests read all of them
		}
		return rows
	})
}

// JSON reads a JSON text of as many values as have room: each takes up to a thousand times its bytes.
func JSON(text []byte, into any) error {
	const most = 400_000
	values, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == '{' || c == '['):
			values++
		}
	}
	if values > most {
		return fmt.Errorf("has more than %d values, the most that is read", most)
	}
	return json.Unmarshal(text, into)
}

// JSONLine is v as a line of a file: json.Marshal without HTML escapes, and the line's end.
func JSONLine(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// InWords is what an error says, without the types of Go that reading JSON adds to it.
func InWords(err error) string {
	text := err.Error()
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := cmp.Or(embedded.ReplaceAllString(wrong.Field, ""), "it")
		text = strings.Replace(text, wrong.Error(), field+" cannot be a JSON "+wrong.Value, 1)
	}
	if wrong, ok := errors.AsType[*time.ParseError](err); ok {
		text = strings.Replace(text, wrong.Error(), wrong.Value+" is no time, such as 2026-01-31T12:00:00Z", 1)
	}
	return goWords.Replace(text)
}

// embedded is a struct of Go's on the way to a field, whose own name is in small letters.
var embedded, goWords = regexp.MustCompile(`\b[A-Z]\w*\.`), strings.NewReplacer(
	"Time.UnmarshalJSON: input is not a JSON string", "a time is a JSON string", "json: unknown field", "unknown field")

// Set is the set of the elements of a list.
func Set[A comparable](list []A) map[A]bool {
	set := map[A]bool{}
	for _, one := range list {
		set[one] = true
	}
	return set
}

// Counts is how often each element of a list is in it.
func Counts[A comparable](list []A) map[A]int {
	counts := map[A]int{}
	for _, one := range list {
		counts[one]++
	}
	return counts
}

// WordSet is the set of the words of a text.
func WordSet(words string) map[string]bool { return Set(strings.Fields(words)) }

// Table reads data of ours: on each line a key and, behind a blank, what is said of it. "#" begins a comment.
func Table(text string) map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(text) {
		if key, said, ok := strings.Cut(strings.TrimSpace(line), " "); ok && key != "#" {
			table[key] = said
		}
	}
	return table
}

// IsPlainName says that a name can stand without backquotes: letters, digits and underscores, and no reserved word.
func IsPlainName(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && !Reserved(name)
}

// QuoteIfNeeded puts a name in backquotes if it cannot stand without.
func QuoteIfNeeded(name string) string {
	if IsPlainName(name) {
		return name
	}
	return QuoteName(name)
}

// QuoteName writes a name as an identifier in MySQL's notation, which SQLite reads too.
func QuoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// QuoteNames is a list of names in brackets.
func QuoteNames(names []string) string { return "(" + strings.Join(Map(names, QuoteName), ", ") + ")" }

// unquoteNames takes the back quotes off plain names in restored SQL.
func unquoteNames(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		end := i + 1
		switch s[i] {
		case '\'':
			end = SkipQuoted(s, i)
		case '`':
			end = SkipQuoted(s, i)
			if name := s[i+1 : max(end-1, i+1)]; IsPlainName(name) && !(end < len(s) && s[end] == '(') {
				b.WriteString(name)
				i = end
				continue
			}
		}
		b.WriteString(s[i:end])
		i = end
	}
	return b.String()
}

// DidYouMean asks whether the nearest of the names there are was meant; where none is near it is otherwise.
func DidYouMean(name string, there []string, otherwise string) string {
	if near := NearNames(name, there); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return otherwise
}

// NearNames lists the candidates that are spelled almost like name, best first, at most three.
func NearNames(name string, candidates []string) []string {
	type near struct {
		name string
		dist int
	}
	var hits []near
	low := foldName(name)
	for _, c := range candidates {
		fold := foldName(c)
		dist := editDistance(low, fold)
		switch {
		case fold == low:
			dist = 0
		case len(low) >= 3 && (strings.Contains(fold, low) || strings.Contains(low, fold) && len(fold) >= 3):
			dist = min(dist, 2)
		}
		if dist <= max(1, min(len(low), len(fold))/3) {
			hits = append(hits, near{c, dist})
		}
	}
	slices.SortStableFunc(hits, func(a, c near) int { return cmp.Compare(a.dist, c.dist) })
	return Map(hits[:min(3, len(hits))], func(h near) string { return h.name })
}

// foldName makes spellings comparable: lower case, no underscores, no blanks.
func foldName(s string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(s))
}

// editDistance is how many insertions, deletions, substitutions and swaps of neighbours turn a into c, over bytes.
func editDistance(a, c string) int {
	last, row, next := make([]int, len(c)+1), make([]int, len(c)+1), make([]int, len(c)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(c) {
			cost := row[j]
			if a[i] != c[j] {
				cost++
			}
			if i > 0 && j > 0 && a[i] == c[j-1] && a[i-1] == c[j] {
				cost = min(cost, last[j-1]+1)
			}
			next[j+1] = min(cost, row[j+1]+1, next[j]+1)
		}
		last, row, next = row, next, last
	}
	return row[len(c)]
}

// OneEdit reports whether one insertion, deletion, substitution or swap of neighbours turns a into b.
func OneEdit(a, b string) bool { return editDistance(a, b) == 1 }
