//go:build cgo && llamacpp && amd64

// Package avx2 holds our kernels for processors with AVX2.
package avx2

// #cgo CXXFLAGS: -std=c++17 -march=x86-64-v3
// #cgo CPPFLAGS: -I${SRCDIR}/../source
import "C"

import _ "nl2sql/llm/llamacpp/kernels/source"
