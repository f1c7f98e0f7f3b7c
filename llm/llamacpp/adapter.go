//go:build cgo && llamacpp

package llamacpp

/*
#include <stdlib.h>
#include "adapter.h"
*/
import "C"

import (
	"fmt"
	"path/filepath"
	"runtime"
	"unsafe"

	"nl2sql/llm/llamacpp/llama"
)

// adapt applies a GGUF LoRA to a context for good; "" applies none. ours says that our kernels do all
// of the model's work. release frees it when the context is gone.
func adapt(lm *llama.Model, lc *llama.Context, path string, ours bool) (release func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	forgetErrors()
	adapter := C.nl2sql_adapt((*C.struct_llama_model)(lm.Pointer()), (*C.struct_llama_context)(lc.Pointer()), file, C.bool(ours))
	if adapter == nil {
		return nil, fmt.Errorf("llama.cpp cannot apply the adapter %s%s", filepath.Base(path), because())
	}
	return func() { C.nl2sql_adapter_free(adapter) }, nil
}
