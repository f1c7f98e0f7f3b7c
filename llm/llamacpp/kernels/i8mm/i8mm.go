//go:build cgo && llamacpp && arm64

// Package i8mm holds our kernels for ARM processors with dot products of unsigned and signed bytes.
package i8mm

// #cgo CXXFLAGS: -std=c++17 -march=armv8.2-a+dotprod+i8mm
// #cgo CPPFLAGS: -I${SRCDIR}/../source
import "C"

import _ "nl2sql/llm/llamacpp/kernels/source"
