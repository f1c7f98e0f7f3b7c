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

	"github.com/ollama/ollama/llama"
)

// adapt applies a GGUF LoRA to a context for good; "" applies none. release frees it when the context is gone.
func adapt(lm *llama.Model, lc *llama.Context, path string) (release func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	forgetErrors()
	model := *(**C.struct_llama_model)(unsafe.Pointer(lm))
	ctx := *(**C.struct_llama_context)(unsafe.Pointer(lc))
	adapter := C.nl2sql_adapt(model, ctx, file)
	if adapter == nil {
		return nil, fmt.Errorf("llama.cpp cannot apply the adapter %s%s", filepath.Base(path), because())
	}
	return func() { C.nl2sql_adapter_free(adapter) }, nil
}
