//go:build cgo && llamacpp

#include "part.h"

#include <stdio.h>

// llama.cpp opens every GGUF file with ggml_fopen, in which the linker puts the function below (--wrap). It reads the
// header from where the file then stands, and counts the places of tensors from the beginning of the whole file, which
// it maps: so the weights are used where they lie.

static _Thread_local long part;

void nl2sql_part(long start) { part = start; }

FILE *__real_ggml_fopen(const char *name, const char *mode);

FILE *__wrap_ggml_fopen(const char *name, const char *mode) {
	FILE *file = __real_ggml_fopen(name, mode);
	if (file != NULL && part != 0 && fseek(file, part, SEEK_SET) != 0) {
		fclose(file);
		return NULL;
	}
	return file;
}
