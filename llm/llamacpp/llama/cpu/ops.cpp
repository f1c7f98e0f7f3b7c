#include "ggml/src/ggml-cpu/ops.cpp"
