package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// CacheFolder is the absolute path of the folder that keeps what was fetched or imported: NL2SQL_CACHE, else
// $XDG_CACHE_HOME/nl2sql, else ~/.cache/nl2sql. It need not exist. scripts/fetch follows the same rule.
func CacheFolder() (string, error) {
	dir := os.Getenv("NL2SQL_CACHE")
	if dir == "" {
		base := os.Getenv("XDG_CACHE_HOME")
		if base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("no cache folder: %w; set NL2SQL_CACHE", err)
			}
			base = filepath.Join(home, ".cache")
		}
		dir = filepath.Join(base, "nl2sql")
	}
	return filepath.Abs(dir)
}

// unfinished is how long a file that is being written may take; one that is older was left by a program that was
// killed.
const unfinished = 10 * time.Second

// KeepFile writes a file of the cache folder whole or not at all, for the user's eyes alone, and removes what lies
// beside it and was not written or marked as used for longer than age, or never became a file.
func KeepFile(path string, text []byte, age time.Duration) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	for _, name := range old {
		most := age
		if strings.HasPrefix(filepath.Base(name), "new-") {
			most = min(age, unfinished)
		}
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > most {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) { // two programs may remove it
				return err
			}
		}
	}
	return ReplaceFile(path, text)
}

// Keep keeps a value as JSON in a file of the cache folder, as KeepFile does.
func Keep(path string, age time.Duration, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return KeepFile(path, text, age)
}

// Kept reads what Keep kept into v, and reports whether it is there and no older than age. What cannot be read is made
// again.
func Kept(path string, age time.Duration, v any) bool {
	info, err := os.Stat(path)
	if err != nil || time.Since(info.ModTime()) > age {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(text, v) == nil
}

// ReplaceFile writes a file whole or not at all, for the user's eyes alone, in a folder that is there.
func ReplaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
