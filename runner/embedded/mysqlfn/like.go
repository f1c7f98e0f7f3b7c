package mysqlfn

import (
	"database/sql/driver"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/embedded/types"
)

// locate is the 1-based place of a text in another, by collation; 0 if it is not in it. As MySQL does, it compares
// parts with as many bytes as what is looked for has, so an e is not found where an é stands, but an É is.
// Source: my_instr_mb in strings/ctype-mb.cc.
func locate(w *work, what, in string, from int64, c types.Collation) driver.Value {
	if c == types.CollSwedish { // each of its characters is one byte
		return locateRunes(w, what, in, from, c)
	}
	halves := c == types.CollAI || c == types.CollUnicode || c == types.CollUnicode520 // are left out at the end
	place := int64(1)
	for i := 0; from >= 1 && i+len(what) <= len(in); place++ {
		w.step(1 + len(what)/8)
		part := in[i : i+len(what)]
		for n := 1; halves && n < utf8.UTFMax && part != "" && !utf8.ValidString(part); n++ {
			part = part[:len(part)-1]
		}
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
		if slices.EqualFunc(r[i:i+int64(len(seek))], seek, func(a, b rune) bool { return sameRune(c, a, b) }) {
			return i + 1
		}
	}
	return int64(0)
}

func sameRune(c types.Collation, a, b rune) bool {
	return a == b || slices.Equal(appendRune(c, nil, a), appendRune(c, nil, b))
}

// like matches MySQL's LIKE, character by character in the collation.
func like(w *work, s, pattern string, escape rune, c types.Collation) bool {
	if c == types.CollBytes { // byte by byte
		s, pattern = letters(s, 0), letters(pattern, 0)
	}
	// star and mark are where to go on after the last % when a match fails.
	si, pi, star, mark := 0, 0, -1, 0
	for si < len(s) {
		w.step(1)
		sr, size := utf8.DecodeRuneInString(s[si:])
		pr, wide := utf8.DecodeRuneInString(pattern[pi:])
		literal := wide > 0 && pr == escape && escape != 0 && pi+wide < len(pattern)
		if literal {
			pi += wide
			pr, wide = utf8.DecodeRuneInString(pattern[pi:])
		}
		switch {
		case !literal && wide > 0 && pr == '%':
			star, mark = pi, si
			pi += wide
			continue
		case wide > 0 && (!literal && pr == '_' || sameRune(c, sr, pr)):
			si, pi = si+size, pi+wide
			continue
		case star < 0:
			return false
		}
		_, size = utf8.DecodeRuneInString(s[mark:])
		mark += size
		si, pi = mark, star+1
	}
	return strings.Trim(pattern[pi:], "%") == ""
}

func substringIndex(a []driver.Value) (driver.Value, error) {
	s, sep, n := str(a[0]), str(a[1]), whole(a[2])
	if sep == "" || n == 0 {
		return "", nil
	}
	if n < 0 && len(sep) < 64 && !overlaps(sep) {
		end := len(s)
		for ; n < 0; n++ {
			at := strings.LastIndex(s[:end], sep)
			if at < 0 {
				return s, nil
			}
			end = at
		}
		return s[end+len(sep):], nil
	}
	from := n // the separator that the part ends before, or begins behind; from 1 on
	if n < 0 {
		from += int64(strings.Count(s, sep)) + 1
	}
	if from <= 0 {
		return s, nil
	}
	at := 0
	for i := int64(0); i < from; i++ {
		next := strings.Index(s[at:], sep)
		if next < 0 {
			return s, nil
		}
		at += next + len(sep)
	}
	if n < 0 {
		return s[at:], nil
	}
	return s[:at-len(sep)], nil
}

// overlaps says that a short text can begin within itself, so that where it stands in another one depends on the side
// it is looked for from.
func overlaps(s string) bool {
	for i := 1; i < len(s); i++ {
		if strings.HasPrefix(s, s[i:]) {
			return true
		}
	}
	return false
}
