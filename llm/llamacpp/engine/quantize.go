//go:build cgo && llamacpp

package engine

/*
#include <stdlib.h>
#include "quantize.h"
*/
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"unsafe"
)

// Quantize writes the model file in as out with its weights in another type, llama.cpp's number fileType. If ctx ends,
// it returns after the tensor at work; what is written then is no model.
func (l library) Quantize(ctx context.Context, in, out string, fileType uint32, threads int,
	progress func(done float64)) error {
	start()
	stop := newFlag()
	defer stop.free()
	stopped := make(chan struct{})
	watch := context.AfterFunc(ctx, func() {
		stop.set(true)
		close(stopped)
	})
	defer func() {
		if !watch() {
			<-stopped // it writes to stop
		}
	}()
	l.Listen(func(line string) {
		var at, of int
		if n, _ := fmt.Sscanf(line, "[%d/%d]", &at, &of); n == 2 && of > 0 && progress != nil { // else another line
			progress(float64(at) / float64(of))
		}
	})
	defer l.Listen(nil)
	from, to := C.CString(in), C.CString(out)
	defer C.free(unsafe.Pointer(from))
	defer C.free(unsafe.Pointer(to))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	code := C.nl2sql_quantize(from, to, C.int(fileType), C.int(threads), stop.c)
	if err := ctx.Err(); err != nil {
		return err
	}
	if code != 0 {
		return fmt.Errorf("llama.cpp cannot write the file%s", because())
	}
	return nil
}

// Dequantize turns blocks of a tensor type, ggml's number kind, into numbers: from holds exactly those that to takes.
func (library) Dequantize(kind uint32, from []byte, to []float32) bool {
	start()
	numbers := (*C.float)(unsafe.SliceData(to))
	return C.nl2sql_dequantize(C.int(kind), unsafe.Pointer(unsafe.SliceData(from)), numbers, C.int64_t(len(to))) == 0
}
