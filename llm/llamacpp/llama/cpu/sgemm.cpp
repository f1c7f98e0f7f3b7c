#include "ggml/src/ggml-cpu/llamafile/sgemm.cpp"
