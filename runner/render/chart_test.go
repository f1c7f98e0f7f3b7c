package render

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// result is a table of so many rows, made from their number.
func result(labels string, rows int, row func(i int) []any) (res runner.Result) {
	res.Columns = strings.Fields(labels)
	for i := range rows {
		res.Rows = append(res.Rows, row(i))
	}
	return res
}

func ptr(n int) *int { return &n }

var months = []any{"2003-01", "2003-02", "2003-03", "2003-12"}

func TestChartOf(t *testing.T) {
	named := func(i int) []any { return []any{strings.Repeat("x", i), int64(i)} }
	for _, test := range []struct {
		name string
		res  runner.Result
		want *Chart
	}{
		{"a name and a number", result("name n", 3, named), &Chart{Kind: Bars, X: 0, Y: 1}},
		{"one row", result("name n", 1, named), nil},
		{"too many bars", result("name n", 41, named), nil},
		{"over months", result("month total", 4, func(i int) []any { return []any{months[i], runner.Decimal("1.50")} }),
			&Chart{Kind: Line, X: 0, Y: 1}},
		{"over years, which are numbers", result("total year", 3, func(i int) []any {
			return []any{2.5 * float64(i), int64(2003 + i)}
		}), &Chart{Kind: Line, X: 1, Y: 0}},
		{"two months are no line", result("month n", 2, func(i int) []any { return []any{months[i], int64(i)} }),
			&Chart{Kind: Bars, X: 0, Y: 1}},
		{"a month that comes twice", result("month n", 4, func(i int) []any {
			return []any{months[i/2], int64(i)}
		}), nil},
		{"two lines", result("month office n", 4, func(i int) []any {
			return []any{months[i/2], []any{"Oslo", "Rome"}[i%2], int64(i)}
		}), &Chart{Line, 0, 2, ptr(1)}},
		{"bars of two names", result("first last n", 4, func(i int) []any {
			return []any{[]any{"Ann", "Bob"}[i/2], []any{"Lee", "Ray"}[i%2], int64(i)}
		}), &Chart{Bars, 0, 2, ptr(1)}},
		{"keys are names", result("customerNumber n", 3, func(i int) []any { return []any{int64(i), int64(9 - i)} }),
			&Chart{Kind: Bars, X: 0, Y: 1}},
		{"two keys", result("customerNumber order_id", 3, func(i int) []any { return []any{int64(i), int64(i)} }), nil},
		{"two numbers", result("buy sell", 8, func(i int) []any { return []any{1.5 * float64(i), float64(i * i)} }),
			&Chart{Kind: Points, X: 0, Y: 1}},
		{"months by their numbers", result("month n", 12, func(i int) []any {
			return []any{int64(i + 1), int64(i * i)}
		}), &Chart{Kind: Bars, X: 0, Y: 1}},
		{"and behind what is counted", result("n month", 12, func(i int) []any {
			return []any{int64(i * i), int64(i + 1)}
		}), &Chart{Kind: Bars, X: 1, Y: 0}},
		{"a count that happens to be in steps", result("stars n", 3, func(i int) []any {
			return []any{int64(i + 1), int64(9 - i)}
		}), &Chart{Kind: Bars, X: 0, Y: 1}},
		{"a step that comes twice is none", result("stars n", 8, func(i int) []any {
			return []any{int64(i / 2), int64(i * i)}
		}), &Chart{Kind: Points, X: 0, Y: 1}},
		{"texts", result("a b", 3, func(int) []any { return []any{"x", "y"} }), nil},
		{"NULL counts for nothing", result("name n", 3, func(i int) []any {
			return []any{[]any{"x", "y", nil}[i], int64(i)}
		}), &Chart{Kind: Bars, X: 0, Y: 1}},
		{"all NULL", result("name n", 3, func(int) []any { return []any{"x", nil} }), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			must.Same(t, ChartOf(test.res), test.want)
		})
	}
}

func TestChartText(t *testing.T) {
	for _, test := range []struct {
		name string
		res  runner.Result
		o    Options
		want string
	}{
		{"bars", result("city n", 3, func(i int) []any {
			return []any{[]any{"Oslo", "東京", nil}[i], []any{int64(8), int64(3), nil}[i]}
		}), Options{Width: 16}, `n by city
Oslo ██████████ 8
東京 ███▊ 3
`},
		{"bars below zero", result("a b", 2, func(i int) []any { return []any{"xy"[i : i+1], int64(20*i - 10)} }),
			Options{Width: 20}, "b by a\nx ███████ -10\ny        ███████ 10\n"},
		{"what a terminal would obey is shown", result("a\x1b b", 2, func(i int) []any {
			return []any{"\x1b[2" + "JK"[i:i+1], int64(1)}
		}), Options{Width: 24}, "b by a\\x1b\n\\x1b[2J ██████████████ 1\n\\x1b[2K ██████████████ 1\n"},
		// no line bridges the months without a row
		{"a line", result("month n", 4, func(i int) []any { return []any{months[i], int64(100 * i)} }),
			Options{Width: 40}, `n by month
 300 ┤                               ╶
 270 ┤
 240 ┤
 210 ┤
 180 ┤    ╭╴
 150 ┤   ╭╯
 120 ┤   │
  90 ┤  ╭╯
  60 ┤ ╭╯
  30 ┤╭╯
   0 ┼╯
      2003-01                   2003-12
`},
		{"a line of days joins them", result("day n", 3, func(i int) []any {
			return []any{[]any{"2003-01-01", "2003-01-05", "2003-01-20"}[i], int64(2 * i)}
		}), Options{Width: 40}, `n by day
  4┤                           ╭──────
  3┤             ╭─────────────╯
  2┤     ╭───────╯
  1┤ ╭───╯
  0┼─╯
    2003-01-01               2003-01-20
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, none := ChartText(test.res, test.o)
			if diff := cmp.Diff(test.want, got); diff != "" || none != "" {
				t.Errorf("%q %s\n%s", none, diff, got)
			}
			for line := range strings.Lines(got) {
				if n := width(strings.TrimSuffix(line, "\n")); n > test.o.Width+2 {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
	if got, none := ChartText(result("a", 1, func(int) []any { return []any{"x"} }), Options{}); got != "" || none == "" {
		t.Errorf("of none %q %q", got, none)
	}
	long := result("day n", 3, func(i int) []any { // which begins like a time
		return []any{"2003-01-0" + strconv.Itoa(i+1) + " " + strings.Repeat("x", 80), int64(i)}
	})
	if got, none := ChartText(long, Options{Width: 40}); !strings.HasPrefix(got, "n by day\n  2┤") || none != "" {
		t.Errorf("of long times %q %q", got, none)
	}
	points := result("buy sell", 8, func(i int) []any { return []any{1.5 * float64(i), float64(i * i)} })
	if got, none := ChartText(points, Options{}); got != "" || none == "" {
		t.Errorf("of points %q %q", got, none)
	}
}
