package main

// random is SplitMix64 (Steele, Lea, Flood 2014). It is written out so that the committed
// database does not depend on the algorithms of a library version.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// n returns a number in [0,max).
func (r *random) n(max int) int { return int(r.next() % uint64(max)) }

// between returns a number in [lo,hi].
func (r *random) between(lo, hi int) int { return lo + r.n(hi-lo+1) }

// chance is true percent times in a hundred.
func (r *random) chance(percent int) bool { return r.n(100) < percent }

func pick[T any](r *random, list []T) T { return list[r.n(len(list))] }

func shuffle[T any](r *random, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.n(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
