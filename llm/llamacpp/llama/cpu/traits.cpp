#include "ggml/src/ggml-cpu/traits.cpp"
