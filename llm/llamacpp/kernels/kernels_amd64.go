//go:build cgo && llamacpp

package kernels

// The sets that sets.cpp chooses from.
import (
	_ "nl2sql/llm/llamacpp/kernels/amx"
	_ "nl2sql/llm/llamacpp/kernels/avx2"
	_ "nl2sql/llm/llamacpp/kernels/avx512"
	_ "nl2sql/llm/llamacpp/kernels/avxvnni"
)
