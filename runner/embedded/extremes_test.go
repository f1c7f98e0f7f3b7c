package embedded

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/scripts/must"
)

var (
	extremeCount = flag.Int("extremes", must.Long(12, 60),
		"how many calls of each function with values at the edge MySQL is asked")
	extremeSeed   = flag.Uint64("extremeseed", 1, "of those calls")
	extremeReport = flag.String("extremereport", "", "file for the calls that differ")
)

// edges are values at and beyond the edge of what an argument may be, by the letters of [mysqlfn.Function.Args].
var edges = map[byte][]string{
	't': {`'0000-00-00'`, `'0000-01-01'`, `'0000-12-31 23:59:59'`, `'0001-01-01'`, `'9999-12-31'`,
		`'9999-12-31 23:59:59.999999'`, `'9999-12-31 23:59:59.9999999'`, `'10000-01-01'`, `'2004-02-30'`, `'2004-00-10'`,
		`'2004-10-00'`, `'-2004-01-01'`, `''`, `'x'`, `DATE '9999-12-31'`, `TIMESTAMP '9999-12-31 23:59:59.5'`,
		`DATE '0000-01-01'`, `DATE '1000-01-01'`, `'99999999999999999999'`, `'0000-00-00 00:00:01'`, `NULL`,
		`CAST('9999-12-31' AS DATETIME(6))`, `'2004-02-29'`, `TIMESTAMP '1970-01-01 00:00:00'`, `'2038-01-19 03:14:07'`,
		`'2038-01-19 03:14:08'`, `20041301`, `99991231`, `99991231235959`, `100000000000000`, `1e30`, `-1`, `0`, `101`},
	'c': {`'838:59:59'`, `'838:59:59.999999'`, `'-838:59:59'`, `'839:00:00'`, `'900:00:00'`, `'99999:59:59'`,
		`'4294967296:00:00'`, `'34 22:59:59'`, `'35 00:00:00'`, `'99 99:99:99'`, `'-0:00:00.000001'`, `'23:59:59.9999999'`,
		`'12:60:00'`, `'9999999999'`, `''`, `'x'`, `TIME '838:59:59'`, `TIME '-838:59:59.5'`, `'9999-12-31 23:59:59.999999'`,
		`'0000-00-00 00:00:00'`, `8385959`, `8385960`, `-8385960`, `1e10`, `1e300`, `99991231235959`, `NULL`, `0`, `-1`},
	'n': {`0`, `-1`, `1`, `0.5`, `-0.5`, `1e300`, `-1e300`, `1e308`, `1.7976931348623157e308`, `1e-300`, `1e30`, `-1e30`,
		`9223372036854775807`, `-9223372036854775808`, `9223372036854775808`, `18446744073709551615`,
		`18446744073709551616`, `99999999999999999999999999999999999999999999999999999999999999999`, `0e0`, `'1e400'`,
		`'-1e400'`, `'x'`, `''`, `'9223372036854775808'`, `'99999999999999999999'`, `4294967296`, `2147483648`,
		`0.000000000000000000000000000001`, `NULL`, `709`, `710`, `-746`, `2.5e0`, `1e15`, `1e16`, `9007199254740993`},
	's': {`''`, `'x'`, `'-1'`, `'1e400'`, `'99999999999999999999'`, `'a,b,c'`, `NULL`, `0`, `1e300`, `-1`, `1e30`,
		`9223372036854775807`, `'%Y-%m-%d'`, `'%X %V %x %v %U %u'`, `'%f %H %k %T %r %j'`, `DATE '9999-12-31'`,
		`TIME '838:59:59'`, `'\\'`, `'1.1.1.1'`, `'::'`},
	'g': {`POINT(0, 0)`, `POINT(-1e300, 0.1)`, `POINT(180, 90)`, `POINT(13.4, 52.5)`, `POINT(-179.5, -90)`,
		`POINT(181, 0)`, `ST_GEOMFROMTEXT('POINT(1.50 -2e1)')`, `ST_GEOMFROMTEXT('POINT(0.000001 1e17)')`,
		`ST_GEOMFROMTEXT('LINESTRING(1 1,2 2)')`, `NULL`},
	'p': {`'$'`, `'$.a'`, `'$[0]'`, `'$[99999]'`, `'$[4294967295]'`, `'$[4294967296]'`, `'$[last]'`, `'$[last-9]'`, `'$**.a'`,
		`''`, `'x'`, `'$.'`, `'$[-1]'`, `'$[0 to 9]'`, `NULL`, `'$.a.b.c[0][0][0]'`},
	'j': {`'[]'`, `'{}'`, `'1e400'`, `'-1e400'`, `'1e308'`, `'99999999999999999999'`, `'18446744073709551615'`,
		`'-9223372036854775808'`, `'-9223372036854775809'`, `'""'`, `'null'`, `NULL`, `'{"a": {"b": {"c": [[[1]]]}}}'`,
		`'[0.1, 1e-400]'`, `REPEAT('[', 99)`, `CONCAT(REPEAT('[', 99), REPEAT(']', 99))`,
		`CONCAT(REPEAT('[', 100), REPEAT(']', 100))`, `CONCAT(REPEAT('[', 101), REPEAT(']', 101))`,
		`CONCAT(REPEAT('{"a":', 100), '1', REPEAT('}', 100))`, `CONCAT(REPEAT('{"a":', 99), '1', REPEAT('}', 99))`, `''`,
		`'x'`, `'[1, 2'`, `'"\\ud800"'`, `'"\\u0041"'`, `'1 2'`, `'{"a": 1, "a": 2}'`, `'{"a": 1}'`, `'[1, [2, [3]]]'`},
	'k': {`'a'`, `''`, `'b c'`, `REPEAT('k', 65536)`, `REPEAT('k', 65535)`, `1`, `'one'`, `'all'`},
	'v': {`1`, `1e308`, `NULL`, `'x'`, `18446744073709551615`, `0.1`, `DATE '9999-12-31'`, `TIME '838:59:59'`,
		`CAST('[1]' AS JSON)`, `1e30`, `99999999999999999999999999999999999999999999999999999999999999999`},
}

