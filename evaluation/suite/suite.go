package suite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// File is the file of a suite's folder that says what the others are. The others are the databases, MySQL scripts
// packed with zstd.
const File = "suite.json"

const suiteVersion = 1

// Card says what a suite was made from and how. The same database and seed give the same bytes.
type Card struct {
	Version   int        `json:"nl2sql_suite"` // of the format: 1
	Database  string     `json:"database"`     // its name
	Source    string     `json:"source_sha256"`
	Seed      uint64     `json:"seed"`
	Databases []Database `json:"databases"`
}

// Database is one database of a suite.
type Database struct {
	File    string   `json:"file"`
	Hash    string   `json:"sha256"` // of the file
	Rows    int      `json:"rows"`
	Changes []string `json:"changes"` // what sets it apart from the source, for people
}

// Member is one database of a suite that is to be stored.
type Member struct {
	*Snapshot
	Changes []string
}

// Write stores a suite in the folder dir, which must not be there yet, or be empty. It is made beside it and moved
// to its place when it is whole.
func Write(dir string, card Card, members []Member) (err error) {
	if err := FreeFolder(dir); err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	made, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(made))
		}
	}()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	card.Version = suiteVersion
	for i, m := range members {
		packed := w.EncodeAll(m.Script(), nil)
		d := Database{File: fmt.Sprintf("db-%02d.sql.zst", i+1), Hash: hashOf(packed), Rows: m.Size(),
			Changes: m.Changes}
		if err := os.WriteFile(filepath.Join(made, d.File), packed, 0o600); err != nil {
			return err
		}
		card.Databases = append(card.Databases, d)
	}
	text, err := json.MarshalIndent(card, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(made, File), append(text, '\n'), 0o600); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, os.ErrNotExist) { // an empty folder
		return err
	}
	return os.Rename(made, dir)
}

// FreeFolder returns an error if something is stored at dir already.
func FreeFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty: remove it, or name another folder", dir)
	}
	return err
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Suite is a set of databases on which a prediction must give what its gold query gives (dissertation.md §5.4).
// It is safe for concurrent use.
type Suite struct {
	Card      Card
	Databases []*score.Executor // in Card's order
}

// unpack undoes zstd. Rows written as SQL become at most so many times smaller: what grows more was made to fill the
// memory.
func unpack(packed []byte) ([]byte, error) {
	const least, most, growth = 16 << 20, 1 << 30, 100
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(min(most, least+growth*uint64(len(packed)))))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}

// Open opens the databases of a folder that WriteSuite made; load opens a database that a MySQL script makes.
func Open(ctx context.Context, dir string, load func(ctx context.Context, name string, script io.Reader) (runner.DB,
	error)) (*Suite, error) {
	text, err := files.Read(filepath.Join(dir, File), files.Large)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no suite (no %s): make one with nl2sql suite build", dir, File)
	} else if err != nil {
		return nil, err
	}
	s := &Suite{}
	if err := syntax.JSON(text, &s.Card); err != nil {
		return nil, fmt.Errorf("suite %s: %s: %w", dir, File, err)
	}
	if s.Card.Version != suiteVersion {
		return nil, fmt.Errorf("suite %s: format version %d: this nl2sql reads %d", dir, s.Card.Version, suiteVersion)
	}
	if len(s.Card.Databases) == 0 {
		return nil, fmt.Errorf("suite %s has no databases", dir)
	}
	for _, d := range s.Card.Databases {
		x, err := func() (*score.Executor, error) {
			packed, err := files.Read(filepath.Join(dir, filepath.Base(d.File)), 1<<30)
			if err != nil {
				return nil, err
			}
			if hashOf(packed) != d.Hash {
				return nil, errors.New("the file is not the one that the suite was made with")
			}
			script, err := unpack(packed)
			if err != nil {
				return nil, err
			}
			db, err := load(ctx, s.Card.Database, bytes.NewReader(script))
			if err != nil {
				return nil, err
			}
			x, err := score.NewExecutor(ctx, db)
			if err != nil {
				err = errors.Join(err, db.Close())
			}
			return x, err
		}()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("suite %s: %s: %w", dir, d.File, err), s.Close())
		}
		s.Databases = append(s.Databases, x)
	}
	return s, nil
}

// Pairs runs the golds of an item and a prediction on every database: what [score.Case].Replicas takes.
func (s *Suite) Pairs(ctx context.Context, it item.Item, sql string) ([]score.Pair, error) {
	pairs := make([]score.Pair, len(s.Databases))
	for i, x := range s.Databases {
		var err error
		if pairs[i], err = score.NewPair(ctx, x, it, sql); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// Close closes the databases.
func (s *Suite) Close() (err error) {
	for _, x := range s.Databases {
		err = errors.Join(err, x.DB.Close())
	}
	return err
}
