//go:build cgo && llamacpp && arm64

#define NL2SQL_SET  nl2sql_dotprod
#define NL2SQL_NAME "dotprod"
#include "set_body.h"
