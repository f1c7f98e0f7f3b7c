//go:build cgo && llamacpp && amd64

// Package avx512 holds our kernels for processors with AVX-512 VNNI.
package avx512

// #cgo CXXFLAGS: -std=c++17 -march=x86-64-v4 -mavx512vnni
// #cgo CPPFLAGS: -I${SRCDIR}/../source
import "C"

import _ "nl2sql/llm/llamacpp/kernels/source"
