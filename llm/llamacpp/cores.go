package llamacpp

import (
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// physicalCores counts the cores that this process may use, hyperthreads not counted: llama.cpp's threads gain
// nothing from them. Where Linux does not tell, it is the number of processors.
func physicalCores() int {
	may := runtime.GOMAXPROCS(0)
	// the pattern is right
	siblings, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list")
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

// threadsOf are the threads that were chosen; 0 stands for one a core.
func threadsOf(chosen int) int {
	if chosen == 0 {
		return physicalCores()
	}
	return chosen
}

// tune sets the number of threads to the cores that nothing else uses, and to no more than the user chose: what others
// used since it was looked at last is taken for what they use now. llama.cpp's threads wait for each other in busy
// loops, so one thread too many is much slower than one too few. The number changes the time only: TestThreadsAgree.
func (m *Model) tune() {
	if time.Since(m.seen.at) < 200*time.Millisecond { // the system counts in hundredths of a second
		return
	}
	now, ok := m.look()
	if ok && !m.seen.at.IsZero() {
		m.ctx.SetThreads(spare(m.seen, now, m.threads))
	}
	m.seen = now
}

// activity is what the machine's processors have done.
type activity struct {
	at         time.Time
	processors int
	busy, own  time.Duration // by all processes, and by this one
}

// spare returns how many threads to use, at least 1 and at most most, when others do what they did between two loads.
// Others that use less than a third of a processor count as none.
func spare(before, now activity, most int) int {
	others := ((now.busy - before.busy) - (now.own - before.own)).Seconds() / now.at.Sub(before.at).Seconds()
	return max(1, min(most, int(float64(now.processors)-others+0.33)))
}
