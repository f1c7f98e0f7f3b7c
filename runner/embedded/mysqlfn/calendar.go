package mysqlfn

import "time"

// MySQL's calendar is the Gregorian one from year 0, which is no leap year there, to 9999. All that counts days counts
// with these numbers. Source: calc_daynr, get_date_from_daynr, calc_weekday in sql-common/my_time.cc.

// lastDayNumber is that of 9999-12-31.
const lastDayNumber = 3652424

// daysIn is how many days a month has.
func daysIn(year, month int) int {
	if year == 0 && month == 2 {
		return 28
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// dayNumber is TO_DAYS: days since year 0.
func dayNumber(year, month, day int) int64 {
	if year == 0 && month == 0 {
		return 0
	}
	n := 365*year + 31*(month-1) + day
	if month <= 2 {
		year--
	} else {
		n -= (month*4 + 23) / 10
	}
	return int64(n + year/4 - (year/100+1)*3/4)
}

// fromDayNumber is FROM_DAYS: the zero date for what is before year 1, or long after 9999.
func fromDayNumber(n int64) Moment {
	const beyond = 3652500
	if n <= 365 || n >= beyond {
		return Moment{}
	}
	t := time.Unix((n-719528)*86400, 0).UTC()
	return Moment{year: t.Year(), month: int(t.Month()), day: t.Day()}
}

// real says that a moment is of a day: neither its month nor its day is 0.
func (m Moment) real() bool { return m.month != 0 && m.day != 0 }

// dayNumber is that of the moment's day.
func (m Moment) dayNumber() int64 { return dayNumber(m.year, m.month, m.day) }

// weekday is that of the moment's day.
func (m Moment) weekday() time.Weekday { return time.Weekday((m.dayNumber() + 6) % 7) }

// yearDay is the number of the moment's day in its year, from 1 on.
func (m Moment) yearDay() int64 { return m.dayNumber() - dayNumber(m.year, 1, 1) + 1 }

// on is the time of day of the moment on another day.
func (m Moment) on(day int64) Moment {
	date := fromDayNumber(day)
	m.year, m.month, m.day = date.year, date.month, date.day
	return m
}

// plus is the moment so many microseconds later. ok is false where that is before year 0 or after 9999; within year 0
// MySQL gives the zero date.
func (m Moment) plus(usec int64) (out Moment, ok bool) {
	const day = 86400 * 1e6
	usec += m.microsecondsOfDay()
	days := usec / day
	if usec %= day; usec < 0 {
		usec += day
		days--
	}
	out = clockOf(usec)
	days += m.dayNumber()
	return out.on(days), days >= 0 && days <= lastDayNumber
}
