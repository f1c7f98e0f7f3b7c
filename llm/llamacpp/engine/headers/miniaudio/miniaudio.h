// Stands in for miniaudio.h, which the Go module leaves out (Go drops directories named vendor). llama.cpp's mtmd-
// helper.cpp needs these names to compile. nl2sql decodes no sound: every call answers MA_NOT_IMPLEMENTED, which that
// file reports as an error of its own.
#ifndef NL2SQL_MINIAUDIO_H
#define NL2SQL_MINIAUDIO_H

/* mtmd-helper.cpp relies on the real header for these. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t ma_uint64;
typedef uint32_t ma_uint32;

typedef enum { MA_SUCCESS = 0, MA_NOT_IMPLEMENTED = -29 } ma_result;
typedef enum { ma_format_f32 = 5 } ma_format;

typedef struct { int unused; } ma_decoder;
typedef struct { int unused; } ma_decoder_config;

static inline ma_decoder_config ma_decoder_config_init(ma_format format, ma_uint32 channels, ma_uint32 rate) {
	(void)format, (void)channels, (void)rate;
	ma_decoder_config c = {0};
	return c;
}

static inline ma_result ma_decoder_init_memory(const void *data, size_t size, const ma_decoder_config *config,
	ma_decoder *decoder) {
	(void)data, (void)size, (void)config, (void)decoder;
	return MA_NOT_IMPLEMENTED;
}

static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *decoder, ma_uint64 *frames) {
	(void)decoder;
	*frames = 0;
	return MA_NOT_IMPLEMENTED;
}

static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *decoder, void *out, ma_uint64 count, ma_uint64 *read) {
	(void)decoder, (void)out, (void)count;
	*read = 0;
	return MA_NOT_IMPLEMENTED;
}

static inline ma_result ma_decoder_uninit(ma_decoder *decoder) {
	(void)decoder;
	return MA_NOT_IMPLEMENTED;
}

#endif
