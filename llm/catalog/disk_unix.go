//go:build linux || darwin

package catalog

import "golang.org/x/sys/unix"

// FreeSpace returns the bytes that a user may still write in a folder.
func FreeSpace(dir string) (bytes int64, known bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
