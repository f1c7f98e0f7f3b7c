// One row for each feature that gcc may use when it is told a processor: its name, the macro that says that gcc uses
// it, where CPUID tells (leaf, subleaf, register, bit), and the registers that the system must save for it.
// Source: Intel SDM volume 2A, CPUID; AMD APM volume 3, appendix E.
#define FEATURES(F) \
	F(sse3, __SSE3__, 1, 0, ECX, 0, NONE) \
	F(ssse3, __SSSE3__, 1, 0, ECX, 9, NONE) \
	F(fma, __FMA__, 1, 0, ECX, 12, YMM) \
	F(sse4.1, __SSE4_1__, 1, 0, ECX, 19, NONE) \
	F(sse4.2, __SSE4_2__, 1, 0, ECX, 20, NONE) \
	F(movbe, __MOVBE__, 1, 0, ECX, 22, NONE) \
	F(popcnt, __POPCNT__, 1, 0, ECX, 23, NONE) \
	F(aes, __AES__, 1, 0, ECX, 25, NONE) \
	F(avx, __AVX__, 1, 0, ECX, 28, YMM) \
	F(f16c, __F16C__, 1, 0, ECX, 29, YMM) \
	F(bmi1, __BMI__, 7, 0, EBX, 3, NONE) \
	F(avx2, __AVX2__, 7, 0, EBX, 5, YMM) \
	F(bmi2, __BMI2__, 7, 0, EBX, 8, NONE) \
	F(avx512f, __AVX512F__, 7, 0, EBX, 16, ZMM) \
	F(avx512dq, __AVX512DQ__, 7, 0, EBX, 17, ZMM) \
	F(adx, __ADX__, 7, 0, EBX, 19, NONE) \
	F(avx512ifma, __AVX512IFMA__, 7, 0, EBX, 21, ZMM) \
	F(avx512cd, __AVX512CD__, 7, 0, EBX, 28, ZMM) \
	F(avx512bw, __AVX512BW__, 7, 0, EBX, 30, ZMM) \
	F(avx512vl, __AVX512VL__, 7, 0, EBX, 31, ZMM) \
	F(avx512vbmi, __AVX512VBMI__, 7, 0, ECX, 1, ZMM) \
	F(avx512vbmi2, __AVX512VBMI2__, 7, 0, ECX, 6, ZMM) \
	F(gfni, __GFNI__, 7, 0, ECX, 8, NONE) \
	F(vaes, __VAES__, 7, 0, ECX, 9, YMM) \
	F(avx512vnni, __AVX512VNNI__, 7, 0, ECX, 11, ZMM) \
	F(avx512bitalg, __AVX512BITALG__, 7, 0, ECX, 12, ZMM) \
	F(avx512vpopcntdq, __AVX512VPOPCNTDQ__, 7, 0, ECX, 14, ZMM) \
	F(avx512fp16, __AVX512FP16__, 7, 0, EDX, 23, ZMM) \
	F(amx-tile, __AMX_TILE__, 7, 0, EDX, 24, TILE) \
	F(amx-int8, __AMX_INT8__, 7, 0, EDX, 25, TILE) \
	F(amx-bf16, __AMX_BF16__, 7, 0, EDX, 22, TILE) \
	F(avx-vnni, __AVXVNNI__, 7, 1, EAX, 4, YMM) \
	F(avx512bf16, __AVX512BF16__, 7, 1, EAX, 5, ZMM) \
	F(lzcnt, __LZCNT__, 0x80000001, 0, ECX, 5, NONE) \
	F(sse4a, __SSE4A__, 0x80000001, 0, ECX, 6, NONE) \
	F(xop, __XOP__, 0x80000001, 0, ECX, 11, YMM) \
	F(fma4, __FMA4__, 0x80000001, 0, ECX, 16, YMM)

// A bit for each row, in order: what the engine was compiled for. Defined by built.c in package llamacpp, which is
// compiled as llama.cpp is.
extern const unsigned long long nl2sql_built_for;
