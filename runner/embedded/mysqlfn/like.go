package mysqlfn

import (
	"database/sql/driver"
	"unicode/utf8"

	"nl2sql/runner/embedded/types"
)

// locate is the 1-based place of a text in another, by collation; 0 if it is not in it. As MySQL does, it compares parts with
// as many bytes as what is looked for has, so an e is not found where an é stands, but an É is.
// Source: my_instr_mb in strings/ctype-mb.cc.
func locate(w *work, what, in string, from int64, c types.Collation) driver.Value {
	if c == types.CollSwedish { // each of its characters is one byte
		return locateRunes(w, what, in, from, c)
	}
	place := int64(1)
	for i := 0; from >= 1 && i+len(what) <= len(in); place++ {
		w.step(1 + len(what)/8)
		part := in[i : i+len(what)]
		if place >= from && (part == what || utf8.ValidString(part) && compareTexts(c, part, what) == 0) {
			return place
		}
		_, size := utf8.DecodeRuneInString(in[i:])
		i += max(size, 1)
	}
	return int64(0)
}

// locateRunes is locate, character by character.
func locateRunes(w *work, what, in string, from int64, c types.Collation) driver.Value {
	r, seek := []rune(in), []rune(what)
	for i := max(from, 1) - 1; from >= 1 && i+int64(len(seek)) <= int64(len(r)); i++ {
		w.step(1 + len(seek))
		if sameRunes(c, r[i:i+int64(len(seek))], seek) {
			return i + 1
		}
	}
	return int64(0)
}

func sameRunes(c types.Collation, a, b []rune) bool {
	for i := range a {
		if a[i] != b[i] && compareWeights(appendRune(c, nil, a[i]), appendRune(c, nil, b[i])) != 0 {
			return false
		}
	}
	return true
}

// like matches MySQL's LIKE, character by character in the collation.
func like(w *work, s, pattern string, escape rune, c types.Collation) bool {
	return likeRunes(w, []rune(s), []rune(pattern), escape, c)
}

func likeRunes(w *work, s, p []rune, escape rune, c types.Collation) bool {
	// star and mark are where to go on after the last % when a match fails.
	si, pi, star, mark := 0, 0, -1, 0
	for si < len(s) {
		w.step(1)
		literal := pi < len(p) && p[pi] == escape && escape != 0 && pi+1 < len(p)
		switch {
		case !literal && pi < len(p) && p[pi] == '%':
			star, mark = pi, si
			pi++
			continue
		case literal && sameRunes(c, s[si:si+1], p[pi+1:pi+2]):
			si, pi = si+1, pi+2
			continue
		case !literal && pi < len(p) && (p[pi] == '_' || sameRunes(c, s[si:si+1], p[pi:pi+1])):
			si, pi = si+1, pi+1
			continue
		case star < 0:
			return false
		}
		mark++
		si, pi = mark, star+1
	}
	for pi < len(p) && p[pi] == '%' {
		pi++
	}
	return pi == len(p)
}
