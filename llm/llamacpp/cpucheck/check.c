//go:build cgo && llamacpp && amd64

#include "cpu.h"

#include <cpuid.h>
#include <string.h>
#include <unistd.h>

enum { EAX, EBX, ECX, EDX };
enum { NONE = 0, YMM = 0x6, ZMM = 0xe6, TILE = 0x60000 }; // bits of XCR0

struct row {
	const char *name;
	unsigned leaf, subleaf, reg, bit, saved;
};

static const struct row rows[] = {
#define F(name, macro, leaf, subleaf, reg, bit, saved) {#name, leaf, subleaf, reg, bit, saved},
	FEATURES(F)
};

static unsigned saved_registers(void) {
	unsigned r[4];
	if (!__get_cpuid(1, r, r + 1, r + 2, r + 3) || !(r[ECX] >> 27 & 1)) return 0; // no OSXSAVE
	unsigned low, high;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static int has(const struct row *f, unsigned saved) {
	unsigned r[4];
	return __get_cpuid_count(f->leaf, f->subleaf, r, r + 1, r + 2, r + 3) && (r[f->reg] >> f->bit & 1) && (saved & f->saved) == f->saved;
}

// check runs before any other C or C++ code of the program, which may hold instructions that this processor lacks.
__attribute__((constructor(101))) static void check(void) {
	char line[1024] = "nl2sql: this processor lacks what the program was built for:";
	unsigned saved = saved_registers();
	int lacks = 0;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		if ((nl2sql_built_for >> i & 1) && !has(rows + i, saved)) {
			strcat(strcat(line, lacks++ ? ", " : " "), rows[i].name);
		}
	}
	if (!lacks) return;
	strcat(line, "; it runs on x86-64-v3, as Intel's Core has been since Haswell and AMD's since Excavator\n");
	if (write(2, line, strlen(line)) < 0) _exit(1);
	_exit(1);
}
