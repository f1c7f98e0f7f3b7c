// llama-model.cpp builds the graph of any of a hundred architectures. Those of models.cpp are compiled; another is a failed
// assertion. llm.ReadGGUF refuses its files long before.
#include "llama.cpp/src/models/models.h"

#include <memory>
#include <type_traits>

template <class T>
constexpr bool left_out = std::is_base_of_v<llm_graph_context, T>;

#define COMPILED(T) \
	template <> \
	constexpr bool left_out<T> = false
COMPILED(llm_build_bert);
COMPILED(llm_build_gemma);
COMPILED(llm_build_gemma2_iswa);
COMPILED(llm_build_gemma3<false>);
COMPILED(llm_build_gemma3<true>);
COMPILED(llm_build_llama);
COMPILED(llm_build_qwen2);
COMPILED(llm_build_qwen2moe);
COMPILED(llm_build_qwen3);
COMPILED(llm_build_qwen3moe);
COMPILED(llm_build_smollm3);

namespace std {
template <class T, class... Args>
unique_ptr<T> make_unique_compiled(Args &&...args) {
	if constexpr (left_out<T>) {
		GGML_ABORT("this architecture is not compiled in");
	} else {
		return make_unique<T>(forward<Args>(args)...);
	}
}
}

#define make_unique make_unique_compiled
#include "llama.cpp/src/llama-model.cpp"
