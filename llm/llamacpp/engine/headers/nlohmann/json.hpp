// Stands in for nlohmann's json.hpp, which the Go module leaves out (Go drops directories named vendor). llama.cpp's
// json-schema-to-grammar.cpp and sampling_ext.cpp need these names to compile, and what the real one includes. nl2sql
// makes no grammar of a JSON schema: parse fails, which SchemaToGrammar reports as an invalid schema, and nothing
// else is ever reached.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace nlohmann {

class ordered_json {
public:
	struct item {
		const std::string &key() const { unread(); }
		ordered_json &value() const { unread(); }
	};

	ordered_json() = default;
	ordered_json(const std::string &) {}

	static ordered_json parse(const char *) { unread(); }

	bool is_null() const { unread(); }
	bool is_boolean() const { unread(); }
	bool is_number_integer() const { unread(); }
	bool is_string() const { unread(); }
	bool is_array() const { unread(); }
	bool is_object() const { unread(); }
	bool empty() const { unread(); }
	bool contains(const std::string &) const { unread(); }
	size_t size() const { unread(); }
	std::string dump() const { unread(); }
	template <class T> T get() const { unread(); }
	operator std::string() const { unread(); }

	ordered_json &operator[](const std::string &) { unread(); }
	const ordered_json &operator[](const std::string &) const { unread(); }
	ordered_json &operator[](size_t) { unread(); }
	ordered_json *begin() { unread(); }
	ordered_json *end() { unread(); }
	const ordered_json *begin() const { unread(); }
	const ordered_json *end() const { unread(); }
	std::vector<item> items() const { unread(); }

	bool operator==(const char *) const { unread(); }
	bool operator!=(bool) const { unread(); }

private:
	[[noreturn]] static void unread() { throw std::runtime_error("this build reads no JSON"); }
};

}
