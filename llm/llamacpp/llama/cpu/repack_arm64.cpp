#include "ggml/src/ggml-cpu/arch/arm/repack.cpp"
