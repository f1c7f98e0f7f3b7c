#include "ggml/src/gguf.cpp"
