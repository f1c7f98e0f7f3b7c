//go:build unix

package embedded

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a folder for this process, as long as it lives; fresh ones were made by it. free is false where another
// one has it.
func lock(folder string, _ bool) (unlock func() error, free bool, err error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false, f.Close()
	}
	if err != nil {
		return nil, false, errors.Join(err, f.Close())
	}
	return f.Close, true, nil
}
