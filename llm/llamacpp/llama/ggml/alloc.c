#include "ggml/src/ggml-alloc.c"