func init() {
	edges['i'], edges['o'] = edges['n'], edges['n']
	edges['x'], edges['d'] = edges['s'], edges['s']
	edges['e'] = slices.Concat(edges['n'], edges['s'])
	edges['w'] = edges['e']
}

// edgeForms are calls that [mysqlfn.Functions] does not have by their names: %T stands for a date, %C for a time, %N
// for a number, %S for a text, %J for a document, %U for a unit.
var edgeForms = strings.Split(`DATE_ADD(%T, INTERVAL %N %U)
DATE_SUB(%T, INTERVAL %N %U)
%T + INTERVAL %N %U
TIMESTAMPADD(%U, %N, %T)
DATE_ADD(%T, INTERVAL '9999999999' %U)
DATE_ADD(%T, INTERVAL '1 1:1:1.1' %U)
TIMESTAMPDIFF(%U, %T, %T)
EXTRACT(%U FROM %T)
EXTRACT(%U FROM %C)
ADDTIME(%T, %C)
SUBTIME(%T, %C)
ADDTIME(%C, %C)
SUBTIME(%C, %C)
TIMEDIFF(%C, %C)
TIMEDIFF(%T, %T)
TIMESTAMP(%T)
TIMESTAMP(%T, %C)
TIME(%C)
TIME(%T)
CAST(%T AS DATE)
CAST(%T AS DATETIME)
CAST(%T AS DATETIME(6))
CAST(%C AS TIME)
CAST(%C AS TIME(3))
CAST(%N AS DATE)
CAST(%N AS DATETIME)
CAST(%N AS TIME)
CAST(%N AS SIGNED)
CAST(%N AS UNSIGNED)
CAST(%N AS DECIMAL(65,30))
CAST(%N AS DECIMAL(5,2))
CAST(%N AS CHAR)
CAST(%J AS JSON)
SEC_TO_TIME(%N)
MAKETIME(%N, %N, %N)
FROM_UNIXTIME(%N)
FROM_UNIXTIME(%N, %S)
UNIX_TIMESTAMP(%T)
CONVERT_TZ(%T, '+13:00', '-12:59')
STR_TO_DATE(%T, '%Y-%m-%d')
STR_TO_DATE(%T, '%Y-%m-%d %H:%i:%s.%f')
STR_TO_DATE(%S, %S)
ROUND(%N, %N)
ROUND(%N)
TRUNCATE(%N, %N)
CEIL(%N)
FLOOR(%N)
ABS(%N)
-(%N)
%N + %N
%N - %N
%N * %N
%N / %N
%N DIV %N
%N MOD %N
%N % %N
%N & %N
%N << %N
%N >> %N
%N | %N
~(%N)
%N = %N
%N < %N
GREATEST(%N, %N)
LEAST(%T, %T)
FORMAT(%N, %N)
CONV(%N, %N, %N)
CONV(%S, 36, -36)
BIN(%N)
OCT(%N)
HEX(%N)
INTERVAL(%N, %N, %N)
ELT(%N, 'a', 'b')
FIELD(%N, %N, %N)
REPEAT('a', %N)
SPACE(%N)
LPAD('a', %N, 'b')
LEFT('abc', %N)
SUBSTRING('abc', %N, %N)
INSERT('abc', %N, %N, 'x')
SUBSTRING_INDEX('a,b,c', ',', %N)
LOCATE('a', 'aba', %N)
CHAR(%N)
MAKE_SET(%N, 'a', 'b')
EXPORT_SET(%N, 'Y', 'N', ',', %N)
TIME '900:00:00'
DATE '10000-01-01'
DATE '0000-00-00'
TIMESTAMP '9999-12-31 23:59:60'
TIMESTAMP '9999-12-31 23:59:59.9999999'
TIME '838:59:59.9999999'
SUM(%N)
AVG(%N)
STDDEV(%N)
BIT_OR(%N)
SUM(%T)
MAX(%C)
DATE_FORMAT(%T, '%Y %X %V %x %v %U %u %j %w %W %M %D %y %b %a %c %e')
DATE_FORMAT(%T, '%H %k %h %I %l %i %s %f %p %r %T')
TIME_FORMAT(%C, '%H %k %h %I %l %i %s %f %p %r %T')`, "\n")

