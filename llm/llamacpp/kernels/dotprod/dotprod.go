//go:build cgo && llamacpp && arm64

// Package dotprod holds our kernels for ARM processors with dot products of bytes.
package dotprod

// #cgo CXXFLAGS: -std=c++17 -march=armv8.2-a+dotprod
// #cgo CPPFLAGS: -I${SRCDIR}/../source
import "C"

import _ "nl2sql/llm/llamacpp/kernels/source"
