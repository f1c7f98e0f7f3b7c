#include "ggml/src/ggml-cpu/vec.cpp"
