#include "ggml/src/ggml-cpu/binary-ops.cpp"
