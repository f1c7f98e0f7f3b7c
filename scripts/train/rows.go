package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

var (
	firstNames = strings.Fields("Anna Ben Clara David Elif Farid Greta Hugo Ines Jonas Karla Liam Mara Nils Olga " +
		"Paul Rosa Sami Tessa Uwe Vera Wim Yara Zoe Álvaro Chloé Søren Łucja Émile Márta")
	lastNames = strings.Fields("Adler Bauer Costa Duarte Eriksen Fontaine Gruber Hassan Ivanov Jansen Keller " +
		"Lindqvist Moreau Novak Okafor Petrov Quint Rossi Schäfer Tanaka Ulrich Vidal Weiss Ximénez Young Zimmer " +
		"Müller García Brönner O'Neill")
)

// fill makes the rows of a table, a rule a column.
func fill(rng *rand.Rand, d *database, t *table, rules []string, data map[string][][]string) ([][]string, error) {
	var rows [][]string
	seen := map[string]bool{}
	for try := 0; len(rows) < t.rows && try < t.rows*20; try++ {
		var row []string
		at := map[string]string{}
		id := ""
		for _, r := range rules {
			f := strings.Split(r, "|")
			for i := range f {
				f[i] = strings.TrimSpace(f[i])
			}
			rule := ""
			if len(f) > 4 {
				rule = f[4]
			}
			v, err := value(rng, d, t, f[0], rule, len(rows), at, data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f[0], err)
			}
			at[f[0]] = v
			row = append(row, v)
		}
		for _, k := range t.pk {
			id += at[k] + "\x00"
		}
		if id != "" && seen[id] {
			continue
		}
		seen[id] = true
		rows = append(rows, row)
	}
	return rows, nil
}

// value follows a rule: serial N, person, first, last, list A;B, pick A,B, code A=x,B=y, A..B, after COLUMN A..B, day
// DATE LAYOUT, inside TABLE A B; with null N% behind it.
func value(rng *rand.Rand, d *database, t *table, colName, rule string, n int, at map[string]string,
	data map[string][][]string) (string, error) {
	if base, percent, ok := strings.Cut(" "+rule, " null "); ok {
		p, err := strconv.Atoi(strings.TrimSuffix(percent, "%"))
		if err != nil {
			return "", err
		}
		if rng.IntN(100) < p {
			return "NULL", nil
		}
		rule = strings.TrimSpace(base)
	}
	verb, rest, _ := strings.Cut(rule, " ")
	switch verb {
	case "": // a reference
		return reference(rng, d, t, colName, n, atoi(at[first1(t.pk)]), data)
	case "ref": // TABLE N: the N-th cell of a row there, the same row for all such cells of this row
		table, cell, _ := strings.Cut(rest, " ")
		rows := data[table]
		if at["ref"] == "" {
			at["ref"] = strconv.Itoa(skew(rng, len(rows)))
		}
		return rows[atoi(at["ref"])][atoi(cell)], nil
	case "serial":
		if prefix := strings.TrimRight(rest, "0123456789"); prefix != "" {
			digits := rest[len(prefix):]
			return prefix + fmt.Sprintf("%0*d", len(digits), atoi(digits)+n), nil
		}
		return strconv.Itoa(atoi(rest) + n), nil
	case "day": // DATE LAYOUT: the n-th day from that date
		from, layout, _ := strings.Cut(rest, " ")
		first, err := time.Parse(time.DateOnly, from)
		d := first.AddDate(0, 0, n)
		if layout == "quarter" {
			return strconv.Itoa((int(d.Month()) + 2) / 3), err
		}
		return d.Format(cmp.Or(layout, time.DateOnly)), err
	case "inside": // TABLE A B: between the A-th and the B-th cell of the row there that ref chose
		f := strings.Fields(rest)
		row := data[f[0]][atoi(at["ref"])]
		from, to, err := bounds(row[atoi(f[1])] + ".." + row[atoi(f[2])])
		return strconv.FormatFloat(from+(to-from)*rng.Float64(), 'f', 2, 64), err
	case "position": // within the row's parent: 1, 2, …
		return strconv.Itoa(1 + rng.IntN(4)), nil
	case "person":
		return pick(rng, firstNames) + " " + pick(rng, lastNames), nil
	case "first":
		return pick(rng, firstNames), nil
	case "last":
		return pick(rng, lastNames), nil
	case "list":
		list := strings.Split(rest, ";")
		v := strings.TrimSpace(list[n%len(list)])
		if n >= len(list) {
			v += " " + strconv.Itoa(n/len(list)+1)
		}
		return v, nil
	case "pick":
		list := strings.Split(rest, ",")
		return strings.TrimSpace(list[skew(rng, len(list))]), nil
	case "code":
		list := strings.Split(rest, ",")
		v, _, _ := strings.Cut(strings.TrimSpace(list[skew(rng, len(list))]), "=")
		return v, nil
	case "after":
		col, span, _ := strings.Cut(rest, " ")
		if at[col] == "NULL" {
			return "NULL", nil
		}
		from, to, err := bounds(span)
		if err != nil {
			return "", err
		}
		day, err := time.Parse(time.DateOnly, at[col][:10])
		return day.AddDate(0, 0, int(from)+rng.IntN(int(to-from)+1)).Format(time.DateOnly) + at[col][10:], err
	}
	if strings.Count(strings.Split(rule, "..")[0], "-") == 2 {
		return day(rng, rule)
	}
	from, to, err := bounds(rule)
	if err != nil {
		return "", err
	}
	_, frac, _ := strings.Cut(strings.Split(rule, "..")[0], ".")
	f := rng.Float64()
	return strconv.FormatFloat(from+(to-from)*f*f, 'f', len(frac), 64), nil
}

// day is a date between two, with a time if the rule ends in clock.
func day(rng *rand.Rand, rule string) (string, error) {
	rule, clock := strings.CutSuffix(rule, " clock")
	first, last, _ := strings.Cut(rule, "..")
	from, err := time.Parse(time.DateOnly, first)
	if err != nil {
		return "", err
	}
	to, err := time.Parse(time.DateOnly, last)
	text := from.AddDate(0, 0, rng.IntN(int(to.Sub(from).Hours()/24)+1)).Format(time.DateOnly)
	if clock {
		text += fmt.Sprintf(" %02d:%02d:00", 7+rng.IntN(13), 5*rng.IntN(12))
	}
	return text, err
}

// skew is a number below n, rather a low one.
func skew(rng *rand.Rand, n int) int {
	return int(float64(n) * rng.Float64() * (0.4 + 0.6*rng.Float64()))
}

// reference is the key of a row of the table that a column refers to; of its own table, of one of the rows before the
// n-th.
func reference(rng *rand.Rand, d *database, t *table, colName string, n, id int,
	data map[string][][]string) (string, error) {
	for _, l := range d.links {
		if l.child != t || l.cols[0] != colName {
			continue
		}
		if l.parent != t {
			rows := data[l.parent.name]
			return rows[skew(rng, len(rows)*9/10+1)%len(rows)][0], nil
		}
		if n == 0 {
			return "NULL", nil
		}
		return strconv.Itoa(id - n + rng.IntN(min(n, 6))), nil
	}
	return "", fmt.Errorf("no rule")
}

func bounds(span string) (from, to float64, err error) {
	a, b, ok := strings.Cut(span, "..")
	if !ok {
		return 0, 0, fmt.Errorf("rule %q is unknown", span)
	}
	if from, err = strconv.ParseFloat(a, 64); err != nil {
		return 0, 0, err
	}
	to, err = strconv.ParseFloat(b, 64)
	return from, to, err
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }
