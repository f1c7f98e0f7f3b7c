//go:build cgo && llamacpp

package llamacpp

/*
#include "limits.h"
*/
import "C"

// Limits are what this machine does at most, with the kernels in use, on so many threads.
type Limits struct {
	Reading  float64 `json:"bytes_read_per_second"` // of memory as large as the weights
	Products float64 `json:"products_per_second"`   // of bytes, each added to a sum
}

// MeasureLimits measures them for about a second; bytes is how many weights there are to read. threads 0 means all cores.
func MeasureLimits(threads int, bytes int64) Limits {
	if threads == 0 {
		threads = physicalCores()
	}
	const most = 1 << 30 // no cache holds that much
	return Limits{
		Reading:  float64(C.nl2sql_limit_reading(C.int32_t(threads), C.size_t(min(bytes, most)), 0.5)),
		Products: float64(C.nl2sql_limit_products(C.int32_t(threads), 0.3)),
	}
}
