//go:build cgo && llamacpp

// Package cpucheck ends the program at its start, in one line and with exit code 1, when the processor lacks a feature
// that the engine was compiled for. Without it the program would die of an illegal instruction, perhaps in a C++
// constructor before main. Every arm64 processor has what the baseline of arm64 has.
package cpucheck
