package embedded

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"database/sql/driver"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text1 wraps a function of one text.
func text1(f func(s string) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) { return f(str(a[0])), nil }
}

var textFunctions = map[string]function{
	"concat":    {args: "s", variadic: true, result: toText, impl: concat},
	"concat_ws": {args: "ss", variadic: true, result: toText, nulls: true, impl: concatWS},
	"upper":     {args: "s", result: firstText, impl: text1(func(s string) driver.Value { return strings.ToUpper(s) })},
	"ucase":     {args: "s", result: firstText, alias: "upper"},
	"lower":     {args: "s", result: firstText, impl: text1(func(s string) driver.Value { return strings.ToLower(s) })},
	"lcase":     {args: "s", result: firstText, alias: "lower"},
	"length":    {args: "s", result: toInt, impl: text1(func(s string) driver.Value { return int64(len(s)) })},

	"octet_length":     {args: "s", result: toInt, alias: "length"},
	"char_length":      {args: "s", result: toInt, impl: text1(func(s string) driver.Value { return int64(utf8.RuneCountInString(s)) })},
	"character_length": {args: "s", result: toInt, alias: "char_length"},
	"bit_length":       {args: "s", result: toInt, impl: text1(func(s string) driver.Value { return int64(8 * len(s)) })},

	"substring": {args: "sii", opt: 1, result: firstText, impl: substring},
	"substr":    {args: "sii", opt: 1, result: firstText, alias: "substring"},
	"mid":       {args: "sii", opt: 1, result: firstText, alias: "substring"},
	"left": {args: "si", result: firstText, impl: func(a []driver.Value) (driver.Value, error) {
		r := []rune(str(a[0]))
		return string(r[:min(max(whole(a[1]), 0), int64(len(r)))]), nil
	}},
	"right": {args: "si", result: firstText, impl: func(a []driver.Value) (driver.Value, error) {
		r := []rune(str(a[0]))
		return string(r[int64(len(r))-min(max(whole(a[1]), 0), int64(len(r))):]), nil
	}},
	"ltrim": {args: "s", result: firstText, impl: text1(func(s string) driver.Value { return strings.TrimLeft(s, " ") })},
	"rtrim": {args: "s", result: firstText, impl: text1(func(s string) driver.Value { return strings.TrimRight(s, " ") })},
	"lpad":  {args: "sis", result: firstText, impl: pad(true)},
	"rpad":  {args: "sis", result: firstText, impl: pad(false)},
	"replace": {args: "sss", result: toText, impl: func(a []driver.Value) (driver.Value, error) {
		if str(a[1]) == "" {
			return a[0], nil
		}
		text, old, with := str(a[0]), str(a[1]), str(a[2])
		if len(with) > len(old) && len(text)+strings.Count(text, old)*(len(with)-len(old)) > maxText {
			return nil, tooLong()
		}
		return strings.ReplaceAll(text, old, with), nil
	}},
	"reverse": {args: "s", result: firstText, impl: text1(func(s string) driver.Value {
		r := []rune(s)
		slices.Reverse(r)
		return string(r)
	})},
	"repeat": {args: "si", result: firstText, impl: func(a []driver.Value) (driver.Value, error) {
		return repeat(str(a[0]), whole(a[1]))
	}},
	"space": {args: "i", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) { return repeat(" ", whole(a[0])) }},
	"instr": {args: "ss", result: toInt, coll: true, slow: func(w *work, a []driver.Value) (driver.Value, error) {
		return locate(w, str(a[1]), str(a[0]), 1, collation(str(a[2]))), nil
	}},
	"locate": {args: "ssi", opt: 1, result: toInt, coll: true, slow: func(w *work, a []driver.Value) (driver.Value, error) {
		from := int64(1)
		if len(a) == 4 {
			from = whole(a[2])
		}
		return locate(w, str(a[0]), str(a[1]), from, collation(str(a[len(a)-1]))), nil
	}},
	"position": {args: "ss", result: toInt, coll: true, alias: "locate"},
	"ascii": {args: "s", result: toInt, impl: text1(func(s string) driver.Value {
		if s == "" {
			return int64(0)
		}
		return int64(s[0])
	})},
	"ord": {args: "s", result: toInt, impl: text1(func(s string) driver.Value {
		_, size := utf8.DecodeRuneInString(s)
		n := int64(0)
		for _, b := range []byte(s[:size]) {
			n = n<<8 | int64(b)
		}
		return n
	})},
	"hex": {args: "e", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		switch v := a[0].(type) {
		case int64:
			return strings.ToUpper(strconv.FormatUint(uint64(v), 16)), nil
		case float64:
			return strings.ToUpper(strconv.FormatUint(uint64(whole(v)), 16)), nil
		}
		return strings.ToUpper(hex.EncodeToString([]byte(str(a[0])))), nil
	}},
	"bin": {args: "i", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		return strconv.FormatUint(uint64(whole(a[0])), 2), nil
	}},
	"oct": {args: "i", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		return strconv.FormatUint(uint64(whole(a[0])), 8), nil
	}},
	"conv": {args: "sii", result: toPlain, impl: conv},
	"field": {args: "ss", variadic: true, result: toInt, nulls: true, coll: true, impl: func(a []driver.Value) (driver.Value, error) {
		c := collation(str(a[len(a)-1]))
		for i, v := range a[1 : len(a)-1] {
			if a[0] != nil && v != nil && c.compare(str(a[0]), str(v)) == 0 {
				return int64(i + 1), nil
			}
		}
		return int64(0), nil
	}},
	"elt": {args: "is", variadic: true, result: toText, nulls: true, impl: func(a []driver.Value) (driver.Value, error) {
		if n := whole(a[0]); a[0] != nil && n >= 1 && n < int64(len(a)) {
			return a[n], nil
		}
		return nil, nil
	}},
	"find_in_set": {args: "ss", result: toInt, coll: true, slow: func(w *work, a []driver.Value) (driver.Value, error) {
		c := collation(str(a[2]))
		if str(a[1]) == "" {
			return int64(0), nil
		}
		for i, part := range strings.Split(str(a[1]), ",") {
			w.step(1 + len(part))
			if c.compare(part, str(a[0])) == 0 {
				return int64(i + 1), nil
			}
		}
		return int64(0), nil
	}},
	"substring_index": {args: "ssi", result: firstText, impl: substringIndex},
	"insert_func": {args: "siis", result: firstText, impl: func(a []driver.Value) (driver.Value, error) {
		s, pos, n := str(a[0]), whole(a[1]), whole(a[2])
		r := []rune(s)
		if pos < 1 || pos > int64(len(s)) || pos > int64(len(r))+1 { // MySQL counts bytes first: behind the end of 'É' it appends
			return s, nil
		}
		end := int64(len(r))
		if n >= 0 && pos-1+n < end {
			end = pos - 1 + n
		}
		return string(r[:pos-1]) + str(a[3]) + string(r[end:]), nil
	}},
	"quote": {args: "s", result: quoted, nulls: true, impl: func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return "NULL", nil
		}
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`, "\x1a", `\Z`).Replace(str(a[0])) + "'", nil
	}},
	"md5": {args: "s", result: toPlain, impl: text1(func(s string) driver.Value { return fmt.Sprintf("%x", md5.Sum([]byte(s))) })},
	"sha": {args: "s", result: toPlain, alias: "sha1"},
	"sha1": {args: "s", result: toPlain, impl: text1(func(s string) driver.Value {
		return fmt.Sprintf("%x", sha1.Sum([]byte(s)))
	})},
	"sha2": {args: "si", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		b := []byte(str(a[0]))
		switch whole(a[1]) {
		case 0, 256:
			return fmt.Sprintf("%x", sha256.Sum256(b)), nil
		case 224:
			return fmt.Sprintf("%x", sha256.Sum224(b)), nil
		case 384:
			return fmt.Sprintf("%x", sha512.Sum384(b)), nil
		case 512:
			return fmt.Sprintf("%x", sha512.Sum512(b)), nil
		}
		return nil, nil
	}},
	"crc32": {args: "s", result: toInt, impl: text1(func(s string) driver.Value { return int64(crc32.ChecksumIEEE([]byte(s))) })},
	"to_base64": {args: "s", result: toPlain, impl: text1(func(s string) driver.Value {
		text := base64.StdEncoding.EncodeToString([]byte(s))
		var lines []string
		for len(text) > 76 {
			lines, text = append(lines, text[:76]), text[76:]
		}
		return strings.Join(append(lines, text), "\n")
	})},
	"unhex": {args: "s", result: toBlob, impl: text1(func(s string) driver.Value {
		if len(s)%2 == 1 {
			s = "0" + s
		}
		b, err := hex.DecodeString(s)
		if err != nil {
			return nil
		}
		return b
	})},
	"from_base64": {args: "s", result: toBlob, impl: text1(func(s string) driver.Value {
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
		if err != nil {
			return nil
		}
		return b
	})},
	"char_func": {args: "e", variadic: true, result: toBlob, nulls: true, impl: func(a []driver.Value) (driver.Value, error) {
		var b []byte
		for _, v := range a {
			if v == nil {
				continue
			}
			n := uint32(whole(v))
			code := binary.BigEndian.AppendUint32(nil, n)
			for len(code) > 1 && code[0] == 0 {
				code = code[1:]
			}
			b = append(b, code...)
		}
		return b, nil
	}},
	"export_set": {args: "isssi", opt: 2, result: toText, impl: func(a []driver.Value) (driver.Value, error) {
		separator, bits := ",", int64(64)
		if len(a) > 3 {
			separator = str(a[3])
		}
		if len(a) > 4 && whole(a[4]) >= 0 {
			bits = min(whole(a[4]), 64)
		}
		parts := make([]string, bits)
		for i := range parts {
			parts[i] = str(a[2])
			if uint64(whole(a[0]))>>i&1 == 1 {
				parts[i] = str(a[1])
			}
		}
		if bits*int64(len(str(a[1]))+len(str(a[2]))+len(separator)) > maxText {
			return nil, tooLong()
		}
		return strings.Join(parts, separator), nil
	}},
	"make_set": {args: "is", variadic: true, result: toText, nulls: true, impl: func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return nil, nil
		}
		var parts []string
		for i, v := range a[1:] {
			if v != nil && i < 64 && uint64(whole(a[0]))>>i&1 == 1 {
				parts = append(parts, str(v))
			}
		}
		return strings.Join(parts, ","), nil
	}},
	"inet_aton": {args: "s", result: toInt, impl: text1(inetAton)},
	"inet_ntoa": {args: "i", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		n := whole(a[0])
		if n < 0 || n > 1<<32-1 {
			return nil, nil
		}
		return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(n)))).String(), nil
	}},
	"is_ipv4": {args: "s", result: toInt, nulls: true, impl: func(a []driver.Value) (driver.Value, error) {
		return boolean(isIPv4(str(a[0]))), nil
	}},
	"soundex": {args: "s", result: firstText, impl: text1(func(s string) driver.Value { return soundex(s) })},
	"format":  {args: "nis", opt: 1, result: toPlain, nulls: true, impl: format},
	"regexp_like": {args: "sss", opt: 1, result: toInt, coll: true, slow: func(w *work, a []driver.Value) (driver.Value, error) {
		flags := caseFlag(a)
		if len(a) == 4 {
			flags += str(a[2])
		}
		re, err := compile(str(a[1]), flags)
		if err != nil {
			return nil, err
		}
		return boolean(re.matches(w, str(a[0]))), nil
	}},
}

var regexpGroup = regexp.MustCompile(`\$(\d)`)

func init() {
	functions["insert"] = function{args: "siis", result: firstText, alias: "insert_func"}
	helpers["trim"] = func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil || a[1] == nil {
			return nil, nil
		}
		s, what, side := str(a[0]), str(a[1]), str(a[2])
		if what == "" {
			return s, nil
		}
		for side != "TRAILING" && strings.HasPrefix(s, what) {
			s = s[len(what):]
		}
		for side != "LEADING" && strings.HasSuffix(s, what) {
			s = s[:len(s)-len(what)]
		}
		return s, nil
	}
}

// quoted is the type of QUOTE: of the literal NULL it makes bytes.
func quoted(args []val) typ {
	if args[0].typ.k == kNull {
		return toBlob(args)
	}
	return firstText(args)
}

// inetAton reads an IPv4 address, also one with fewer than four parts, the last of which stand for the missing ones.
func inetAton(s string) driver.Value {
	parts := strings.Split(s, ".")
	n := int64(0)
	for _, p := range parts {
		b, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(parts) > 4 {
			return nil
		}
		n = n<<8 | int64(b)
	}
	if missing := 4 - len(parts); missing > 0 && missing < 3 { // 127.1 is 127.0.0.1, and a single number is itself
		last := n & 255
		n = (n-last)<<(8*missing) | last
	}
	return n
}

// isIPv4 is IS_IPV4, which lets zeros stand before a number.
func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 8); err != nil || len(p) > 3 {
			return false
		}
	}
	return len(parts) == 4
}

func concat(a []driver.Value) (driver.Value, error) {
	var b strings.Builder
	for _, v := range a {
		b.WriteString(str(v))
	}
	return b.String(), nil
}

func concatWS(a []driver.Value) (driver.Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	var parts []string
	for _, v := range a[1:] {
		if v != nil {
			parts = append(parts, str(v))
		}
	}
	return strings.Join(parts, str(a[0])), nil
}

func substring(a []driver.Value) (driver.Value, error) {
	r := []rune(str(a[0]))
	n := int64(len(r))
	pos, length := whole(a[1]), n
	if len(a) > 2 {
		length = whole(a[2])
	}
	if pos < 0 {
		pos += n + 1
	}
	if pos < 1 || pos > n || length < 1 {
		return "", nil
	}
	return string(r[pos-1 : min(pos-1+min(length, n), n)]), nil
}

func pad(left bool) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		s, n, with := []rune(str(a[0])), whole(a[1]), []rune(str(a[2]))
		switch {
		case n < 0:
			return nil, nil
		case n > maxText:
			return nil, tooLong()
		case n <= int64(len(s)):
			return string(s[:n]), nil
		case len(with) == 0:
			return "", nil
		}
		fill := make([]rune, n-int64(len(s)))
		for i := range fill {
			fill[i] = with[i%len(with)]
		}
		if left {
			return string(fill) + string(s), nil
		}
		return string(s) + string(fill), nil
	}
}

func repeat(s string, n int64) (driver.Value, error) {
	if n < 1 || s == "" {
		return "", nil
	}
	if n > maxText/int64(len(s)) {
		return nil, tooLong()
	}
	return strings.Repeat(s, int(n)), nil
}

// locate is the 1-based place of a text in another, by collation; 0 if it is not in it. As MySQL does, it compares parts with
// as many bytes as what is looked for has, so an e is not found where an é stands, but an É is.
// Source: my_instr_mb in strings/ctype-mb.cc.
func locate(w *work, what, in string, from int64, c collation) driver.Value {
	if c == collSwedish { // each of its characters is one byte
		return locateRunes(w, what, in, from, c)
	}
	place := int64(1)
	for i := 0; from >= 1 && i+len(what) <= len(in); place++ {
		w.step(1 + len(what)/8)
		part := in[i : i+len(what)]
		if place >= from && (part == what || utf8.ValidString(part) && c.compare(part, what) == 0) {
			return place
		}
		_, size := utf8.DecodeRuneInString(in[i:])
		i += max(size, 1)
	}
	return int64(0)
}

// locateRunes is locate, character by character.
func locateRunes(w *work, what, in string, from int64, c collation) driver.Value {
	r, seek := []rune(in), []rune(what)
	for i := max(from, 1) - 1; from >= 1 && i+int64(len(seek)) <= int64(len(r)); i++ {
		w.step(1 + len(seek))
		if sameRunes(c, r[i:i+int64(len(seek))], seek) {
			return i + 1
		}
	}
	return int64(0)
}

func sameRunes(c collation, a, b []rune) bool {
	for i := range a {
		if a[i] != b[i] && compareWeights(c.appendRune(nil, a[i]), c.appendRune(nil, b[i])) != 0 {
			return false
		}
	}
	return true
}

// conv writes a number in another base.
func conv(a []driver.Value) (driver.Value, error) {
	from, to := whole(a[1]), whole(a[2])
	signed := to < 0
	from, to = max(from, -from), max(to, -to)
	if from < 2 || from > 36 || to < 2 || to > 36 {
		return nil, nil
	}
	s := strings.ToLower(strings.TrimSpace(str(a[0])))
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(s, "+-")
	end := 0
	for end < len(s) {
		digit := strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyz", s[end])
		if digit < 0 || int64(digit) >= from {
			break
		}
		end++
	}
	n, err := strconv.ParseUint("0"+s[:end], int(from), 64)
	if err != nil {
		n = 1<<64 - 1
	}
	if negative {
		n = -n
	}
	if signed {
		return strings.ToUpper(strconv.FormatInt(int64(n), int(to))), nil
	}
	return strings.ToUpper(strconv.FormatUint(n, int(to))), nil
}

func substringIndex(a []driver.Value) (driver.Value, error) {
	s, sep, n := str(a[0]), str(a[1]), whole(a[2])
	if sep == "" || n == 0 {
		return "", nil
	}
	parts := strings.Split(s, sep)
	count := int64(len(parts))
	switch {
	case n > 0 && n < count:
		return strings.Join(parts[:n], sep), nil
	case n < 0 && -n < count:
		return strings.Join(parts[count+n:], sep), nil
	}
	return s, nil
}

// soundex is MySQL's, which does not stop at four characters.
func soundex(s string) string {
	const codes = "01230120022455012623010202"
	var b strings.Builder
	last := byte(0)
	size := 0
	for _, r := range s {
		if r < utf8.RuneSelf && !unicode.IsLetter(r) {
			continue
		}
		code := byte('0')
		if r < utf8.RuneSelf {
			r = unicode.ToUpper(r)
			code = codes[r-'A']
		}
		switch {
		case size == 0:
			b.WriteRune(r)
			last = code
		case code == '0' || code == last:
			continue
		default:
			b.WriteByte(code)
			last = code
		}
		size++
	}
	for ; size > 0 && size < 4; size++ {
		b.WriteByte('0')
	}
	return b.String()
}

// like matches MySQL's LIKE, character by character in the collation.
func like(w *work, s, pattern string, escape rune, c collation) bool {
	return likeRunes(w, []rune(s), []rune(pattern), escape, c)
}

func likeRunes(w *work, s, p []rune, escape rune, c collation) bool {
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
		case 'i':
			fold = true
		case 'c':
			fold = false
		case 'm':
			prefix += "m"
		case 'n':
			prefix += "s"
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
	if pattern == "" {
		return nil, runtimeError{3685, "Illegal argument to a regular expression."}
	}
	re, err := regexp.Compile(prefix + pattern)
	if err != nil || loneBrace.MatchString(pattern) {
		return nil, regexpError(pattern, err)
	}
	return keep(key, re, prefix+pattern)
}

// caseFlag says whether case counts in the collation that is the last argument.
func caseFlag(a []driver.Value) string {
	if c := collation(str(a[len(a)-1])); c == collBin || c == collBytes {
		return "c"
	}
	return "i"
}
