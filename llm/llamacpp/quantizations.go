package llamacpp

import (
	"fmt"
	"slices"
	"strings"

	"nl2sql/llm"
)

// Quantizations are the types that [Quantize] writes, largest first: those that need no importance matrix.
var Quantizations = []string{"F32", "F16", "BF16", "Q8_0", "Q6_K", "Q5_K_M", "Q5_K_S", "Q5_1", "Q5_0", "Q4_K_M",
	"Q4_K_S", "Q4_1", "Q4_0", "IQ4_NL",
	"IQ4_XS", "Q3_K_L", "Q3_K_M", "Q3_K_S", "Q2_K"}

// quantization returns llama.cpp's number of a type.
func quantization(name string) (uint32, error) {
	number, known := llm.FileType(name)
	if !known || !slices.Contains(Quantizations, name) {
		return 0, fmt.Errorf("no quantization %q: there are %s", name, strings.Join(Quantizations, ", "))
	}
	return number, nil
}
