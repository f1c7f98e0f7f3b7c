//go:build cgo && llamacpp

#include "kernels.h"
#include "operations.h"

#include <atomic>
#include <cstring>
#include <iterator>

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

// Which sets of kernels there are, and which of them this processor and this system can run.

extern "C" const nl2sql_set nl2sql_avx2, nl2sql_avxvnni, nl2sql_avx512, nl2sql_amx, nl2sql_neon, nl2sql_dotprod, nl2sql_i8mm;

namespace {

struct choice {
	const nl2sql_set *set;
	bool (*can)(); // whether processor and system have what it needs
	bool (*begin)(); // asks the system for it; NULL if there is nothing to ask
};

#if defined(__x86_64__)

// The system keeps the registers of tiles for programs that asked for them.
// Source: Linux, Documentation/arch/x86/xstate.rst.
constexpr int get_features = 0x1021, ask_for_feature = 0x1023, tiles = 18;

bool has_tiles() {
	unsigned long long features = 0;
	return __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-int8") && syscall(SYS_arch_prctl, get_features, &features) == 0 && (features >> tiles & 1);
}

bool has_avx512() {
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}

// Best first.
const choice choices[] = {
	{&nl2sql_amx, [] { return has_avx512() && has_tiles(); }, [] { return syscall(SYS_arch_prctl, ask_for_feature, tiles) == 0; }},
	{&nl2sql_avx512, has_avx512, nullptr},
	{&nl2sql_avxvnni, [] { return bool(__builtin_cpu_supports("avxvnni")); }, nullptr},
	{&nl2sql_avx2, [] { return true; }, nullptr}, // cpucheck has looked
};

#else

const choice choices[] = {
	{&nl2sql_i8mm, [] { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) && (getauxval(AT_HWCAP2) & HWCAP2_I8MM); }, nullptr},
	{&nl2sql_dotprod, [] { return bool(getauxval(AT_HWCAP) & HWCAP_ASIMDDP); }, nullptr},
	{&nl2sql_neon, [] { return true; }, nullptr},
};

#endif

std::atomic<const nl2sql_set *> chosen{nullptr};

bool take(const choice &c) {
	if (!c.can() || (c.begin != nullptr && !c.begin())) return false;
	chosen = c.set;
	return true;
}

} // namespace

const nl2sql_set *nl2sql_kernels_set() {
	if (const nl2sql_set *s = chosen) return s;
	for (const choice &c : choices) {
		if (take(c)) break;
	}
	return chosen;
}

extern "C" const char *nl2sql_kernels(void) { return nl2sql_kernels_set()->name; }

extern "C" bool nl2sql_kernels_choose(const char *name) {
	for (const choice &c : choices) {
		if (strcmp(c.set->name, name) == 0) return take(c);
	}
	return false;
}

extern "C" const char *nl2sql_kernels_name(int32_t i, bool *can) {
	if (i < 0 || size_t(i) >= std::size(choices)) return nullptr;
	*can = choices[i].can();
	return choices[i].set->name;
}
