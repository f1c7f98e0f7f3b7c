// Package headers holds the headers that Go leaves out of the module github.com/ollama/ollama, because they lie there
// in a folder named vendor: stand-ins with the names that its C++ needs to compile. nl2sql reads no JSON there, no
// sound and no picture. Beside them lies standard/standard.hpp, which saves time.
package headers

import "embed"

// Files are the headers, in the folders by which they are included.
//
//go:embed */*.h */*.hpp
var Files embed.FS
