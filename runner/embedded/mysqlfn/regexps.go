package mysqlfn

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"nl2sql/runner/embedded/types"
)

// regexpFunctions are those with a position, an occurrence and flags. MySQL's expressions are ICU's; what Go's lack is
// refused.
var regexpFunctions = table{
	"like": {Slow: func(w *work, a []driver.Value) (driver.Value, error) {
		return boolean(like(w, str(a[0]), str(a[1]), rune(whole(a[2])), types.Collation(str(a[3])))), nil
	}},
	"regexp": {Slow: func(w *work, a []driver.Value) (driver.Value, error) {
		return boolean(sure(compile(str(a[1]), str(a[2]))).matches(w, str(a[0]))), nil
	}},
	"regexp_like": {Args: "sss", Opt: 1, Result: ToInt, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			flags := caseFlag(a)
			if len(a) == 4 {
				flags += str(a[2])
			}
			return boolean(sure(compile(str(a[1]), flags)).matches(w, str(a[0]))), nil
		}},
	"regexp_substr": {Args: "ssiis", Opt: 3, Result: FirstText, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			s, err := searchRegexp(w, "regexp_substr", a, 2, 1, 4)
			if err != nil || len(s.matches) == 0 {
				return nil, err
			}
			return s.rest[s.matches[0][0]:s.matches[0][1]], nil
		}},
	"regexp_instr": {Args: "ssiiis", Opt: 4, Result: ToInt, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			end := int64(0)
			if len(a) > 5 {
				if end = whole(a[4]); end != 0 && end != 1 {
					return nil, runtimeError{1210, "Incorrect arguments to regexp_instr: return_option must be 1 or 0."}
				}
			}
			s, err := searchRegexp(w, "regexp_instr", a, 2, 1, 5)
			if err != nil || len(s.matches) == 0 {
				return int64(0), err
			}
			return int64(utf8.RuneCountInString(s.before+s.rest[:s.matches[0][end]]) + 1), nil
		}},
	"regexp_replace": {Args: "sssiis", Opt: 3, Result: FirstText, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			s := sure(searchRegexp(w, "regexp_replace", a, 3, 0, 5))
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

// loneBrace is a brace that begins no repetition. Go takes it for itself, MySQL fails.
var loneBrace = regexp.MustCompile(`^[^\\\[{]*\{(?:[^0-9]|$)`)

// regexpRefused says what is wrong with an expression that Go does not take, and MySQL may.
func regexpRefused(pattern string, err error) error {
	why := "a { that begins no repetition"
	if se, ok := errors.AsType[*syntax.Error](err); ok {
		why = se.Code.String()
	}
	return refused("the regular expression %q (%s)", Clip(pattern), why)
}

// expression is a compiled regular expression.
type expression struct {
	*regexp.Regexp
	size  int  // instructions: what one character of a text may take
	edges int  // how often the places of a text are marked, see [markEdges]
	empty bool // it may match nothing
	// the same for texts of ASCII alone, where \b and \B are Go's; nil if it has none
	ascii *expression
}

// on is the expression that searches a text.
func (e *expression) on(text string) *expression {
	if e.ascii != nil && strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
		return e.ascii
	}
	return e
}

// maxPattern bounds a pattern, in bytes: compiled it takes a hundred times as much.
const maxPattern = 64 << 10

// maxMatches bounds what a search finds, each match with its groups.
const maxMatches = 500_000

// maxFind bounds a search for all matches, in instructions. Go's package cannot be stopped within one.
const maxFind = 100_000_000

var (
	expressions sync.Map     // flags and pattern → *expression
	kept        atomic.Int64 // instructions
)

// maxKept is how many instructions are kept before all expressions are dropped: a pattern may come from the data.
const maxKept = 200_000

// expression is what was written, compiled.
func (r *regexpWriter) expression(prefix string) (*expression, error) {
	if !r.write() {
		return nil, refused("the regular expression %q", Clip(r.pattern))
	}
	re, err := regexp.Compile(prefix + r.out.String())
	if err != nil {
		return nil, regexpRefused(r.pattern, err)
	}
	tree := sure(syntax.Parse(re.String(), syntax.Perl))
	prog := sure(syntax.Compile(tree.Simplify()))
	return &expression{Regexp: re, size: len(prog.Inst), edges: r.edges, empty: mayBeEmpty(tree)}, nil
}

// mayBeEmpty says that an expression may match nothing.
func mayBeEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !mayBeEmpty(sub) })
	case syntax.OpRepeat:
		return re.Min == 0 || mayBeEmpty(re.Sub[0])
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, mayBeEmpty)
	}
	return true
}

// matches says whether the expression is in a text. Long texts are given to it piece by piece, so that it can be
// stopped.
func (e *expression) matches(w *work, text string) bool {
	if e = e.on(text); e.edges > 0 {
		text = markEdges(text, e.edges)
	}
	if len(text)*e.size < stepsAtOnce {
		return e.MatchString(text)
	}
	return e.MatchReader(&steppedReader{strings.NewReader(text), w, e.size})
}

// steppedReader counts the steps that a regular expression takes.
type steppedReader struct {
	*strings.Reader
	w    *work
	size int
}

// ReadRune implements io.RuneReader.
func (r *steppedReader) ReadRune() (rune, int, error) {
	r.w.step(r.size)
	return r.Reader.ReadRune()
}

