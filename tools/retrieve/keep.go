package retrieve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nl2sql/runner"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// kept is what a file holds: all that takes time to make.
type kept struct {
	Words   bm25
	Vectors [][]float32
}

// format is of the files and of what they are made by: who changes words, weights or texts raises it.
const format = "nl2sql index 1\n"

// keepFor is after how long a file that was not used is removed.
const keepFor = 30 * 24 * time.Hour

// kept reads the index of a schema, or makes it. A schema that has changed has another file; one that is broken is made
// again. Only a model that fails is an error.
func (s *Store) kept(ctx context.Context, of *schema.Schema) (kept, error) {
	path := ""
	if s.Folder != "" {
		path = filepath.Join(s.Folder, s.state(of))
		if k, ok := read(path, of); ok {
			return k, nil
		}
	}
	k := kept{Words: newBM25(of)}
	if s.Embedder != nil {
		texts := make([]string, len(of.Tables))
		for i := range of.Tables {
			texts[i] = describe(&of.Tables[i])
		}
		var err error
		if k.Vectors, err = s.Embedder.Embed(ctx, texts); err != nil {
			return k, fmt.Errorf("index of the tables: %w", err)
		}
	}
	if path != "" {
		if err := write(path, k); err != nil {
			slog.Warn("the index of the tables is made again next time", "err", err)
		}
	}
	return k, nil
}

// describe is a table as a model reads it for its vector: its name, its comment and its columns, in words.
func describe(t *schema.Table) string {
	inWords := func(name string) string { return strings.Join(words.OfName(name), " ") }
	var b strings.Builder
	b.WriteString(inWords(t.Name))
	if t.Comment != "" {
		b.WriteString(", " + t.Comment)
	}
	for i, c := range t.Columns {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(inWords(c.Name))
	}
	return b.String()
}

// state names the file of a schema: a hash of all that the index is made of.
func (s *Store) state(of *schema.Schema) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s", format)
	if s.Embedder != nil {
		fmt.Fprintf(h, "%q\n", s.Embedder.Embedding())
	}
	for i := range of.Tables {
		t := &of.Tables[i]
		fmt.Fprintf(h, "%q %q\n", t.Name, t.Comment)
		for j := range t.Columns {
			c := &t.Columns[j]
			fmt.Fprintf(h, "%q %q %q\n", c.Name, c.Comment, valuesOf(c))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]) + ".index"
}

// read takes a file that is whole and of a schema with as many tables, and marks it as used.
func read(path string, of *schema.Schema) (k kept, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return k, false
	}
	rest, right := bytes.CutPrefix(text, []byte(format))
	if !right || len(rest) < sha256.Size {
		return k, false
	}
	sum, body := rest[:sha256.Size], rest[sha256.Size:]
	if own := sha256.Sum256(body); !bytes.Equal(own[:], sum) {
		return k, false
	}
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(&k); err != nil {
		return k, false
	}
	now := time.Now()
	if err := os.Chtimes(path, now, now); err != nil {
		slog.Debug("index", "err", err) // it is read all the same
	}
	return k, len(k.Words.Lengths) == len(of.Tables) && (k.Vectors == nil || len(k.Vectors) == len(of.Tables))
}

// write keeps an index.
func write(path string, k kept) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(k); err != nil {
		return err
	}
	sum := sha256.Sum256(body.Bytes())
	return runner.KeepFile(path, slices.Concat([]byte(format), sum[:], body.Bytes()), keepFor)
}
