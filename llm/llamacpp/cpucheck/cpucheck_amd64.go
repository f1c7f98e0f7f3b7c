//go:build cgo && llamacpp

package cpucheck

// This package itself must run anywhere: the flag comes after those of CGO_CFLAGS.

// #cgo CFLAGS: -march=x86-64 -mtune=generic
import "C"
