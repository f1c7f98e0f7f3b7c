//go:build cgo && llamacpp

// Package kernels computes products of weights and attention where llama.cpp would: it holds C++ alone, which package
// engine calls (kernels.h). Each set of kernels is a package below it, compiled for its instruction set from the
// headers in source.
package kernels

// #cgo CXXFLAGS: -std=c++17
import "C"
