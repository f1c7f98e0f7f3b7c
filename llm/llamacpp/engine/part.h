//go:build cgo && llamacpp

// GGUF files that are parts of other files.
#ifndef NL2SQL_PART_H
#define NL2SQL_PART_H

#ifdef __cplusplus
extern "C" {
#endif

// nl2sql_part makes llama.cpp open files on this thread start bytes behind their beginnings, 0 as ever.
void nl2sql_part(long start);

#ifdef __cplusplus
}
#endif
#endif
