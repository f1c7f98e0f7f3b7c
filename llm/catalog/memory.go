package catalog

import (
	"strconv"
	"strings"

	"nl2sql/runner/files"
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
	limit, limited := number(process+"/limits", "Max address space")
	used, known := number(process+"/status", "VmSize:") // in kB
	return max(0, limit-used<<10), limited && known
}

// number is the one of a field of a file. The words "max" and "unlimited" of a limit that is not there are none.
func number(file, field string) (n int64, is bool) {
	text, _, _ := strings.Cut(files.Field(file, field), " ")
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// PeakMemory is the most memory that this process had, in bytes; see VmHWM in proc_pid_status(5).
func PeakMemory() int64 {
	kb, _ := number("/proc/self/status", "VmHWM:")
	return kb << 10
}

func freeMemory(meminfo, cgroup string) (bytes int64, ok bool) {
	if files.Field(meminfo, "") == "" {
		return 0, false // it is no Linux
	}
	kb, ok := number(meminfo, "MemAvailable:")
	bytes = kb << 10
	limit, limited := number(cgroup+"/memory.max", "")
	used, known := number(cgroup+"/memory.current", "")
	if limited && known {
		if left := max(0, limit-used); !ok || left < bytes {
			bytes, ok = left, true
		}
	}
	return bytes, ok
}
