package retrieve

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// shop is a schema with a name, a comment, a value and a foreign key to find tables by.
func shop() *schema.Schema {
	return &schema.Schema{Tables: []schema.Table{
		{Name: "customers", Columns: []schema.Column{{Name: "id"},
			{Name: "country", Values: []string{"France", "New Zealand"}}}},
		{Name: "OrderDetails", Columns: []schema.Column{{Name: "order_id"}, {Name: "priceEach"}},
			ForeignKeys: []schema.ForeignKey{{Columns: []string{"order_id"}, RefTable: "ORDERS",
				RefColumns: []string{"id"}}}},
		{Name: "orders", Comment: "what was bought", Columns: []schema.Column{{Name: "id"},
			{Name: "status", Texts: []string{"On Hold"}}}},
		{Name: "zones", Columns: []schema.Column{{Name: "id"}, {Name: "label"}}},
	}}
}

func names(hits []Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Table.Name)
	}
	return strings.Join(out, " ")
}

func TestKeyword(t *testing.T) {
	x := must.Get((&Store{}).Index(t.Context(), shop()))(t)
	for _, tt := range []struct {
		name, text string
		k          int
		want       string
	}{
		{"a table's name", "zones?", 5, "zones"},
		{"singular", "Which zone is it?", 5, "zones"},
		{"a part of a name, and what is joined to it", "each price", 5, "OrderDetails orders"},
		{"two words that a name writes as one", "order details", 1, "OrderDetails"},
		{"a value", "who lives in zealand", 5, "customers"},
		{"a text", "what is on hold", 5, "orders OrderDetails"},
		{"a comment", "what people bought", 1, "orders"},
		{"at most k", "id", 2, "orders OrderDetails"},
		{"German", "Wie viele Kunden gibt es in dem Land?", 1, "customers"},
		{"nothing", "weather", 5, ""},
		{"no words", "?!", 5, ""},
	} {
		hits := must.Get(x.Search(t.Context(), tt.text, tt.k, Keyword))(t)
		must.Same(t, names(hits), tt.want, tt.name)
	}
	for kind, want := range map[Kind]error{Semantic: ErrNoVectors, Both: ErrNoVectors} {
		if _, err := x.Search(t.Context(), "zones", 1, kind); !errors.Is(err, want) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := x.Search(t.Context(), "zones", 1, "magic"); err == nil {
		t.Error("there is a kind magic")
	}
	if _, err := (&Store{}).Index(t.Context(), &schema.Schema{}); err == nil {
		t.Error("a schema without tables has an index")
	}
}

// The formula, by hand: two tables, one of which has the word once.
func TestBM25(t *testing.T) {
	x := newBM25(&schema.Schema{Tables: []schema.Table{{Name: "apple"},
		{Name: "pear", Columns: []schema.Column{{Name: "stone"}}}}})
	rare := math.Log(1 + (2-1+0.5)/(1+0.5)) // in one of two tables
	want := rare * inTable * (saturation + 1) / (inTable +
		saturation*(1-byLength+byLength*inTable/(inTable+inColumn/2)))
	got := x.scores([]string{"apple", "unknown"})
	if math.Abs(got[0]-want) > 1e-12 || got[1] != 0 {
		t.Errorf("%v, want %v and 0", got, want)
	}
}

// counter makes vectors of the letters a to z, and counts the texts that it was given.
type counter struct {
	name  string
	texts int
	err   error
}

func (c *counter) Embedding() string { return c.name }

func (c *counter) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if c.err != nil {
		return nil, c.err
	}
	c.texts += len(texts)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 26)
		for _, r := range text {
			if r >= 'a' && r <= 'z' {
				out[i][r-'a']++
			}
		}
	}
	return out, nil
}

func TestSemantic(t *testing.T) {
	x := must.Get((&Store{Embedder: &counter{}}).Index(t.Context(), shop()))(t)
	for _, kind := range []Kind{Semantic, Both} {
		hits := must.Get(x.Search(t.Context(), "oezns id: label", 4, kind))(t)
		must.Equal(t, hits[0].Table.Name, "zones", kind, names(hits))
	}
	x.embedder = &counter{err: errors.New("gone")}
	if _, err := x.Search(t.Context(), "zones", 1, Semantic); err == nil {
		t.Error("a model that is gone makes vectors")
	}
	if _, err := (&Store{Embedder: x.embedder}).Index(t.Context(), shop()); err == nil {
		t.Error("a model that is gone makes an index")
	}
}

// An index is made once, and again when anything that it is made of changes, or its file is broken.
func TestKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "tables")
	made := func(name string, s *schema.Schema) bool {
		t.Helper()
		c := &counter{name: name}
		store := &Store{Folder: folder, Embedder: c}
		for range 2 {
			x := must.Get(store.Index(t.Context(), s))(t)
			must.Equal(t, names(must.Get(x.Search(t.Context(), "zones", 1, Keyword))(t)), "zones", name)
		}
		return c.texts > 0
	}
	must.Be(t, made("a", shop()), "the first index was not made")
	must.Be(t, !made("a", shop()), "the index was made again")
	for name, change := range map[string]func(s *schema.Schema){
		"value":   func(s *schema.Schema) { s.Tables[0].Columns[1].Values[0] = "Spain" },
		"text":    func(s *schema.Schema) { s.Tables[2].Columns[1].Texts = nil },
		"comment": func(s *schema.Schema) { s.Tables[2].Columns[0].Comment = "key" },
		"column":  func(s *schema.Schema) { s.Tables[3].Columns[1].Name = "caption" },
		"table":   func(s *schema.Schema) { s.Tables[0].Name = "clients" },
	} {
		s := shop()
		if change(s); !made("a", s) {
			t.Errorf("another %s, and the index was not made again", name)
		}
	}
	must.Be(t, made("b", shop()), "another model, and the index was not made again")
	path := filepath.Join(folder, (&Store{Embedder: &counter{name: "a"}}).state(shop()))
	good := must.Get(os.ReadFile(path))(t)
	for name, text := range map[string][]byte{
		"empty": nil, "cut off": good[:len(good)-1], "its head alone": good[:len(format)],
		"of another format": append([]byte("nl2sql index 0\n"), good[len(format):]...),
		"with a bit that is wrong": append(append([]byte{}, good[:len(good)-9]...),
			append([]byte{good[len(good)-9] ^ 1}, good[len(good)-8:]...)...),
	} {
		must.Do(t, os.WriteFile(path, text, 0o600))
		must.Be(t, made("a", shop()), "a file that is", name, "was read")
		must.Be(t, !made("a", shop()), "a file that was", name, "is made again and again")
	}
	if left, err := filepath.Glob(filepath.Join(folder, "new-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	// a folder that cannot be made costs a warning
	must.Do(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o600))
	if _, err := (&Store{Folder: filepath.Join(folder, "file", "below")}).Index(t.Context(), shop()); err != nil {
		t.Error(err)
	}
}
