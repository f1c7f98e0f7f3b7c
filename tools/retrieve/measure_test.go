package retrieve

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

var (
	databases = flag.String("databases", "", "folder of databases that TestMeasure joins into one schema")
	items     = flag.String("items", "", "questions with gold queries about them, JSON lines")
	every     = flag.Int("every", 1, "take every Nth question")
	embedding = flag.String("embedding", "", "GGUF file that makes vectors: an embedding model, or one that chats")
)

// TestMeasure tells how many of the tables that gold queries read are among the first that their questions find, with
// all databases joined into one schema. A table whose name is taken gets its database's name behind it.
//
//	go test -v -tags netgo,osusergo,llamacpp ./tools/retrieve -run Measure -databases DIR -items FILE -embedding FILE
func TestMeasure(t *testing.T) {
	if *databases == "" || *items == "" {
		t.Skip("needs -databases and -items")
	}
	all, alone, renamed := join(t, *databases)
	store := &Store{Folder: t.TempDir()}
	kinds := []Kind{Keyword}
	if *embedding != "" {
		model := must.Get(llamacpp.OpenEmbedder(t.Context(), *embedding, llamacpp.Options{}))(t)
		defer model.Close()
		store.Embedder, kinds = &remembering{Embedder: model, known: map[string][]float32{}},
			append(kinds, Semantic, Both)
	}
	index := func(s *Store) *Index {
		began := time.Now()
		x := must.Get(s.Index(t.Context(), all))(t)
		t.Logf("index of %d tables: %s", x.Total(), time.Since(began).Round(time.Millisecond))
		return x
	}
	index(store)
	x := index(&Store{Folder: store.Folder, Embedder: store.Embedder}) // as the next process reads it
	questions := asked(t, *items, alone, renamed)
	for _, kind := range kinds {
		var at5, at10, whole5, whole10 float64
		began := time.Now()
		for _, q := range questions {
			hits := must.Get(x.Search(t.Context(), q.text, 10, kind))(t)
			five, ten := found(q.gold, hits[:min(5, len(hits))]), found(q.gold, hits)
			at5, at10 = at5+five, at10+ten
			whole5, whole10 = whole5+float64(int(five)), whole10+float64(int(ten))
		}
		n := float64(len(questions))
		t.Logf("%-8s %d questions: recall at 5 %.3f, at 10 %.3f; all tables at 5 %.3f, at 10 %.3f; %s a search",
			kind, len(questions),
			at5/n, at10/n, whole5/n, whole10/n,
			(time.Since(began) / time.Duration(len(questions))).Round(time.Microsecond))
	}
}

// remembering asks for each text's vector once: a question is looked up by two kinds.
type remembering struct {
	llm.Embedder
	known map[string][]float32
}

func (r *remembering) Embed(ctx context.Context, texts []string) (out [][]float32, err error) {
	if len(texts) != 1 {
		return r.Embedder.Embed(ctx, texts)
	}
	if r.known[texts[0]] == nil {
		if out, err = r.Embedder.Embed(ctx, texts); err != nil {
			return nil, err
		}
		r.known[texts[0]] = out[0]
	}
	return [][]float32{r.known[texts[0]]}, nil
}

type goldQuestion struct {
	text string
	gold []string // tables, as the joined schema names them
}

// asked reads the questions. Those whose gold query cannot be read are left out.
func asked(t *testing.T, path string, alone map[string]*schema.Schema, renamed map[string]string) (out []goldQuestion) {
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 0; lines.Scan(); n++ {
		if n%*every != 0 {
			continue
		}
		var it struct{ Database, NLQ, SQL string }
		must.Do(t, json.Unmarshal(lines.Bytes(), &it))
		q := goldQuestion{text: it.NLQ}
		for _, table := range sqlcheck.Inspect(it.SQL, alone[it.Database]).TablesUsed {
			q.gold = append(q.gold, renamed[it.Database+"."+table])
		}
		if len(q.gold) > 0 {
			out = append(out, q)
		}
	}
	if len(out) == 0 {
		t.Fatal("no question with a gold query: ", lines.Err())
	}
	return out
}

func found(gold []string, hits []Hit) float64 {
	n := 0
	for _, g := range gold {
		if slices.ContainsFunc(hits, func(h Hit) bool { return h.Table.Name == g }) {
			n++
		}
	}
	return float64(n) / float64(len(gold))
}

// join reads all databases of a folder; renamed is what "database.table" is called in the joined schema.
func join(t *testing.T, folder string) (all *schema.Schema, alone map[string]*schema.Schema,
	renamed map[string]string) {
	entries := must.Get(os.ReadDir(folder))(t)
	all, alone, renamed = &schema.Schema{}, map[string]*schema.Schema{}, map[string]string{}
	taken := map[string]bool{}
	for _, e := range entries {
		db := must.Get(embedded.OpenFolder(t.Context(), folder, e.Name(), runner.Limits{}))(t)
		s := must.Get(db.Schema(t.Context()))(t)
		must.Do(t, db.Close())
		alone[e.Name()] = s
		own := map[string]string{}
		for _, table := range s.Tables {
			name := table.Name
			if taken[strings.ToLower(name)] {
				name = fmt.Sprintf("%s_%s", name, e.Name())
			}
			taken[strings.ToLower(name)], own[strings.ToLower(table.Name)],
				renamed[e.Name()+"."+table.Name] = true, name, name
		}
		for _, table := range s.Tables {
			table.Name = own[strings.ToLower(table.Name)]
			table.ForeignKeys = slices.Clone(table.ForeignKeys)
			for i := range table.ForeignKeys {
				fk := &table.ForeignKeys[i]
				fk.RefTable = own[strings.ToLower(fk.RefTable)]
			}
			all.Tables = append(all.Tables, table)
		}
	}
	return all, alone, renamed
}
