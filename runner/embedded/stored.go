package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nl2sql/sqlcheck/syntax"
)

// List returns the names of the imported databases, sorted.
func List() ([]string, error) {
	dir, err := folder("")
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	made := func(e os.DirEntry) bool { return e.IsDir() && databaseName.MatchString(e.Name()) }
	return syntax.Map(syntax.Filter(entries, made), os.DirEntry.Name), nil
}

// Stored is what is known of an imported database.
type Stored struct {
	Name   string
	Tables int // without views
	Views  int
	Rows   int64
	Bytes  int64 // on disk
	Time   time.Time
}

// Describe looks at an imported database.
func Describe(name string) (Stored, error) {
	dir, err := storedFolder(name)
	if err != nil {
		return Stored{}, err
	}
	kept, err := readStored(os.DirFS(dir), name)
	if err != nil {
		return Stored{}, err
	}
	s := Stored{Name: name}
	for _, file := range []string{imageFile, schemaFile} {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil {
			return Stored{}, err
		}
		s.Bytes, s.Time = s.Bytes+info.Size(), info.ModTime()
	}
	s.Tables, s.Views = len(kept.Tables), len(kept.Views)
	for _, t := range kept.Schema.Tables {
		s.Rows += t.Rows
	}
	return s, nil
}

// Remove deletes an imported database.
func Remove(name string) error {
	dir, err := storedFolder(name)
	if err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

// notesFile is the glossary of an imported database; a folder need not have one.
const notesFile = "notes.txt"

// Notes is the glossary that is kept with an imported database; "" where there is none, or no such database.
func Notes(name string) (string, error) {
	dir, err := folder(name)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, notesFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// KeepNotes keeps a glossary with an imported database; "" removes the one that is kept.
func KeepNotes(name, text string) error {
	dir, err := storedFolder(name)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, notesFile)
	if text != "" {
		return os.WriteFile(path, []byte(text), 0o600)
	}
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// doubtsFile has what an import found doubtful, a line each, until somebody was shown it.
const doubtsFile = "doubts.txt"

func keepDoubts(name string, lines []string) error {
	dir, err := storedFolder(name)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, doubtsFile), []byte(strings.Join(lines, "\n")), 0o600)
}

// FreshDoubts takes what the import of a database found doubtful, of which the first call alone is told; source is what
// its Backend says. Of other databases, and where it cannot be taken, it is none.
func FreshDoubts(source string) []string {
	name, imported := strings.CutPrefix(source, "embedded:")
	dir, err := storedFolder(name)
	if !imported || err != nil {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, doubtsFile))
	if err != nil || os.Remove(filepath.Join(dir, doubtsFile)) != nil {
		return nil
	}
	return strings.Split(string(text), "\n")
}

// takeNotes copies the glossary of a database into the folder of the one that is to take its place.
func takeNotes(made, name string) error {
	text, err := Notes(name)
	if err != nil || text == "" {
		return err
	}
	return os.WriteFile(filepath.Join(made, notesFile), []byte(text), 0o600)
}

// storedFolder is where a database is that was imported.
func storedFolder(name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	dir, err := folder(name)
	if err != nil {
		return "", err
	}
	if _, err = os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		err = notImported(name)
	}
	return dir, err
}

// notImported is the error of a name that no database has.
func notImported(name string) error {
	names, err := List()
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no database %s has been imported: nl2sql db import FILE.sql", name)
	}
	return fmt.Errorf("no database %s has been imported; there are: %s", name, strings.Join(names, ", "))
}
