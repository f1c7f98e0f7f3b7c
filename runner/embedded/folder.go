package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"nl2sql/runner"
)

// OpenFolder loads one of the databases of the folder dir, see [runner.FolderScript]. The name comes from data and must
// be no path.
func OpenFolder(ctx context.Context, dir, name string, limits runner.Limits) (*DB, error) {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("database %q: the name of a database in %s is wanted", name, dir)
	}
	script, err := runner.FolderScript(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("database %s: there is no %s and no %s.sql.zst in %s", name,
			filepath.Join(name, "schema.sql"), name, dir)
	} else if err != nil {
		return nil, err
	}
	return OpenDump(ctx, name, strings.NewReader(script), limits)
}
