//go:build cgo && llamacpp

package kernels

// The sets that sets.cpp chooses from.
import (
	_ "nl2sql/llm/llamacpp/kernels/dotprod"
	_ "nl2sql/llm/llamacpp/kernels/i8mm"
	_ "nl2sql/llm/llamacpp/kernels/neon"
)
