package item

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nl2sql/assets"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// Item is one benchmark question and its gold query.
type Item struct {
	ID         string   `json:"id"`
	Database   string   `json:"database,omitempty"` // "" means the one of the run
	Family     string   `json:"family,omitempty"`   // items of one family share a query shape
	Difficulty string   `json:"difficulty,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Question   string   `json:"nlq"`
	SQL        string   `json:"sql"`
	Accept     []string `json:"accept,omitempty"` // other gold queries
	Wrong      string   `json:"wrong,omitempty"`  // a query that fails, for items that teach to repair it
	Refuse     bool     `json:"refuse,omitempty"` // no query answers it, and SQL is ""
	Behind     Turn     `json:"behind,omitzero"`  // the last answer, from which the question goes on; zero is none
}

// Turn is what was asked and answered before.
type Turn struct {
	Question string `json:"question"`
	SQL      string `json:"sql"`
}

// Load reads our own items, "benchmark" or "train", or else a file.
func Load(name string) ([]Item, error) {
	switch name {
	case "benchmark":
		return Read(strings.NewReader(assets.Benchmark))
	case "train":
		return Read(strings.NewReader(assets.Train))
	}
	return load(name, Read)
}

func load(name string, read func(io.Reader) ([]Item, error)) ([]Item, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	items, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return items, nil
}

// maxItem bounds one item of a file, in bytes; maxItems how many there are, with which hours are spent.
const maxItem, maxItems = 1 << 20, 100_000

// Read reads a JSON array of objects, an object a line, or CSV whose first line names its columns. Fields have the
// names of [Item]; question, query, gold_sql and db_id will do too, and a number i is an ID. All items have IDs of
// their own, or none has: then an item's ID is its place in the file, from 1. Errors name the line.
func Read(r io.Reader) ([]Item, error) { return read(r, itemList{}) }

func read(r io.Reader, l itemList) ([]Item, error) {
	data, err := files.All(r, files.Large)
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}
	if err := l.parse(bytes.TrimPrefix(data, []byte("\uFEFF"))); err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}
	return l.items, nil
}

func (l *itemList) parse(data []byte) (err error) {
	l.line = map[string]int{}
	switch start := bytes.TrimSpace(data); {
	case len(start) == 0:
	case !utf8.Valid(data):
		err = notUTF8(data)
	case start[0] == '[':
		err = l.array(data)
	case start[0] == '{':
		err = l.lines(data)
	case l.asked && !hasQuestionColumn(data):
		err = l.plain(data)
	default:
		err = l.csv(data)
	}
	if err == nil && len(l.items) == 0 {
		err = errors.New("there are none")
	}
	return err
}

// notUTF8 says where a text is not UTF-8.
func notUTF8(text []byte) error {
	line := 1 + bytes.Count(text[:bytes.IndexRune(text, utf8.RuneError)], []byte("\n"))
	return fmt.Errorf("the file is not UTF-8: see line %d", line)
}

// itemList is what was read so far.
type itemList struct {
	items []Item
	line  map[string]int // of an ID
	given int            // IDs that the file gives
	asked bool           // no item needs a gold query
}

// What files call the two things that every item has, in JSON and in CSV.
var (
	questionNames = []string{"nlq", "question"}
	goldNames     = []string{"sql", "query", "gold_sql"}
)

// add takes an item that begins on a line.
func (l *itemList) add(it Item, line int) error {
	if len(l.items) == maxItems {
		return fmt.Errorf("line %d: a file has at most %d items; split it", line, maxItems)
	}
	if strings.TrimSpace(it.Question) == "" {
		return fmt.Errorf("line %d: an item needs a question: %s", line, strings.Join(questionNames, " or "))
	}
	if !l.asked && it.Refuse != (strings.TrimSpace(it.SQL) == "") {
		return fmt.Errorf("line %d: an item needs a gold query: %s; or \"refuse\": true, and none", line,
			strings.Join(goldNames, ", "))
	}
	if it.ID != "" {
		l.given++
	} else {
		it.ID = strconv.Itoa(len(l.items) + 1)
	}
	if first, twice := l.line[it.ID]; twice {
		return fmt.Errorf("line %d: id %s is taken by the item on line %d", line, it.ID, first)
	}
	l.line[it.ID] = line
	l.items = append(l.items, it)
	if l.given > 0 && l.given < len(l.items) {
		return fmt.Errorf("line %d: some items have an id and some have none", line)
	}
	return nil
}

func (l *itemList) array(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	lineAt := func(offset int64) int { return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n")) }
	fail := func(err error) error {
		at := dec.InputOffset()
		if se, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = se.Offset
		} else if err == io.EOF || err == io.ErrUnexpectedEOF {
			at, err = int64(len(data)), errors.New("the array does not end")
		}
		return fmt.Errorf("line %d: %w", lineAt(at), err)
	}
	if _, err := dec.Token(); err != nil {
		return fail(err)
	}
	for dec.More() {
		var object json.RawMessage
		if err := dec.Decode(&object); err != nil {
			return fail(err)
		}
		if err := l.object(object, lineAt(dec.InputOffset()-int64(len(object)))); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return fail(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return fail(errors.New("there is more after the array"))
	}
	return nil
}

func (l *itemList) lines(data []byte) error {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := l.object(line, n); err != nil {
			return err
		}
	}
	return nil
}

// object takes one JSON object. In Spider's files sql is a parsed tree, and query the text.
func (l *itemList) object(data []byte, line int) error {
	if len(data) > maxItem {
		return fmt.Errorf("line %d: an item of more than %d MiB", line, maxItem>>20)
	}
	var in struct {
		Item
		ID    any             `json:"id"`
		SQL   json.RawMessage `json:"sql"`
		I     *int            `json:"i"`
		Query string          `json:"query"`
		Gold  string          `json:"gold_sql"`
		Asked string          `json:"question"`
		DB    string          `json:"db_id"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	err := dec.Decode(&in)
	in.Query = cmp.Or(in.Query, in.Gold)
	if err == nil && in.Query == "" && len(in.SQL) > 0 {
		if err = json.Unmarshal(in.SQL, &in.Query); err != nil {
			err = errors.New("sql must be text")
		}
	}
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := te.Field[strings.LastIndex(te.Field, ".")+1:]
		err = fmt.Errorf("%s must not be of type %s", field, te.Value)
		if field == "" {
			err = fmt.Errorf("an item must be an object, not of type %s", te.Value)
		}
	}
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("there is more after the object")
		}
	}
	if err != nil {
		if err == io.ErrUnexpectedEOF {
			err = errors.New("the object does not end")
		}
		return fmt.Errorf("line %d: %w", line, err)
	}
	it := in.Item
	it.SQL = in.Query
	it.Question = cmp.Or(it.Question, in.Asked)
	it.Database = cmp.Or(it.Database, in.DB)
	switch id := in.ID.(type) {
	case string:
		it.ID = id
	case json.Number:
		it.ID = id.String()
	case nil:
		if in.I != nil {
			it.ID = strconv.Itoa(*in.I)
		}
	default:
		return fmt.Errorf("line %d: id must be text or a number", line)
	}
	return l.add(it, line)
}

