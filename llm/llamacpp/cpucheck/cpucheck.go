//go:build cgo && llamacpp && amd64

// Package cpucheck ends the program at its start, in one line and with exit code 1, when the processor lacks a feature
// that the engine was compiled for. Without it the program would die of an illegal instruction, perhaps in a C++
// constructor before main.
package cpucheck

// This package itself must run anywhere: the flag comes after those of CGO_CFLAGS.

// #cgo CFLAGS: -march=x86-64 -mtune=generic
import "C"
