#include "ggml/src/ggml-cpu/arch/x86/quants.c"
