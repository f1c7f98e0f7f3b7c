//go:build cgo && llamacpp && arm64

// Package neon holds our kernels for ARM processors.
package neon

// #cgo CXXFLAGS: -std=c++17 -march=armv8-a
// #cgo CPPFLAGS: -I${SRCDIR}/../source
import "C"

import _ "nl2sql/llm/llamacpp/kernels/source"
