package llamacpp

// drafter guesses how a text goes on: as it went on where its last tokens stood before. Queries repeat the names of a
// schema, the examples and the attempt before them. The zero value is an empty text.
type drafter struct {
	tokens []int32
	last   map[[2]int32]int32 // the end of a pair of tokens, where it stood last
	before []int32            // for each end of a pair, the end of the same pair before it; 0 means none
}

const (
	mostPlaces = 32 // places that guess looks at, the last first
	mostAlike  = 16 // tokens in front of a place that it compares
)

// newDrafter begins with a prompt.
func newDrafter(prompt []int32) *drafter {
	d := new(drafter)
	d.add(prompt...)
	return d
}

// add appends tokens to the text.
func (d *drafter) add(tokens ...int32) {
	if d.last == nil {
		d.last = make(map[[2]int32]int32, len(tokens))
		d.before = make([]int32, 1, len(tokens)+1)
	}
	for _, t := range tokens {
		d.tokens = append(d.tokens, t)
		n, before := len(d.tokens), int32(0)
		if n >= 2 {
			pair := [2]int32(d.tokens[n-2:])
			before, d.last[pair] = d.last[pair], int32(n)
		}
		d.before = append(d.before, before)
	}
}

// guess returns the n tokens that may come next, or none, and how many of the text's last tokens, 2 to mostAlike, stood
// in front of them before. Of several such places it takes the one with most, of these the last.
func (d *drafter) guess(n int) (draft []int32, alike int) {
	if len(d.tokens) < 2 || n <= 0 {
		return nil, 0
	}
	var place int
	at := d.before[len(d.tokens)]
	for range mostPlaces {
		if at == 0 || alike == mostAlike {
			break
		}
		if a := d.alike(int(at)); a > alike {
			place, alike = int(at), a
		}
		at = d.before[at]
	}
	if alike == 0 {
		return nil, 0
	}
	draft = make([]int32, n)
	copied := copy(draft, d.tokens[place:])
	for i := copied; i < n; i++ {
		draft[i] = draft[i-copied] // the text goes round
	}
	return draft, alike
}

// alike counts the tokens in front of a place that are the text's last, up to mostAlike.
func (d *drafter) alike(place int) (n int) {
	for n < min(place, mostAlike) && d.tokens[place-1-n] == d.tokens[len(d.tokens)-1-n] {
		n++
	}
	return n
}