// regexpSearch is what an expression finds in a text.
type regexpSearch struct {
	re      *expression
	before  string // what is not searched
	rest    string
	matches [][]int // in rest, with groups
}

// searchRegexp searches a[0] for a[1] from the position a[at] on, and takes the occurrence a[at+1], 0 for all of them;
// the flags are a[flags]. What is left out is the beginning, occurrence and the collation's case.
func searchRegexp(w *work, name string, a []driver.Value, at int, occurrence int64,
	flags int) (s regexpSearch, err error) {
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
		pos := int64(int32(whole(args[at]))) // MySQL keeps 32 bits
		if pos < 1 && name != "regexp_instr" {
			return s, runtimeError{1583, fmt.Sprintf("Incorrect parameters in the call to native function '%s'", name)}
		}
		if pos < 0 || pos > int64(utf8.RuneCountInString(s.rest))+1 {
			return s, runtimeError{3686, "Index out of bounds in regular expression search."}
		} else if pos > 1 {
			if strings.ContainsAny(str(args[1]), "^") || strings.Contains(str(args[1]), `\A`) || s.re.edges > 0 {
				return s, refused("a regular expression with ^, \\A or \\b from a position on")
			}
			from := skip(s.rest, pos-1)
			s.before, s.rest = s.rest[:from], s.rest[from:]
		}
	}
	some := s.re.edges > 0 // a match that is not empty, or may be so
	s.re = s.re.on(s.rest)
	if len(args) > at+1 {
		occurrence = max(int64(int32(whole(args[at+1]))), min(occurrence, 1))
	}
	if float64(s.re.size)*float64(len(s.rest)) > maxFind {
		return s, refused("a search for a regular expression this large in a text this long")
	}
	most := maxMatches / (1 + s.re.NumSubexp())
	wanted := most + 1
	if occurrence > 0 {
		wanted = int(min(int64(wanted), occurrence))
	}
	if strings.TrimRight(s.rest, "\n\v\f\r\u0085\u2028\u2029") != s.rest && strings.Contains(s.re.String(), `\z`) {
		return s, refused("a search for a regular expression with $ in a text that ends with a line's end")
	}
	in := s.rest
	if s.re.edges > 0 {
		in = markEdges(in, 2*s.re.edges) // two matches may meet at a place
	}
	s.matches = s.re.FindAllStringSubmatchIndex(in, wanted)
	if s.re.edges > 0 {
		for _, m := range s.matches {
			for i, place := range m {
				m[i] = unmarked(in, place)
			}
		}
	}
	some = some || slices.ContainsFunc(s.matches, func(m []int) bool { return m[1] > m[0] })
	switch {
	case wanted > 1 && s.re.empty && some && (name != "regexp_replace" || str(args[2]) != ""):
		return s, refused("a search for more than one match of a regular expression that may match nothing")
	case len(s.matches) > most:
		return s, refused("a search for a regular expression with more than %d matches", most)
	case occurrence > int64(len(s.matches)):
		s.matches = nil
	case occurrence > 0:
		s.matches = s.matches[occurrence-1 : occurrence]
	}
	return s, nil
}

var regexpGroup = regexp.MustCompile(`\$(\d)`)

// compile reads a MySQL regular expression; flags are those of REGEXP_LIKE, the last one of a kind counts.
func compile(pattern, flags string) (*expression, error) {
	key := flags + "/" + pattern
	if re, ok := expressions.Load(key); ok {
		return re.(*expression), nil
	}
	prefix := ""
	fold := false
	for _, f := range flags {
		switch f {
		case 'i', 'c':
			fold = f == 'i'
		case 'm', 'n':
			prefix += map[rune]string{'m': "m", 'n': "s"}[f]
		default:
			return nil, runtimeError{1210, "Incorrect arguments to regexp_like"}
		}
	}
	if fold {
		prefix += "i"
	}
	if prefix != "" {
		prefix = "(?" + prefix + ")"
	}
	if len(pattern) > maxPattern {
		return nil, refused("a regular expression of more than %d bytes", maxPattern)
	}
	if pattern == "" {
		return nil, runtimeError{3685, "Illegal argument to a regular expression."}
	}
	known := strings.NewReplacer(`\h`, `\s`, `\R`, `\s`, `\u`, `u`).Replace(pattern)
	if _, err := syntax.Parse(known, syntax.Perl); err != nil || loneBrace.MatchString(pattern) {
		return nil, regexpRefused(pattern, err)
	}
	w := regexpWriter{pattern: pattern, fold: fold, dotAll: strings.Contains(prefix, "s"),
		lines: strings.Contains(prefix, "m")}
	plain := w
	e := sure(w.expression(prefix))
	size := e.size
	if plain.plain = e.edges > 0; plain.plain {
		e.ascii = sure(plain.expression(prefix))
		size += e.ascii.size
		e.empty = e.ascii.empty
	}
	if kept.Add(int64(size)) > maxKept {
		expressions.Clear()
		kept.Store(int64(size))
	}
	expressions.Store(key, e)
	return e, nil
}

// caseFlag says whether case counts in the collation that is the last argument.
func caseFlag(a []driver.Value) string {
	if types.Collation(str(a[len(a)-1])).Binary() {
		return "c"
	}
	return "i"
}
