#include "ggml/src/ggml-cpu/unary-ops.cpp"
