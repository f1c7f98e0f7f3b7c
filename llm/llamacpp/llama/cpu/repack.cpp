#include "ggml/src/ggml-cpu/repack.cpp"