var edgeUnits = []string{"MICROSECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR",
	"SECOND_MICROSECOND", "MINUTE_MICROSECOND", "MINUTE_SECOND", "HOUR_MICROSECOND", "HOUR_SECOND", "HOUR_MINUTE",
	"DAY_MICROSECOND", "DAY_SECOND", "DAY_MINUTE", "DAY_HOUR", "YEAR_MONTH"}

// edgeCalls are n calls of each function and form with values at the edge.
func edgeCalls(n int, seed uint64) []string {
	all, points := rand.New(rand.NewPCG(seed, 37)), rand.New(rand.NewPCG(seed, 38))
	r := all
	one := func(of []string) string { return of[r.IntN(len(of))] }
	var calls []string
	for _, name := range slices.Sorted(maps.Keys(mysqlfn.Functions)) {
		f := mysqlfn.Functions[name]
		if f.Args == "" || f.Random {
			continue
		}
		if r = all; name == "point" || strings.HasPrefix(name, "st_") { // so that the others' calls stay what they are
			r = points
		}
		for range n {
			count := f.Least()
			if most := f.Most(); most > count {
				count += r.IntN(most - count + 1)
			} else if most < 0 {
				count += f.Repeat * r.IntN(2)
			}
			args := make([]string, count)
			for i := range args {
				args[i] = one(edges[f.Letter(i)])
			}
			call := strings.ToUpper(name) + "(" + strings.Join(args, ", ") + ")"
			if name == "point" || name == "st_geomfromtext" || name == "st_pointfromtext" { // bytes, and texts here
				call = "ST_ASTEXT(" + call + ")"
			}
			calls = append(calls, call)
		}
	}
	r = all
	for _, form := range edgeForms {
		for range max(1, n*min(6, strings.Count(form, "%"))/2) {
			var b strings.Builder
			for i := 0; i < len(form); i++ {
				letter := byte(0)
				if form[i] == '%' && i+1 < len(form) {
					letter = form[i+1] | 0x20
				}
				quoted := strings.Count(form[:i], "'")%2 == 1
				switch of := edges[letter]; {
				case quoted || letter == 0:
					b.WriteByte(form[i])
				case letter == 'u':
					b.WriteString(one(edgeUnits))
					i++
				case of != nil:
					b.WriteString("(" + one(of) + ")")
					i++
				default:
					b.WriteByte(form[i])
				}
			}
			calls = append(calls, b.String())
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// edgesOpen differ still: in year 0, beyond BIGINT in a text, where the year 9999 ends, what is no date, places that
// are a text, and texts of the literal NULL alone, which are bytes.
var edgesOpen = []string{
	`LEAST((DATE '0000-01-01'), ('0000-00-00 00:00:01'))`,
	`EXTRACT(MONTH FROM ('35 00:00:00'))`,
	`INTERVAL((9223372036854775807), (709), ('9223372036854775808'))`,
	`('99999999999999999999') DIV (1e16)`, `('99999999999999999999') DIV (709)`,
	`(0) - (-9223372036854775808)`, // which MySQL does not find to be too large
	`CAST(('9999-12-31 23:59:59.999999') AS TIME)`, `CAST(('9999-12-31 23:59:59.999999') AS TIME(3))`,
	`EXTRACT(YEAR_MONTH FROM ('35 00:00:00'))`,
	`TIMESTAMP(('2038-01-19 03:14:07'), (99991231235959))`,
	`TRUNCATE((-0.5), (-9223372036854775808))`,
	`EXTRACT(DAY_HOUR FROM ('9999-12-31 23:59:59.9999999'))`,
	`EXTRACT(DAY_SECOND FROM ('9999-12-31 23:59:59.9999999'))`,
	`SUBTIME(('9999-12-31 23:59:59.9999999'), ('99999:59:59'))`,
	`DATE_SUB(('0000-01-01'), INTERVAL (-0.5) YEAR_MONTH)`,
	`FIELD((9223372036854775807), (1), ('9223372036854775808'))`,
	`REGEXP_REPLACE('', '-1', '-1', 1.7976931348623157e308, 9223372036854775807)`,
	`ROUND((9007199254740993), ('-1e400'))`,
	`QUOTE(NULL)`, `MAKE_SET(-746, NULL)`, `MAKE_SET(-0.5, NULL)`, `MAKE_SET(9007199254740993, NULL)`,
	`TRUNCATE((0.000000000000000000000000000001), ('1e400'))`, // places as a text, which MySQL reads up to its e
}

// Calls of every function with values at and beyond the edge get the same answers from the engine and from a real
// MySQL, or are refused.
func TestExtremesAgainstMySQL(t *testing.T) {
	script := must.Get(assets.DemoSQL())(t)
	process := startMySQL(t, assets.DemoName, script)
	server := must.Get(runner.Open(t.Context(), process.DSN(), runner.Limits{}))(t)
	defer server.Close()
	db := openDemo(t)
	same, refused, unknown, beside, open := 0, 0, 0, 0, 0
	different := map[string][]string{} // by the function
	for _, call := range edgeCalls(*extremeCount, *extremeSeed) {
		sql := "SELECT " + call + " AS x"
		want, err := reply(t.Context(), server, sql)
		if err != nil { // the checker refuses it
			unknown++
			continue
		}
		got, err := reply(t.Context(), db, sql)
		qe := (*runner.QueryError)(nil)
		switch {
		case errors.As(err, &qe):
			refused++
		case err != nil:
			t.Fatalf("%v\n%s", err, sql)
		case sameAnswer(want, got), want.Code != 0 && got.Code != 0: // two wrong arguments: either is told first
			same++
		case strings.Contains(call, "NULL") && (got.Code != 0 || want.Code != 0):
			beside++
		case slices.Contains(edgesOpen, call):
			open++
		default:
			name, _, _ := strings.Cut(call, "(")
			different[name] = append(different[name], fmt.Sprintf("%s\n  MySQL %d %v\n  here  %d %v", call, want.Code,
				want.Rows, got.Code, got.Rows))
		}
	}
	var report strings.Builder
	count := 0
	for _, name := range slices.Sorted(maps.Keys(different)) {
		count += len(different[name])
		fmt.Fprintf(&report, "== %s: %d\n%s\n", name, len(different[name]), strings.Join(different[name], "\n"))
	}
	t.Logf("%d the same, %d refused, %d that the checker refuses, %d where one gives NULL and one finds another argument wrong, %d known to differ, %d different in %d functions",
		same, refused, unknown, beside, open, count, len(different))
	if *extremeReport != "" {
		must.Do(t, os.WriteFile(*extremeReport, []byte(report.String()), 0o666))
	}
	if count > 0 {
		t.Errorf("different:\n%.8000s", report.String())
	}
}
