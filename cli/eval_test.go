package cli

import (
	"testing"
	"time"

	"nl2sql/scripts/must"
)

func TestProgressText(t *testing.T) {
	for _, tt := range []struct {
		done, total, made int
		took              time.Duration
		want              string
	}{
		{0, 328, 0, 0, "0 of 328 items  0 %"},
		{82, 328, 0, time.Minute, "82 of 328 items  25 %"}, // gone on with, none made yet
		{92, 328, 10, 20 * time.Second, "92 of 328 items  28 %  30.0 a minute  7m52s left"},
		{328, 328, 10, 20 * time.Second, "328 of 328 items  100 %  30.0 a minute  0s left"},
		{0, 0, 0, 0, "0 of 0 items  0 %"},
	} {
		must.Equal(t, progressText(tt.done, tt.total, tt.made, tt.took), tt.want)
	}
}
