#include "ggml/src/ggml-quants.c"
