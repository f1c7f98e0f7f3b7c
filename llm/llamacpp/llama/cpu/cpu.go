//go:build cgo && llamacpp

// Package cpu compiles ggml's operations for processors. Each C file includes one of the Go module. gcc is wrong about an
// overflow in repack.cpp.
package cpu

// #cgo CPPFLAGS: -DNDEBUG -DGGML_USE_LLAMAFILE -DGGML_USE_CPU_REPACK -D_GNU_SOURCE
// #cgo CFLAGS: -Wno-implicit-function-declaration
// #cgo CXXFLAGS: -std=c++17 -Wno-stringop-overflow
import "C"
