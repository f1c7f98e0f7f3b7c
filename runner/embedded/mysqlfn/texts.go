package mysqlfn

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
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/embedded/types"
)

// text1 wraps a function of one text.
func text1(f func(s string) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) { return f(str(a[0])), nil }
}

var textFunctions = table{
	"concat":    {Args: "s", Repeat: 1, Result: ToText, Call: concat},
	"concat_ws": {Args: "ss", Repeat: 1, Result: ToText, Nulls: true, Call: concatWS},
	"upper": {Args: "s", Result: FirstText, Bytes: BytesKept,
		Call: text1(func(s string) driver.Value { return strings.ToUpper(s) })},
	"ucase": {Args: "s", Result: FirstText, Bytes: BytesKept, Alias: "upper"},
	"lower": {Args: "s", Result: FirstText, Bytes: BytesKept,
		Call: text1(func(s string) driver.Value { return strings.ToLower(s) })},
	"lcase":  {Args: "s", Result: FirstText, Bytes: BytesKept, Alias: "lower"},
	"length": {Args: "s", Result: ToInt, Call: text1(func(s string) driver.Value { return int64(len(s)) })},

	"octet_length": {Args: "s", Result: ToInt, Alias: "length"},
	"bit_length":   {Args: "s", Result: ToInt, Call: text1(func(s string) driver.Value { return int64(8 * len(s)) })},
	"char_length": {Args: "s", Result: ToInt, Bytes: BytesCounted,
		Call: text1(func(s string) driver.Value { return int64(utf8.RuneCountInString(s)) })},
	"character_length": {Args: "s", Result: ToInt, Bytes: BytesCounted, Alias: "char_length"},

	"substring": {Args: "sii", Opt: 1, Result: FirstText, Bytes: BytesCounted, Call: substring},
	"substr":    {Args: "sii", Opt: 1, Result: FirstText, Bytes: BytesCounted, Alias: "substring"},
	"mid":       {Args: "sii", Opt: 1, Result: FirstText, Bytes: BytesCounted, Alias: "substring"},
	"left": {Args: "si", Result: FirstText, Bytes: BytesCounted, Call: func(a []driver.Value) (driver.Value, error) {
		s := str(a[0])
		return s[:skip(s, whole(a[1]))], nil
	}},
	"right": {Args: "si", Result: FirstText, Bytes: BytesCounted, Call: func(a []driver.Value) (driver.Value, error) {
		s := str(a[0])
		return s[skip(s, int64(utf8.RuneCountInString(s))-max(whole(a[1]), 0)):], nil
	}},
	"ltrim": {Args: "s", Result: FirstText,
		Call: text1(func(s string) driver.Value { return strings.TrimLeft(s, " ") })},
	"rtrim": {Args: "s", Result: FirstText,
		Call: text1(func(s string) driver.Value { return strings.TrimRight(s, " ") })},
	"lpad": {Args: "sis", Result: FirstText, Bytes: BytesRefused, Call: pad(true)},
	"rpad": {Args: "sis", Result: FirstText, Bytes: BytesRefused, Call: pad(false)},
	"replace": {Args: "sss", Result: ToText, Call: func(a []driver.Value) (driver.Value, error) {
		if str(a[1]) == "" {
			return a[0], nil
		}
		text, old, with := str(a[0]), str(a[1]), str(a[2])
		if len(with) > len(old) && len(text)+strings.Count(text, old)*(len(with)-len(old)) > maxText {
			return nil, tooLong()
		}
		return strings.ReplaceAll(text, old, with), nil
	}},
	"reverse": {Args: "s", Result: FirstText, Bytes: BytesCounted, Call: text1(func(s string) driver.Value {
		b := []byte(s)
		slices.Reverse(b)
		for i := 0; i < len(b); { // the bytes of each character are the right way round again
			n := i + 1
			for ; n < len(b) && !utf8.RuneStart(b[n-1]); n++ {
			}
			slices.Reverse(b[i:n])
			i = n
		}
		return string(b)
	})},
	"repeat": {Args: "si", Result: FirstText, Call: func(a []driver.Value) (driver.Value, error) {
		return repeat(str(a[0]), whole(a[1]))
	}},
	"space": {Args: "i", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		return repeat(" ", whole(a[0]))
	}},
	"instr": {Args: "ss", Result: ToInt, Bytes: BytesRefused, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			return locate(w, str(a[1]), str(a[0]), 1, types.Collation(str(a[2]))), nil
		}},
	"locate": {Args: "ssi", Opt: 1, Result: ToInt, Bytes: BytesRefused, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			from := append(a[2:len(a)-1:len(a)-1], int64(1))[0]
			return locate(w, str(a[0]), str(a[1]), whole(from), types.Collation(str(a[len(a)-1]))), nil
		}},
	"position": {Args: "ss", Result: ToInt, Bytes: BytesRefused, Collated: true, Alias: "locate"},
	"ascii": {Args: "s", Result: ToInt, Call: text1(func(s string) driver.Value {
		if s == "" {
			return int64(0)
		}
		return int64(s[0])
	})},
	"ord": {Args: "s", Result: ToInt, Bytes: BytesRefused, Call: text1(func(s string) driver.Value {
		n, _ := strconv.ParseInt("0"+hex.EncodeToString([]byte(s[:skip(s, 1)])), 16, 64)
		return n
	})},
	"hex": {Args: "w", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		switch v := a[0].(type) {
		case int64:
			return strings.ToUpper(strconv.FormatUint(uint64(v), 16)), nil
		case float64:
			return strings.ToUpper(strconv.FormatUint(uint64(whole(v)), 16)), nil
		}
		return strings.ToUpper(hex.EncodeToString([]byte(str(a[0])))), nil
	}},
	"conv": {Args: "dii", Result: ToPlain, Call: conv},
	"bin":  {Args: "d", Result: ToPlain, Call: inBase(2)},
	"oct":  {Args: "d", Result: ToPlain, Call: inBase(8)},
	"insert_func": {Args: "siis", Result: ToText, Bytes: BytesRefused, Call: func(a []driver.Value) (driver.Value, error) {
		s, at, n := []rune(str(a[0])), whole(a[1])-1, whole(a[2])
		if at < 0 || at >= int64(len(s)) {
			return a[0], nil
		}
		if rest := int64(len(s)) - at; n < 0 || n > rest {
			n = rest
		}
		return string(s[:at]) + str(a[3]) + string(s[at+n:]), nil
	}},
	"field": {Args: "ss", Repeat: 1, Result: ToInt, Nulls: true, Collated: true,
		Call: func(a []driver.Value) (driver.Value, error) {
			c := types.Collation(str(a[len(a)-1]))
			for i, v := range a[1 : len(a)-1] {
				if a[0] != nil && v != nil && compareTexts(c, str(a[0]), str(v)) == 0 {
					return int64(i + 1), nil
				}
			}
			return int64(0), nil
		}},
	"elt": {Args: "is", Repeat: 1, Result: ToText, Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		if n := int64(uint32(whole(a[0]))); a[0] != nil && n >= 1 && n < int64(len(a)) { // MySQL keeps 32 bits
			return a[n], nil
		}
		return nil, nil
	}},
	"make_set": {Args: "is", Repeat: 1, Result: ToText, Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		for i := range a[1:] {
			if i > 63 || whole(a[0])>>i&1 == 0 {
				a[i+1] = nil
			}
		}
		if a[0] != nil {
			a[0] = ","
		}
		return concatWS(a)
	}},
	"export_set": {Args: "isssi", Opt: 2, Result: ToText, Call: func(a []driver.Value) (driver.Value, error) {
		a = append(a, []driver.Value{",", int64(64)}[len(a)-3:]...)
		parts := []driver.Value{a[3]}
		for i := range min(uint64(whole(a[4])), 64) {
			parts = append(parts, a[2-whole(a[0])>>i&1])
		}
		return concatWS(parts)
	}},
	"find_in_set": {Args: "ss", Result: ToInt, Collated: true,
		Slow: func(w *work, a []driver.Value) (driver.Value, error) {
			c := types.Collation(str(a[2]))
			if str(a[1]) == "" {
				return int64(0), nil
			}
			place, blanks := int64(0), func(s string) int { return len(s) - len(strings.TrimRight(s, " ")) }
			for part := range strings.SplitSeq(str(a[1]), ",") {
				w.step(1 + len(part))
				if place++; compareTexts(c, part, str(a[0])) == 0 && blanks(part) == blanks(str(a[0])) {
					return place, nil
				}
			}
			return int64(0), nil
		}},
	"substring_index": {Args: "ssi", Result: FirstText, Call: substringIndex},
	"trim":            {Call: trim},
	"quote": {Args: "s", Result: FirstText, Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return "NULL", nil
		}
		return "'" + quoted.Replace(str(a[0])) + "'", nil
	}},
	"soundex": {Args: "s", Result: FirstText, Bytes: BytesRefused, Call: text1(soundex)},
	"crc32": {Args: "s", Result: ToUnsigned,
		Call: text1(func(s string) driver.Value { return int64(crc32.ChecksumIEEE([]byte(s))) })},
	"to_base64": {Args: "s", Result: ToPlain, Call: text1(func(s string) driver.Value {
		return strings.TrimSuffix(base64Line.ReplaceAllString(base64.StdEncoding.EncodeToString([]byte(s)), "$0\n"), "\n")
	})},
	"from_base64": {Args: "s", Result: ToBlob, Call: text1(func(s string) driver.Value {
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
		if err != nil {
			return nil
		}
		return b
	})},
	"inet_aton": {Args: "s", Result: ToUnsigned, Call: text1(func(s string) driver.Value {
		parts, n := strings.Split(s, "."), int64(0)
		for len(parts) == 2 || len(parts) == 3 {
			parts = slices.Insert(parts, len(parts)-1, "0")
		}
		for _, p := range parts {
			b, err := strconv.ParseUint("0"+p, 10, 8)
			if n = n<<8 | int64(b); err != nil || len(parts) > 4 || strings.HasSuffix("."+s, ".") {
				return nil
			}
		}
		return n
	})},
	"inet_ntoa": {Args: "i", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		if n := whole(a[0]); n == int64(uint32(n)) {
			return fmt.Sprintf("%d.%d.%d.%d", n>>24, n>>16&255, n>>8&255, n&255), nil
		}
		return nil, nil
	}},
	"md5": {Args: "s", Result: ToPlain,
		Call: text1(func(s string) driver.Value { return fmt.Sprintf("%x", md5.Sum([]byte(s))) })},
	"sha1": {Args: "s", Result: ToPlain,
		Call: text1(func(s string) driver.Value { return fmt.Sprintf("%x", sha1.Sum([]byte(s))) })},
	"sha":  {Args: "s", Result: ToPlain, Alias: "sha1"},
	"sha2": {Args: "si", Result: ToPlain, Call: sha2},
	"unhex": {Args: "s", Result: ToBlob, Call: text1(func(s string) driver.Value {
		if b, err := hex.DecodeString(strings.Repeat("0", len(s)%2) + s); err == nil {
			return b
		}
		return nil
	})},
	"char_func": {Args: "i", Repeat: 1, Result: ToBlob, Nulls: true,
		Call: func(a []driver.Value) (driver.Value, error) {
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
	"format": {Args: "ni", Result: ToPlain, Call: format},
	"format_double": {Args: "ni", Result: ToPlain,
		Call: func(a []driver.Value) (driver.Value, error) {
			f, ok := a[0].(float64)
			if ok {
				a[0] = cutAt(f, formatPlaces(a[1]), math.RoundToEven)
			}
			text, err := format(a)
			if s, ok := text.(string); ok && math.Signbit(f) && s[0] != '-' { // a zero keeps its sign
				return "-" + s, err
			}
			return text, err
		}},
}

var (
	quoted     = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`, "\x1a", `\Z`)
	base64Line = regexp.MustCompile(`.{76}`)
)

// soundex is SOUNDEX: a letter and all that follows, where letters that sound the same stand once.
func soundex(s string) driver.Value {
	var out []rune
	last := '0'
	for _, r := range s {
		code := '0'
		if c := r &^ 0x20; c >= 'A' && c <= 'Z' {
			r, code = c, rune("01230120022455012623010202"[c-'A'])
		} else if r < 0xC0 { // no letter
			continue
		}
		if len(out) == 0 {
			out, last = append(out, r), code
		} else if code != '0' && code != last {
			out, last = append(out, code), code
		}
	}
	for len(out) > 0 && len(out) < 4 {
		out = append(out, '0')
	}
	return string(out)
}

// inBase is BIN or OCT.
func inBase(base int64) func(a []driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) { return conv([]driver.Value{a[0], int64(10), base}) }
}

var signed = regexp.MustCompile(`^\s*([-+]?)((?s).*)`)

// conv is CONV(number, from base, to base), of which a base below zero has signed numbers.
func conv(a []driver.Value) (driver.Value, error) {
	from, to := whole(a[1]), whole(a[2])
	base := max(from, -from)
	if min(base, max(to, -to)) < 2 || max(base, to, -to) > 36 || str(a[0]) == "" {
		return nil, nil
	}
	parts := signed.FindStringSubmatch(str(a[0]))
	digits := "0" + parts[2][:strings.IndexFunc(parts[2]+"-", func(r rune) bool {
		_, err := strconv.ParseUint(string(r), int(base), 8)
		return err != nil
	})]
	n, err := strconv.ParseUint(digits, int(base), 64) // the greatest if there are too many digits
	if from < 0 {
		v, _ := strconv.ParseInt(parts[1]+digits, int(base), 64)
		n = uint64(v)
	} else if parts[1] == "-" && err != nil {
		n = 0
	} else if parts[1] == "-" {
		n = -n
	}
	if to < 0 {
		return strings.ToUpper(strconv.FormatInt(int64(n), int(-to))), nil
	}
	return strings.ToUpper(strconv.FormatUint(n, int(to))), nil
}

// trim is my_trim(text, what, side).
func trim(a []driver.Value) (driver.Value, error) {
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
	size := 0
	for _, v := range a[1:] {
		if v != nil {
			parts = append(parts, str(v))
			size += len(str(v)) + len(str(a[0]))
		}
	}
	if size > 2*maxText {
		return nil, tooLong()
	}
	return strings.Join(parts, str(a[0])), nil
}

// skip is how many bytes the first n characters of a text take, of fewer the whole text.
func skip(s string, n int64) (at int) {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

func substring(a []driver.Value) (driver.Value, error) {
	s, pos, length := str(a[0]), whole(a[1]), whole(append(a, int64(math.MaxInt64))[2])
	if pos < 0 {
		pos += int64(utf8.RuneCountInString(s)) + 1
	}
	if pos < 1 || length < 1 {
		return "", nil
	}
	s = s[skip(s, pos-1):]
	return s[:skip(s, length)], nil
}

func pad(left bool) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		s, n, with := str(a[0]), whole(a[1]), str(a[2])
		length, cycle := int64(utf8.RuneCountInString(s)), int64(utf8.RuneCountInString(with))
		switch {
		case n < 0:
			return nil, nil
		case n > maxText:
			return nil, tooLong()
		case n <= length:
			return s[:skip(s, n)], nil
		case with == "":
			return "", nil
		}
		times := (n - length) / cycle
		if times*int64(len(with)) > maxText {
			return nil, tooLong()
		}
		fill := strings.Repeat(with, int(times)) + with[:skip(with, (n-length)%cycle)]
		if left {
			return fill + s, nil
		}
		return s + fill, nil
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

func sha2(a []driver.Value) (driver.Value, error) {
	switch b := []byte(str(a[0])); whole(a[1]) {
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
}
