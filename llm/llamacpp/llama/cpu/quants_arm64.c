#include "ggml/src/ggml-cpu/arch/arm/quants.c"
