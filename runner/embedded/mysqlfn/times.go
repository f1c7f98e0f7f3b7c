package mysqlfn

import (
	"database/sql/driver"
	"fmt"
	"math"
	"strings"
	"time"

	"nl2sql/runner/embedded/types"
)

// seconds is a number of seconds as microseconds.
func seconds(v driver.Value) float64 { return roundTo(num(v)*1e6, 0) }

// timeFunctions are those whose result has as many digits of a second as their arguments.
var timeFunctions = table{
	"timediff": {Call: func(a []driver.Value) (driver.Value, error) {
		l, ok1 := ParseTimeOrMoment(str(a[0]))
		r, ok2 := ParseTimeOrMoment(str(a[1]))
		if !ok1 || !ok2 || l.dated != r.dated {
			return nil, nil
		}
		if l.dated && (!l.real() || !r.real()) {
			return nil, refused("TIMEDIFF of a date with a zero in it, or with more than six digits of a second")
		}
		usec := l.microseconds() - r.microseconds()
		if l.dated {
			usec = l.total() - r.total()
		}
		return clockOf(usec).clockText(int(whole(a[2]))), nil
	}},
	"sec_to_time": {Call: func(a []driver.Value) (driver.Value, error) {
		usec := min(max(seconds(a[0]), -maxClock-1), maxClock+1)
		return clockOf(int64(usec)).clockText(int(whole(a[1]))), nil
	}},
	"maketime": {Call: func(a []driver.Value) (driver.Value, error) {
		hours, m, s := whole(a[0]), whole(a[1]), int64(seconds(a[2]))
		if m < 0 || m > 59 || s < 0 || s >= 60e6 {
			return nil, nil
		}
		usec := min(max(hours, -839), 839) * 3600e6
		if hours < 0 {
			usec -= m*60e6 + s
		} else {
			usec += m*60e6 + s
		}
		return clockOf(usec).clockText(int(whole(a[3]))), nil
	}},
	"from_unixtime": {Call: func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil || num(a[0]) < 0 || num(a[0]) >= math.MaxInt32+1 {
			return nil, nil
		}
		t := types.Type{Kind: types.Datetime, Scale: int(whole(a[1]))}
		return FromTime(time.UnixMicro(int64(seconds(a[0]))).UTC()).Format(t), nil
	}},
	"unix_timestamp": {Call: func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseMoment(str(a[0]))
		usec := m.Unix()
		if !ok || m.month == 0 || m.day == 0 || usec < 0 || usec >= (math.MaxInt32+1)*1e6 {
			usec = 0
		}
		if whole(a[1]) == 0 {
			return usec / 1e6, nil
		}
		return float64(usec) / 1e6, nil
	}},
	"convert_tz": {Call: func(a []driver.Value) (driver.Value, error) {
		m, ok := ParseMoment(str(a[0]))
		from, ok1 := zoneOffset(str(a[1]))
		to, ok2 := zoneOffset(str(a[2]))
		if !ok || !ok1 || !ok2 || !m.real() {
			return nil, nil
		}
		// else MySQL leaves it as it is
		if utc := m.Unix() - from.Microseconds(); utc > 0 && utc < (math.MaxInt32+1)*1e6 {
			m, _ = m.plus((to - from).Microseconds())
		}
		return m.Format(types.Type{Kind: types.Datetime, Scale: int(whole(a[3]))}), nil
	}},
	"microseconds": {Call: func(a []driver.Value) (driver.Value, error) {
		return date1(func(m Moment) driver.Value { return m.total() })(a)
	}},
	"clock_of": {Call: func(a []driver.Value) (driver.Value, error) { // microseconds, digits
		return clockOf(whole(a[0])).clockText(int(whole(a[1]))), nil
	}},
}

// zoneOffset reads a time zone as MySQL knows them without its zone tables: an offset, or SYSTEM, which is UTC here.
func zoneOffset(s string) (time.Duration, bool) {
	if strings.EqualFold(s, "SYSTEM") {
		return 0, true
	}
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	var h, m int
	if n, err := fmt.Sscanf(s[1:], "%d:%d", &h, &m); n != 2 || err != nil || len(s) > 6 || h < 0 || m < 0 || m > 59 {
		return 0, false
	}
	offset := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, offset > -13*time.Hour && offset <= 13*time.Hour
}
