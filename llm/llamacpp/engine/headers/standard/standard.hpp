// The headers of C++ that llama.cpp's files include most, before each of them (-include). scripts/fetch compiles them
// once, since a file of a model's graph takes longer to read them than for all the rest. Each file gets them whether
// that worked or not, so an object is the same either way. None may define objects of its own in a file that only
// includes it (as iostream does), or depend on NDEBUG (as cassert does).
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

// llama.cpp asks for this number by the macro, gcc warns that it follows from flags, and no file had the macro before.
#undef __cpp_lib_hardware_interference_size
