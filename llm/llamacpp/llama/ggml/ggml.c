#include "ggml/src/ggml.c"
