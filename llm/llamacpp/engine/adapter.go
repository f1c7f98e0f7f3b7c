//go:build cgo && llamacpp

package engine

/*
#include <stdlib.h>
#include "adapter.h"
*/
import "C"

import (
	"fmt"
	"path/filepath"
	"unsafe"
)

// adapt applies a GGUF LoRA. ours says that our kernels do all of the model's work.
func (c *sequences) adapt(path string, start int64, ours bool) error {
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	forgetErrors()
	if c.adapter = C.nl2sql_adapt(c.c, file, C.long(start), C.bool(ours)); c.adapter == nil {
		return fmt.Errorf("llama.cpp cannot apply the adapter %s%s", filepath.Base(path), because())
	}
	return nil
}
