#include "ggml/src/ggml-cpu/quants.c"
