//go:build cgo && llamacpp

package llamacpp

/*
#include <stdlib.h>
#include "quantize.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"unsafe"

	"nl2sql/llm"
)

// Quantize writes the model file in with its weights in another type, one of [Quantizations]. Norms and the like stay
// as they are. The file out is there whole or not at all; if ctx ends, Quantize returns after the tensor at work.
func Quantize(ctx context.Context, in, out, kind string, progress func(done float64)) error {
	ftype, err := quantization(kind)
	if err != nil {
		return err
	}
	if _, err := llm.ReadGGUF(in); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the renaming there is none
	if err := errors.Join(tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	if err := quantize(ctx, in, tmp.Name(), ftype, progress); err != nil {
		return err
	}
	if _, err := llm.ReadGGUF(tmp.Name()); err != nil {
		return fmt.Errorf("llama.cpp wrote a file that cannot be used: %w", err)
	}
	if err := flush(tmp.Name()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), out)
}

// flush waits until the file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func quantize(ctx context.Context, in, out string, ftype uint32, progress func(done float64)) error {
	start()
	stop := (*C.int32_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.int32_t(0)))))
	defer C.free(unsafe.Pointer(stop))
	stopped := make(chan struct{})
	watch := context.AfterFunc(ctx, func() {
		atomic.StoreInt32((*int32)(unsafe.Pointer(stop)), 1)
		close(stopped)
	})
	defer func() {
		if !watch() {
			<-stopped // it writes to stop
		}
	}()
	listen(func(line string) {
		var at, of int
		if n, _ := fmt.Sscanf(line, "[%d/%d]", &at, &of); n == 2 && of > 0 && progress != nil { // else another line
			progress(float64(at) / float64(of))
		}
	})
	defer listen(nil)
	from, to := C.CString(in), C.CString(out)
	defer C.free(unsafe.Pointer(from))
	defer C.free(unsafe.Pointer(to))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	code := C.nl2sql_quantize(from, to, C.int(ftype), C.int(physicalCores()), stop)
	if err := ctx.Err(); err != nil {
		return err
	}
	if code != 0 {
		return fmt.Errorf("llama.cpp cannot write the file%s", because())
	}
	return nil
}

// Dequantize turns blocks of a tensor type, such as "Q4_K", into numbers: from holds exactly those that to takes.
func Dequantize(kind string, from []byte, to []float32) error {
	number, known := llm.TypeNumber(kind)
	want, err := llm.TensorBytes(kind, []int64{int64(len(to))})
	if err != nil {
		return err
	}
	if len(to) == 0 || want != int64(len(from)) {
		return fmt.Errorf("%d bytes of %s are no %d values", len(from), kind, len(to))
	}
	start()
	if !known || C.nl2sql_dequantize(C.int(number), unsafe.Pointer(unsafe.SliceData(from)), (*C.float)(unsafe.SliceData(to)), C.int64_t(len(to))) != 0 {
		return fmt.Errorf("llama.cpp cannot dequantize %s", kind)
	}
	return nil
}
