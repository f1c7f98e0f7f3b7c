package runner

import (
	"fmt"
	"os"
	"path/filepath"
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
