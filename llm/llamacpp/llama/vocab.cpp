#include "llama.cpp/src/llama-vocab.cpp"
#include "llama.cpp/src/unicode.cpp"
#include "llama.cpp/src/unicode-data.cpp"
