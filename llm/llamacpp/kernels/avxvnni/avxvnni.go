//go:build cgo && llamacpp && amd64

// Package avxvnni holds our kernels for processors with AVX2 and AVX-VNNI.
package avxvnni

// #cgo CXXFLAGS: -std=c++17 -march=x86-64-v3 -mavxvnni
// #cgo CPPFLAGS: -I${SRCDIR}/../source
import "C"

import _ "nl2sql/llm/llamacpp/kernels/source"
