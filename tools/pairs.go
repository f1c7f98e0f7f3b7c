package tools

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Pair is a question with the SQL that somebody found right for it, on one database.
type Pair struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
	Database string `json:"database,omitempty"`
	Date     string `json:"date,omitempty"` // when it was found right, as 2006-01-02
	Line     int    `json:"-"`              // of the file
	Checked  string `json:"-"`              // SQL as the checks write it; "" before they read it
}

// Bounds of a file of pairs.
const (
	maxPairs     = 10_000
	maxPairBytes = 64 << 10
)

// ParsePairs reads a file of pairs: a JSON object a line, which a person may edit. Blank lines are passed over, and
// lines that begin with #.
func ParsePairs(r io.Reader) (pairs []Pair, err error) {
	line := 0
	for bytes, err := range files.Lines(r, maxPairBytes) {
		if err != nil {
			return nil, fmt.Errorf("read pairs: %w", err)
		}
		line++
		text := strings.TrimSpace(strings.TrimPrefix(string(bytes), "\uFEFF"))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		p := Pair{Line: line}
		in := json.NewDecoder(strings.NewReader(text))
		in.DisallowUnknownFields()
		switch err := in.Decode(&p); {
		case files.Torn(bytes):
			slog.Warn(fmt.Sprintf("pairs, line %d: it was cut off, and is passed over", line))
			continue
		case err != nil || in.More():
			err = cmp.Or(err, errors.New("there is more behind it"))
			return nil, fmt.Errorf(`line %d: want one {"question":"…","sql":"…"}: %w`, line, err)
		case strings.TrimSpace(p.Question) == "" || strings.TrimSpace(p.SQL) == "":
			return nil, fmt.Errorf("line %d: question and sql must both be there", line)
		case len(pairs) == maxPairs:
			return nil, fmt.Errorf("line %d: more than %d pairs", line, maxPairs)
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// Book is the pairs of one database, read for its schema. A nil one is empty; it is safe for many at once.
type Book struct {
	mu      sync.RWMutex       // of what the fields are; what they hold is not changed
	entries []entry            // the last is what was found right last
	weights map[string]float64 // of words: the rarer in the pairs, the more
}

// entry is a pair as it is compared with questions.
type entry struct {
	Pair
	key   string          // the words of the question, with signs for values and numbers
	slots []slot          // what stands behind these
	words map[string]bool // stems of key, and the columns of its values
}

// slot is a value of the database, or a number, in a question.
type slot struct {
	text    string
	columns []*schema.Column // that hold it; nil is a number
}

// NewBook reads pairs for a schema. Those whose SQL the checks refuse, since a table or a column is gone, are left out
// and told, in a line each.
func NewBook(pairs []Pair, s *schema.Schema) (*Book, []string, error) {
	b := &Book{}
	var left []string
	for _, p := range pairs {
		e, v, err := entryOf(p, s)
		if err != nil {
			return nil, nil, err
		}
		if !v.OK {
			left = append(left, fmt.Sprintf("line %d: %q is left out: %s", p.Line, p.Question, v))
			continue
		}
		b.entries = append(b.entries, e)
	}
	b.weights = weights(b.entries)
	return b, left, nil
}

// entryOf reads a pair whose SQL the checks let pass.
func entryOf(p Pair, s *schema.Schema) (e entry, v sqlcheck.Verdict, err error) {
	q, v, err := sqlcheck.Check(p.SQL, s)
	if err != nil || !v.OK {
		return e, v, err
	}
	p.SQL, p.Checked = strings.TrimSpace(p.SQL), q.SQL()
	e = entry{Pair: p}
	e.read(question.Read(p.Question, s))
	return e, v, nil
}

// Add takes a pair that was found right, unless the checks refuse it, or, where it was found wrong, takes it out. A nil
// book takes none.
func (b *Book) Add(p Pair, right bool, s *schema.Schema) error {
	if b == nil {
		return nil
	}
	e, v, err := entryOf(p, s)
	if err != nil || right && !v.OK {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	entries := slices.DeleteFunc(slices.Clone(b.entries), func(old entry) bool {
		return old.Question == p.Question && (v.OK && old.Checked == e.Checked || old.SQL == strings.TrimSpace(p.SQL))
	})
	if right {
		entries = append(entries, e)
	}
	b.entries, b.weights = entries, weights(entries)
	return nil
}

// Len is how many pairs there are.
func (b *Book) Len() int {
	if b == nil {
		return 0
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.entries)
}

// All are the pairs, the last that was found right last.
func (b *Book) All() []Pair {
	if b.Len() == 0 {
		return nil
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return syntax.Map(b.entries, func(e entry) Pair { return e.Pair })
}

// Only is the part of a book that keep is true of.
func (b *Book) Only(keep func(Pair) bool) *Book {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := &Book{entries: syntax.Filter(b.entries, func(e entry) bool { return keep(e.Pair) })}
	out.weights = weights(out.entries)
	return out
}

// weights are those of the words of pairs.
func weights(entries []entry) map[string]float64 {
	out := map[string]float64{}
	for _, e := range entries {
		for w := range e.words {
			out[w]++
		}
	}
	for w, n := range out {
		out[w] = math.Log(float64(len(entries)+1) / n)
	}
	return out
}

// read fills what a question is compared by.
func (e *entry) read(q *question.Question) {
	tokens := slices.DeleteFunc(words.Cut(q.Text), func(t words.Token) bool { return t.Kind == words.Sign })
	values := valuesIn(q)
	e.words = map[string]bool{}
	var key []string
	for i := 0; i < len(tokens); {
		n, s := longest(values, tokens[i:])
		switch {
		case n > 0:
			e.slots, key = append(e.slots, s), append(key, "@")
			for _, c := range s.columns {
				e.words["@"+c.Name] = true
			}
		case tokens[i].Kind == words.Number:
			e.slots, key, n = append(e.slots, slot{text: tokens[i].Text}), append(key, "#"), 1
		default:
			key, n = append(key, tokens[i].Fold), 1
			e.words[tokens[i].Stem] = true
		}
		i += n
	}
	e.key = strings.Join(key, " ")
}

// valuesIn are the values of the database that a question holds, each by its words.
func valuesIn(q *question.Question) map[string]slot {
	values := map[string]slot{}
	known := q.Known()
	for i := range q.Voc.Columns { // in their order: what is found is the same each time
		c := q.Voc.Columns[i].Col
		for _, text := range known[c] {
			key := strings.Join(words.Split(text), " ")
			s := values[key]
			if s.columns == nil || verbatim(q.Text, text) > verbatim(q.Text, s.text) {
				s.text = text
			}
			s.columns = append(s.columns, c)
			values[key] = s
		}
	}
	return values
}

// longest is the value that most of the first tokens are, of which it looks at 64.
func longest(values map[string]slot, tokens []words.Token) (n int, found slot) {
	var spelled []string
	for i, t := range tokens[:min(len(tokens), 64)] {
		spelled = append(spelled, t.Low)
		if s, ok := values[strings.Join(spelled, " ")]; ok {
			n, found = i+1, s
		}
	}
	return n, found
}

// Nearest are the pairs whose questions are most like a question, the most like last, as a prompt shows them: words in
// common, the rare ones first, whatever values they have.
func (b *Book) Nearest(q *question.Question, most int) []Pair {
	if b.Len() == 0 || most == 0 {
		return nil
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	var asked entry
	asked.read(q)
	type near struct {
		at   int
		like float64
	}
	var list []near
	said := slices.Sorted(maps.Keys(asked.words))
	for i, e := range b.entries {
		if like := b.like(said, e.words); like > 0 {
			list = append(list, near{i, like})
		}
	}
	slices.SortStableFunc(list, func(x, y near) int { return cmp.Compare(y.like, x.like) })
	list = list[:min(most, len(list))]
	slices.Reverse(list)
	return syntax.Map(list, func(n near) Pair { return b.entries[n.at].Pair })
}

// like is how like the words of a question, sorted, are those of a pair: their cosine but for the length of the
// question's own, which is the same beside every pair. 0 is nothing in common.
func (b *Book) like(asked []string, pair map[string]bool) float64 {
	var both, all float64
	for _, w := range asked {
		if pair[w] {
			both += b.weights[w] * b.weights[w]
		}
	}
	if both == 0 {
		return 0
	}
	for _, w := range slices.Sorted(maps.Keys(pair)) { // in one order: the same bits
		all += b.weights[w] * b.weights[w]
	}
	return both / math.Sqrt(all)
}

// Repeated is the pair whose question is the one asked, or one that differs from it in values of the database and
// numbers alone, and its SQL with those that are asked for. Each of them must stand in the SQL as the question has it,
// a value beside a column that holds the new one: what is changed in any other way is another question.
func (b *Book) Repeated(q *question.Question) (pair Pair, sql string, ok bool) {
	if b.Len() == 0 {
		return Pair{}, "", false
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	var asked entry
	asked.read(q)
	for _, e := range slices.Backward(b.entries) { // what was found right last
		if e.key != asked.key {
			continue
		}
		if sql, ok := e.with(asked.slots, q.Schema); ok {
			return e.Pair, sql, true
		}
	}
	return Pair{}, "", false
}

// with is the SQL of a pair with other values.
func (e *entry) with(slots []slot, s *schema.Schema) (string, bool) {
	other := map[string]slot{} // by what stands there now
	for i, old := range e.slots {
		was, seen := other[old.text]
		if (old.columns == nil) != (slots[i].columns == nil) || seen && was.text != slots[i].text {
			return "", false
		}
		other[old.text] = slots[i]
	}
	maps.DeleteFunc(other, func(old string, now slot) bool { return old == now.text })
	if len(other) == 0 {
		return e.SQL, true
	}
	stmt, ok := syntax.OneSelect(e.SQL)
	if !ok {
		return "", false
	}
	bound, _ := bind.Bind(stmt, s)
	beside := map[ast.Node]*schema.Column{} // literals that columns are equal to
	for _, cond := range syntax.All[ast.ExprNode](stmt) {
		edit.Equated(cond, func(c *ast.ColumnNameExpr, value ast.ValueExpr) {
			if ref := bound.RefOf(c); ref != nil {
				_, beside[value] = ref.Column()
			}
		})
	}
	put, wrong := map[string]int{}, false
	for _, literal := range syntax.All[ast.ValueExpr](stmt) {
		text := fmt.Sprint(literal.GetValue())
		for old, now := range other {
			if !strings.EqualFold(old, text) {
				continue
			}
			put[old]++
			if now.columns != nil && !slices.Contains(now.columns, beside[literal]) {
				wrong = true
			}
			if now.columns == nil && put[old] > 1 {
				wrong = true
			}
			setLiteral(literal, now.text)
			break
		}
	}
	if wrong || len(put) != len(other) {
		return "", false
	}
	sql, err := syntax.Print(stmt)
	return sql, err == nil
}

// setLiteral puts a value where another one of its kind stood.
func setLiteral(literal ast.ValueExpr, text string) {
	if _, isText := literal.GetValue().(string); !isText {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			literal.SetValue(n)
			return
		}
	}
	literal.SetValue(text)
}
