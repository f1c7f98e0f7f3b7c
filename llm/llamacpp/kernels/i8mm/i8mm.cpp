//go:build cgo && llamacpp && arm64

#define NL2SQL_SET  nl2sql_i8mm
#define NL2SQL_NAME "i8mm"
#include "set_body.h"
