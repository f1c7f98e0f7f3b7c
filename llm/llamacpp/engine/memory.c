//go:build cgo && llamacpp

#define _GNU_SOURCE // MAP_POPULATE

#include "shim.h"

#include "ggml-backend.h"
#include "llama.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// llama.cpp fills a context's keys and values with zeros when it makes them, with ggml_backend_buffer_clear, in which the
// linker puts the function below (--wrap). Zeros that are written take memory for as many tokens as there might be; pages
// that are given back are zeros too (madvise(2), MADV_DONTNEED on private memory), and take none before they are written.

void __real_ggml_backend_buffer_clear(ggml_backend_buffer_t buffer, uint8_t value);

void __wrap_ggml_backend_buffer_clear(ggml_backend_buffer_t buffer, uint8_t value) {
	if (value == 0 && ggml_backend_buffer_get_type(buffer) == ggml_backend_cpu_buffer_type()) {
		const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)ggml_backend_buffer_get_base(buffer);
		const uintptr_t end = start + ggml_backend_buffer_get_size(buffer), first = (start + page - 1) / page * page, last = end / page * page;
		if (first < last && madvise((void *)first, last - first, MADV_DONTNEED) == 0) {
			memset((void *)start, 0, first - start);
			memset((void *)last, 0, end - last);
			return;
		}
	}
	__real_ggml_backend_buffer_clear(buffer, value);
}

// llama.cpp has the system put all pages of a model's file into the process before it looks at one of them (MAP_POPULATE).
// Those of weights that are reordered are read once and given back (kernels/matmul.cpp): of such a model they come one by
// one, so that they and what they become do not lie in memory together. That the file is read ahead llama.cpp asks for by itself.

void *__real_mmap(void *start, size_t size, int protection, int flags, int file, off_t from);

static _Thread_local bool one_by_one;

void nl2sql_one_by_one(bool yes) { one_by_one = yes; }

void *__wrap_mmap(void *start, size_t size, int protection, int flags, int file, off_t from) {
	return __real_mmap(start, size, protection, one_by_one ? flags & ~MAP_POPULATE : flags, file, from);
}

// A context frees its backends, and then the scheduler over them, which resets each once more (ggml_backend_sched_free): also
// one that is not made for want of memory. The backend of a GPU has freed by then what it resets. So backends wait until the
// context is gone.

void __real_ggml_backend_free(ggml_backend_t backend);

static _Thread_local ggml_backend_t waiting[16]; // as many as a scheduler takes
static _Thread_local int            waiters = -1; // none wait: no context is made or freed on this thread

void __wrap_ggml_backend_free(ggml_backend_t backend) {
	if (waiters < 0 || waiters == sizeof waiting / sizeof *waiting) {
		__real_ggml_backend_free(backend);
	} else {
		waiting[waiters++] = backend;
	}
}

void nl2sql_hold(bool hold) {
	for (int i = 0; i < waiters; i++) __real_ggml_backend_free(waiting[i]);
	waiters = hold ? 0 : -1;
}

void nl2sql_free(struct llama_context *ctx) {
	nl2sql_hold(true);
	llama_free(ctx);
	nl2sql_hold(false);
}

// Weights, keys and values, adapters and what an evaluation needs are allocated by this. Tests let it fail.

ggml_backend_buffer_t __real_ggml_backend_buft_alloc_buffer(ggml_backend_buffer_type_t type, size_t size);

static int32_t allocations = -1; // that go well before the others fail; -1 is all

void nl2sql_fail(int32_t after) { __atomic_store_n(&allocations, after, __ATOMIC_RELAXED); }

ggml_backend_buffer_t __wrap_ggml_backend_buft_alloc_buffer(ggml_backend_buffer_type_t type, size_t size) {
	const int32_t left = __atomic_load_n(&allocations, __ATOMIC_RELAXED);
	if (left == 0 && size > 0) return NULL;
	if (left > 0 && size > 0) nl2sql_fail(left - 1);
	return __real_ggml_backend_buft_alloc_buffer(type, size);
}
