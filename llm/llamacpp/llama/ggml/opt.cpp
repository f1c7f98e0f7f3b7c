#include "ggml/src/ggml-opt.cpp"
