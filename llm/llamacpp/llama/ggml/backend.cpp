#include "ggml/src/ggml.cpp"
#include "ggml/src/ggml-backend.cpp"
#include "ggml/src/ggml-backend-reg.cpp"
#include "ggml/src/ggml-threading.cpp"
