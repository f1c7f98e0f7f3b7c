// Package profile says what the rows of a database show, and nobody declared: its columns' ranges and gaps, and the
// keys and references that hold, each with what speaks for it.
//
// It asks checked queries alone, as a user may, so that a role sees no more of a profile than of the database. Begin
// with Infer and Profile.On.
package profile

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"nl2sql/runner"
	"nl2sql/sqlcheck/schema"
)

// Profile is what was found. The zero value is of a database about which nothing is known.
type Profile struct {
	Tables     []Table     `json:"tables,omitempty"` // where [Full] made it
	Keys       []Key       `json:"keys,omitempty"`
	References []Reference `json:"references,omitempty"`
	// Cut says that keys and references may be missing: the time ended, or a look took too long.
	Cut bool `json:"cut,omitempty"`

	path string    // where it is kept; "" is nowhere
	at   time.Time // when that was written; zero where nothing is kept
}

// Stale reports whether a newer profile than this one may be read: another one was kept since, or it is too old.
func (p *Profile) Stale() bool {
	info, err := os.Stat(p.path)
	return err == nil && (!info.ModTime().Equal(p.at) || time.Since(p.at) > keptFor)
}

// kept is the profile with where it is kept.
func (p *Profile) kept(path string) *Profile {
	if info, err := os.Stat(path); err == nil {
		p.at = info.ModTime()
	}
	p.path = path
	return p
}

// Key is a column by which the rows of a table are known, though the table declares no key.
type Key struct {
	Table      string  `json:"table"`
	Column     string  `json:"column"`
	Rows       int64   `json:"rows"` // each with a value of its own
	Confidence float64 `json:"confidence"`
}

// Reference says that the values of a column are keys of another table, though no foreign key says so.
type Reference struct {
	Table      string  `json:"table"`
	Column     string  `json:"column"`
	RefTable   string  `json:"ref_table"`
	RefColumn  string  `json:"ref_column"`
	Values     int64   `json:"values"`  // distinct ones that were looked at
	Missing    int64   `json:"missing"` // of them, those that are no key
	Evidence   string  `json:"evidence"`
	Confidence float64 `json:"confidence"`
}

// On is a schema with what was inferred, for prompts and what reads questions: the references stand beside the declared
// ones, marked. It is s itself where nothing was. A key of a profile is none for checks: MySQL does not know it.
func (p *Profile) On(s *schema.Schema) *schema.Schema {
	if p == nil || len(p.Keys)+len(p.References)+len(p.Tables) == 0 {
		return s
	}
	out := *s
	out.Tables = slices.Clone(s.Tables)
	for _, t := range p.Tables {
		if to, ok := out.Table(t.Name); ok && !t.More && t.Refused == "" {
			t.on(to)
		}
	}
	for _, k := range p.Keys {
		if t, ok := out.Table(k.Table); ok {
			t.InferredKey = k.Column
		}
	}
	for _, r := range p.References {
		if t, ok := out.Table(r.Table); ok {
			t.ForeignKeys = append(slices.Clip(t.ForeignKeys), schema.ForeignKey{Columns: []string{r.Column},
				RefTable: r.RefTable, RefColumns: []string{r.RefColumn}, Inferred: true})
		}
	}
	return &out
}

// on puts the ranges of columns into a table's schema.
func (t *Table) on(to *schema.Table) {
	to.Columns = slices.Clone(to.Columns)
	for _, c := range t.Columns {
		if col, ok := to.Column(c.Name); ok {
			col.Least, col.Most, col.SomeNull = c.Least, c.Most, c.Nulls > 0
		}
	}
}

// atOnce is how long a question waits for what is not kept yet; [Keep] with more time finds what was cut.
const atOnce = 3 * time.Second

// keptFor is after how long it is looked for again, whatever else is the same.
const keptFor = 24 * time.Hour

// Of is what [Infer] finds in a database within a few seconds: of one whose schema, known values and numbers of rows
// are those of a database that was looked at before, what was kept in the cache folder.
func Of(ctx context.Context, db Querier, s *schema.Schema) (*Profile, error) {
	path, err := place(db, s)
	p := &Profile{}
	if err == nil && runner.Kept(path, keptFor, p) {
		return p.kept(path), nil
	}
	p, err = look(ctx, db, s, atOnce, nil, path, err)
	if err == nil && p.Cut {
		slog.Warn("keys and references that nobody declared may be missing: nl2sql db profile looks for them longer")
	}
	if err != nil {
		return nil, err
	}
	return p.kept(path), nil
}

// look is Infer, and keeps what it finds beside what was read of tables, in a file, or says why there is none.
func look(
	ctx context.Context, db Querier, s *schema.Schema, limit time.Duration, tables []Table, path string, nowhere error,
) (*Profile, error) {
	p, asked, err := Infer(ctx, db, s, limit)
	if err != nil {
		return nil, err
	}
	p.Tables = tables
	if asked == 0 && len(s.Tables) < manyTables && tables == nil {
		return p, nil // which took no time
	}
	if nowhere == nil {
		nowhere = runner.Keep(path, keptFor, p)
	}
	if nowhere != nil {
		slog.Warn("keys that nobody declared are looked for again next time", "err", nowhere)
	}
	return p, nil
}

// manyTables are as many as take a time to compare, even if nothing of their rows is read.
const manyTables = 100

// place is where the profile of a database is kept; that of a role has a place of its own.
func place(db Querier, s *schema.Schema) (string, error) {
	salt := "keys"
	if whose, ok := db.(interface{ Backend() runner.Backend }); ok {
		salt += " " + whose.Backend().Source + " " + whose.Backend().Role
	}
	state, err := runner.State(s, salt)
	if err != nil {
		return "", err
	}
	dir, err := runner.CacheFolder()
	return filepath.Join(dir, "profiles", state+".json"), err
}
