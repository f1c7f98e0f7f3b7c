//go:build linux

package local

import "context"

// Find returns the version of the server of a kind, "mysql" or "mariadb", that Start would run.
func Find(ctx context.Context, kind string) (version string, err error) {
	cache, err := cacheDir("")
	if err != nil {
		return "", err
	}
	e, err := findEngine(ctx, cache, kind)
	return e.version, err
}
