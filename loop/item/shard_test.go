package item

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// Parts of any number follow each other, leave nothing out, and are as long as each other but for one item.
func TestShardBounds(t *testing.T) {
	for n := range 40 {
		for of := 1; of <= n; of++ {
			end := 0
			for i := range of {
				from, to := Shard{i + 1, of}.Bounds(n)
				if size := to - from; from != end || size != n/of && size != n/of+1 {
					t.Fatalf("%d items: part %d/%d is from %d to %d, after %d", n, i+1, of, from, to, end)
				}
				end = to
			}
			must.Have(t, end == n, n, "items", of, "parts end at", end)
		}
		if from, to := (Shard{}).Bounds(n); from != 0 || to != n {
			t.Fatalf("the whole of %d is from %d to %d", n, from, to)
		}
	}
}

func TestShardText(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/4": {2, 4}, "100/100": {100, 100}, "0+1/4": {1, 4},
		"3+1/4": {4, 4}} {
		var s Shard
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "/", "1", "1/", "/1", "0/3", "4/3", "-1/3", "1/-3", "1/2/3", "a/b", "1.5/3",
		" 1/3", "1/4294967296", "0/0", "4+1/4", "+1/4", "1+2/4", "0+1"} {
		s := Shard{7, 9}
		if err := s.UnmarshalText([]byte(text)); err == nil ||
			!strings.Contains(err.Error(), "is not possible: give I/N,") || s != (Shard{7, 9}) {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}
