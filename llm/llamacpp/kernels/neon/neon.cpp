//go:build cgo && llamacpp && arm64

#define NL2SQL_SET  nl2sql_neon
#define NL2SQL_NAME "neon"
#include "set_body.h"
