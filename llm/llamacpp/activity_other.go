//go:build !linux

package llamacpp

// readActivity is not ok: only Linux is asked.
func readActivity() (a activity, ok bool) { return activity{}, false }
