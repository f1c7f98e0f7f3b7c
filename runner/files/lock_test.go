package files

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// A lock is one process's until it is closed; who waits is told so, and goes on then, or when nobody wants it any more.
func TestLocks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	has := must.Get(WaitLock(t.Context(), path, func() { t.Error("nobody has it") }))(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := WaitLock(ctx, path, cancel)
	must.Be(t, errors.Is(err, context.Canceled), err)
	next := must.Get(WaitLock(t.Context(), path, func() { must.Do(t, has.Close()) }))(t)
	must.Do(t, next.Close())

	folder := must.Get(LockFolder(dir))(t)
	_, err = LockFolder(dir)
	must.Be(t, errors.Is(err, ErrLocked) && strings.HasSuffix(err.Error(), "is in use by another run"), err)
	must.Do(t, folder.Close())
	must.Do(t, must.Get(LockFolder(dir))(t).Close())
}
