//go:build cgo && llamacpp && amd64

#define NL2SQL_SET  nl2sql_avxvnni
#define NL2SQL_NAME "avxvnni"
#include "set_body.h"
