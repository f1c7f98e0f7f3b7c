package embedded

import (
	"database/sql/driver"
	"regexp"
	"strings"
	"unicode/utf8"
)

// regexpFunctions are those with a position, an occurrence and flags. MySQL's expressions are ICU's; what Go's lack is refused.
var regexpFunctions = map[string]function{
	"regexp_substr": {args: "ssiis", opt: 3, result: firstText, coll: true, impl: func(a []driver.Value) (driver.Value, error) {
		s, err := searchRegexp(a, 2, 1, 4)
		if err != nil || len(s.matches) == 0 {
			return nil, err
		}
		return s.rest[s.matches[0][0]:s.matches[0][1]], nil
	}},
	"regexp_instr": {args: "ssiiis", opt: 4, result: toInt, coll: true, impl: func(a []driver.Value) (driver.Value, error) {
		end := int64(0)
		if len(a) > 5 {
			if end = whole(a[4]); end != 0 && end != 1 {
				return nil, runtimeError{1210, "Incorrect arguments to regexp_instr: return_option must be 1 or 0."}
			}
		}
		s, err := searchRegexp(a, 2, 1, 5)
		if err != nil || len(s.matches) == 0 {
			return int64(0), err
		}
		return int64(utf8.RuneCountInString(s.before+s.rest[:s.matches[0][end]]) + 1), nil
	}},
	"regexp_replace": {args: "sssiis", opt: 3, result: firstText, coll: true, impl: func(a []driver.Value) (driver.Value, error) {
		s, err := searchRegexp(a, 3, 0, 5)
		if err != nil {
			return nil, err
		}
		with := regexpGroup.ReplaceAllString(strings.ReplaceAll(str(a[2]), "\\", ""), "$${$1}")
		out := []byte(s.before)
		at := 0
		for _, m := range s.matches {
			out = s.re.ExpandString(append(out, s.rest[at:m[0]]...), with, s.rest, m)
			if at = m[1]; len(out) > maxText {
				return nil, tooLong()
			}
		}
		return string(out) + s.rest[at:], nil
	}},
}

// regexpSearch is what an expression finds in a text.
type regexpSearch struct {
	re      *regexp.Regexp
	before  string // what is not searched
	rest    string
	matches [][]int // in rest, with groups
}

// searchRegexp searches a[0] for a[1] from the position a[at] on, and takes the occurrence a[at+1], 0 for all of them; the flags are
// a[flags]. What is left out is the beginning, occurrence and the collation's case.
func searchRegexp(a []driver.Value, at int, occurrence int64, flags int) (s regexpSearch, err error) {
	args := a[:len(a)-1] // the last one is the collation
	match := caseFlag(a)
	if len(args) > flags {
		match += str(args[flags])
	}
	if s.re, err = compile(str(args[1]), match); err != nil {
		return s, err
	}
	s.rest = str(args[0])
	if len(args) > at {
		pos := whole(args[at])
		if runes := []rune(s.rest); pos < 1 || pos > int64(len(runes))+1 {
			return s, runtimeError{3686, "Index out of bounds in regular expression search."}
		} else if pos > 1 {
			if strings.ContainsAny(str(args[1]), `^\`) {
				return s, refused("a regular expression with ^ or \\ from a position on")
			}
			s.before, s.rest = string(runes[:pos-1]), string(runes[pos-1:])
		}
	}
	if len(args) > at+1 {
		occurrence = max(whole(args[at+1]), min(occurrence, 1))
	}
	s.matches = s.re.FindAllStringSubmatchIndex(s.rest, -1)
	switch {
	case occurrence > int64(len(s.matches)):
		s.matches = nil
	case occurrence > 0:
		s.matches = s.matches[occurrence-1 : occurrence]
	}
	return s, nil
}