func (l *itemList) csv(data []byte) error {
	r := csv.NewReader(bytes.NewReader(data))
	head, err := r.Read()
	if err != nil {
		return csvError(err)
	}
	column := func(names ...string) int {
		return slices.IndexFunc(head, func(h string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(strings.TrimSpace(h), n) })
		})
	}
	id, database := column("id", "i"), column("database", "db_id")
	family, difficulty := column("family"), column("difficulty")
	question, sql := column(questionNames...), column(goldNames...)
	if question < 0 || sql < 0 && !l.asked {
		return fmt.Errorf("neither JSON nor CSV whose first line names a column with questions (%s) and one with "+
			"gold queries (%s)",
			strings.Join(questionNames, " or "), strings.Join(goldNames, ", "))
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return csvError(err)
		}
		cell := func(i int) string {
			if i < 0 {
				return ""
			}
			return row[i]
		}
		line, _ := r.FieldPos(0)
		if len(strings.Join(row, "")) > maxItem {
			return fmt.Errorf("line %d: an item of more than %d MiB", line, maxItem>>20)
		}
		it := Item{ID: cell(id), Database: cell(database), Family: cell(family), Difficulty: cell(difficulty),
			Question: cell(question), SQL: cell(sql)}
		if err := l.add(it, line); err != nil {
			return err
		}
	}
}

func csvError(err error) error {
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Errorf("line %d: %w", pe.StartLine, pe.Err)
	}
	return err
}

// Hash is the SHA-256 of what items ask and expect.
func Hash(items []Item) string {
	h := sha256.New()
	for _, it := range items {
		line, err := syntax.JSONLine(it)
		if err != nil { // an Item is text
			panic(err)
		}
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}
