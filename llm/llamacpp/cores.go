//go:build cgo && llamacpp

package llamacpp

/*
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// physicalCores counts the cores that this process may use, hyperthreads not counted: llama.cpp's threads gain
// nothing from them. Where Linux does not tell, it is the number of processors.
func physicalCores() int {
	may := runtime.GOMAXPROCS(0)
	siblings, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list") // the pattern is right
	cores := make(map[string]bool)
	for _, path := range siblings {
		if b, err := os.ReadFile(path); err == nil {
			cores[string(b)] = true
		}
	}
	if n := len(cores); n > 0 && n < may {
		return n
	}
	return may
}

// tune sets the number of threads to the cores that nothing else uses now, if the user chose none. llama.cpp's threads
// wait for each other in busy loops, so one thread too many is much slower than one too few. The number changes the
// time only: TestThreadsAgree.
func (m *Model) tune() {
	if !m.auto || time.Since(m.tuned) < 100*time.Millisecond {
		return
	}
	m.tuned = time.Now()
	if others, all, ok := running(); ok {
		C.nl2sql_threads(m.c(), C.int32_t(max(1, min(m.threads, all-others))))
	}
}

// running returns the threads of the machine that want to run now, this one not counted, and its processors. Not ok
// means that the system does not tell.
func running() (others, processors int, ok bool) {
	load, err := os.ReadFile("/proc/loadavg") // the fourth number; see proc_loadavg(5)
	if err != nil {
		return 0, 0, false
	}
	var minutes [3]float64
	if _, err := fmt.Sscanf(string(load), "%g %g %g %d/", &minutes[0], &minutes[1], &minutes[2], &others); err != nil {
		return 0, 0, false
	}
	online, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology") // the pattern is right
	return max(0, others-1), max(len(online), runtime.NumCPU()), true
}
