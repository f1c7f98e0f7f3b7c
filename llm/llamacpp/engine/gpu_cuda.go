//go:build cgo && llamacpp && cuda

package engine

/*
#include <stdlib.h>
#include "gpu.h"
*/
import "C"

import (
	"errors"
	"strings"
	"sync"
	"unsafe"
)

// CUDA says whether this build can use NVIDIA GPUs.
const CUDA = true

// gpu is the library that was loaded; llama.cpp's list of devices is the process's.
var gpu struct {
	sync.Mutex
	users int // models that have layers there
}

// GPUs loads the library of that version, if it is not loaded, and lists its devices.
func (library) GPUs(file, version string) ([]GPU, error) {
	start()
	gpu.Lock()
	defer gpu.Unlock()
	forgetErrors()
	path, want := C.CString(file), C.CString(version)
	defer C.free(unsafe.Pointer(path))
	defer C.free(unsafe.Pointer(want))
	if why := C.nl2sql_gpu_load(path, want); why != nil {
		defer C.free(unsafe.Pointer(why))
		return nil, errors.New("the CUDA library does not load: " + strings.Join(strings.Fields(C.GoString(why)), " "))
	}
	var gpus []GPU
	for i := range C.nl2sql_gpu_count() {
		var d C.struct_nl2sql_gpu
		C.nl2sql_gpu_device(i, &d)
		gpus = append(gpus, GPU{C.GoString(d.name), C.GoString(d.description), int64(d.free), int64(d.total)})
	}
	if len(gpus) == 0 {
		C.nl2sql_gpu_unload()
		return nil, errors.New("the CUDA library finds no GPU" + because())
	}
	return gpus, nil
}

// holdGPUs says that a model is going to be loaded with so many layers on GPUs, and returns what says that it is gone.
// Without layers it is loaded as if there were no GPU, unless another model uses it: llama.cpp would lend it large
// multiplications otherwise.
func holdGPUs(layers int) (release func()) {
	gpu.Lock()
	defer gpu.Unlock()
	if layers == 0 {
		if gpu.users == 0 {
			C.nl2sql_gpu_unload()
		}
		return func() {}
	}
	gpu.users++
	return sync.OnceFunc(func() {
		gpu.Lock()
		defer gpu.Unlock()
		gpu.users--
	})
}
