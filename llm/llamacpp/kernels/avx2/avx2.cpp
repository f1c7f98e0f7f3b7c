//go:build cgo && llamacpp && amd64

#define NL2SQL_SET  nl2sql_avx2
#define NL2SQL_NAME "avx2"
#include "set_body.h"
