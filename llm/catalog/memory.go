package catalog

import (
	"os"
	"strconv"
	"strings"
)

// FreeMemory returns the bytes of memory that this program could take now without swapping: what Linux says, or what is
// left of the control group's limit, or of the program's own (ulimit -v), if that is less. It is not ok where the
// system does not tell.
func FreeMemory() (bytes int64, ok bool) {
	bytes, ok = freeMemory("/proc/meminfo", "/sys/fs/cgroup")
	if left, limited := AddressSpace(); limited && (!ok || left < bytes) {
		return left, true
	}
	return bytes, ok
}

// AddressSpace returns the bytes of addresses that a limit (ulimit -v) leaves this program; limited is false without
// one, or where the system does not tell.
func AddressSpace() (left int64, limited bool) { return addressSpace("/proc/self") }

// addressSpace is what a limit leaves of a process's addresses, in bytes; each byte of memory needs one.
func addressSpace(process string) (left int64, limited bool) {
	value := func(file, name string) (int64, error) {
		text, err := os.ReadFile(process + "/" + file)
		if err != nil {
			return 0, err
		}
		_, rest, _ := strings.Cut(string(text), name)
		words := strings.Fields(rest)
		if len(words) == 0 {
			return 0, strconv.ErrSyntax
		}
		return strconv.ParseInt(words[0], 10, 64) // no limit is the word "unlimited": an error here
	}
	limit, noLimit := value("limits", "Max address space")
	used, unknown := value("status", "VmSize:") // in kB
	if noLimit != nil || unknown != nil {
		return 0, false
	}
	return max(0, limit-used<<10), true
}

func freeMemory(meminfo, cgroup string) (bytes int64, ok bool) {
	text, err := os.ReadFile(meminfo)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) { // "MemAvailable:   20480 kB"
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemAvailable:" {
			if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				bytes, ok = kb<<10, true
			}
		}
	}
	number := func(file string) (int64, error) {
		text, err := os.ReadFile(cgroup + "/" + file)
		if err != nil {
			return 0, err
		}
		return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // no limit is the word "max": an error here
	}
	limit, noLimit := number("memory.max")
	used, unknown := number("memory.current")
	if noLimit == nil && unknown == nil {
		if left := max(0, limit-used); !ok || left < bytes {
			bytes, ok = left, true
		}
	}
	return bytes, ok
}
