//go:build cgo && llamacpp && amd64

#define NL2SQL_SET  nl2sql_avx512
#define NL2SQL_NAME "avx512"
#include "set_body.h"
