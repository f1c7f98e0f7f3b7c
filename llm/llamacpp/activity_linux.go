package llamacpp

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// readActivity asks the system; not ok means that it does not tell.
func readActivity() (a activity, ok bool) {
	b, err := os.ReadFile("/proc/stat") // see proc_stat(5); the unit is a hundredth of a second
	if err != nil {
		return activity{}, false
	}
	var user, nice, system, idle, wait, irq, softirq, steal int64
	if _, err := fmt.Sscanf(string(b), "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq,
		&softirq, &steal); err != nil {
		return activity{}, false
	}
	var own unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &own); err != nil {
		return activity{}, false
	}
	a = activity{at: time.Now(), processors: strings.Count(string(b), "\ncpu"),
		busy: time.Duration(user+nice+system+irq+softirq+steal) * 10 * time.Millisecond,
		own:  time.Duration(own.Utime.Nano() + own.Stime.Nano())}
	return a, a.processors > 0
}
