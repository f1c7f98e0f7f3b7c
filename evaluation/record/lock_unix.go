//go:build unix

package record

import (
	"fmt"
	"os"
	"syscall"
)

// LockFolder makes sure that one process writes to dir; the lock ends with the process.
func LockFolder(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if err != syscall.EWOULDBLOCK { // a file system that has no locks
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		return nil, fmt.Errorf("%s is in use by another run", dir)
	}
	return f, nil
}
