//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// freeSpace returns the bytes that a user may still write in a folder.
func freeSpace(dir string) (bytes int64, known bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
