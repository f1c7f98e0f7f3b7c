//go:build cgo && llamacpp

package llamacpp

import (
	"os"
	"path/filepath"
	"runtime"
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
