#include "ggml/src/ggml-cpu/ggml-cpu.cpp"
