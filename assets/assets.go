// Package assets holds the bytes that are built into the binary. It knows nothing of what they mean:
// whoever owns the data reads or renders it.
package assets
