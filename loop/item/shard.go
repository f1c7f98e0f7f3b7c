package item

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Of parts of a list of items, counted from 1, as 2/4 is in text. The zero value is the whole list.
//
// A part is items that follow each other, and parts differ by one item at most. Lists keep the items of a database
// together, so parts do, and prompts share beginnings in a part as they do in the whole; with every Of-th item each
// part would read every schema.
type Shard struct{ I, Of int }

// Bounds are the places of a list of n items that the part takes: from, and before to.
func (s Shard) Bounds(n int) (from, to int) {
	if s == (Shard{}) {
		return 0, n
	}
	return n * (s.I - 1) / s.Of, n * s.I / s.Of
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.Of) }

// MarshalText writes what [Shard.UnmarshalText] reads.
func (s Shard) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads I/N, or K+1/N where K counts from 0, as the indices of a Kubernetes Job do: no shell is there to
// add one.
func (s *Shard) UnmarshalText(text []byte) error {
	i, of, _ := strings.Cut(string(text), "/")
	i, fromZero := strings.CutSuffix(i, "+1")
	part, err := strconv.ParseUint(i, 10, 31)
	all, err2 := strconv.ParseUint(of, 10, 31)
	if fromZero {
		part++
	}
	if err != nil || err2 != nil || part == 0 || part > all {
		return fmt.Errorf("%s is not possible: give I/N, the part and how many there are, such as 2/4, or 1+1/4 "+
			"where the first is 0", text)
	}
	*s = Shard{int(part), int(all)}
	return nil
}
