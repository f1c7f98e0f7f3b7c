package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// ErrLocked says that another process has a lock.
var ErrLocked = errors.New("another process has it")

// Lock takes a file or a folder for whoever opened it, until it is closed or the process ends. The error is ErrLocked
// where somebody else has it; any other one is of a file system that has no locks.
func Lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case err != nil:
			return fmt.Errorf("lock %s: %w", f.Name(), err)
		default:
			return nil
		}
	}
}

// LockFolder makes sure that one process writes to a folder, until what it returns is closed. The error wraps ErrLocked
// where another one does.
func LockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err = Lock(f); err == nil {
		return f, nil
	}
	if errors.Is(err, ErrLocked) {
		err = inUse{dir}
	}
	return nil, errors.Join(err, f.Close())
}

// inUse is a folder that another process has.
type inUse struct{ dir string }

func (e inUse) Error() string { return e.dir + " is in use by another run" }

func (e inUse) Unwrap() error { return ErrLocked }

// WaitLock opens a file, or makes it, and waits until it can be locked. waits is called once, where it has to.
func WaitLock(ctx context.Context, path string, waits func()) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		if err = Lock(f); !errors.Is(err, ErrLocked) {
			break
		}
		if first {
			waits()
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
