package llamacpp

import (
	"testing"
	"time"

	"nl2sql/scripts/must"
)

// A number of threads that was chosen is the most that are used: beside others there are fewer, as with none chosen.
func TestChosenThreadsGiveWay(t *testing.T) {
	f := &fake{}
	m := openFake(t, f, Options{Threads: 2})
	for _, tt := range []struct {
		name       string
		processors int
		others     time.Duration // what they used in the last second
		want       int
	}{
		{"one processor is busy", 2, time.Second, 1},
		{"it is free again", 2, 0, 2},
		{"eight are free", 8, 0, 2},
		{"all are busy", 8, 8 * time.Second, 1},
	} {
		m.do(func() {
			now := time.Now()
			m.seen = activity{at: now.Add(-time.Second), processors: tt.processors}
			m.look = func() (activity, bool) {
				return activity{at: now, processors: tt.processors, busy: tt.others}, true
			}
			m.tune()
			m.look = unseen
		})
		must.Equal(t, f.threads, tt.want, tt.name)
	}
}
