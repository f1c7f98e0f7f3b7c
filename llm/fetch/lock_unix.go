//go:build unix

package fetch

import (
	"os"
	"syscall"
)

// tryLock takes the lock of f; held is false while another has it.
func tryLock(f *os.File) (held bool, err error) {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
	case nil:
		return true, nil
	case syscall.EWOULDBLOCK:
		return false, nil
	default:
		return false, err
	}
}
