//go:build cgo && llamacpp && amd64

#pragma GCC target("amx-tile,amx-int8") // cgo admits no flag for them
#define NL2SQL_TILES
#define NL2SQL_SET  nl2sql_amx
#define NL2SQL_NAME "amx"
#include "set_body.h"
