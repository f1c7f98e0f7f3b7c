#include "llama.cpp/src/llama-sampling.cpp"
#include "llama.cpp/src/llama-grammar.cpp"
#include "llama.cpp/src/llama-chat.cpp"
