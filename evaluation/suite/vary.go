package suite

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/evaluation/score"
)

// pick takes a real row; every second time one that has a value that some gold query asks for, if there is one.
func (b *breeder) pick(t *tableFacts, rng *rand.Rand) []any {
	real := b.Rows[t.Name]
	row := real[rng.IntN(len(real))]
	if all := b.mentions[t.Name]; len(all) > 0 && rng.IntN(2) == 0 {
		m := all[rng.IntN(len(all))]
		j := t.places([]string{m.Column})[0]
		for range 50 {
			other := real[rng.IntN(len(real))]
			if asked(m, other[j]) {
				return other
			}
		}
	}
	return row
}

// asked says that a cell is what a query compares with, roughly.
func asked(m mention, cell any) bool {
	text := strings.ToLower(fmt.Sprint(cell))
	want := strings.ToLower(strings.Trim(m.Value, "%_"))
	if m.Like || m.Part != "" {
		return strings.Contains(text, want)
	}
	return text == want
}

// vary changes some values of a row that belong to no key and no reference.
func (b *breeder) vary(t *tableFacts, row, before []any, rng *rand.Rand) {
	moved := false
	for j, c := range t.columns {
		if c.fixed || len(c.values) == 0 {
			continue
		}
		unique := slices.ContainsFunc(t.keys, func(key []int) bool { return slices.Contains(key, j) })
		switch {
		case unique:
		case c.Nullable && len(c.values) > 0 && b.sawNull(t, j) && rng.IntN(8) == 0:
			row[j] = nil
		case c.listed:
			if rng.IntN(6) == 0 {
				row[j] = c.values[rng.IntN(len(c.values))]
			}
		case before != nil && rng.IntN(6) == 0 && c.kind != dateColumn: // a tie
			row[j] = before[j]
		case row[j] == nil:
		case c.kind.number() && rng.IntN(3) == 0:
			row[j] = b.near(t, j, row[j], rng)
		case c.kind == textColumn && rng.IntN(8) == 0:
			row[j] = b.spell(t, j, row[j], rng)
		case c.kind == dateColumn && !moved && rng.IntN(3) == 0:
			moved = true
			b.move(t, row, before, j, rng)
		}
	}
}

// sawNull says that a column holds NULL in the real rows.
func (b *breeder) sawNull(t *tableFacts, j int) bool {
	return slices.ContainsFunc(b.Rows[t.Name], func(row []any) bool { return row[j] == nil })
}

// about are the mentions of a column.
func (b *breeder) about(t *tableFacts, j int) []mention {
	var out []mention
	for _, m := range b.mentions[t.Name] {
		if m.Column == t.columns[j].Name {
			out = append(out, m)
		}
	}
	return out
}

// near is a number that a query compares with, the one before or after it, an end of the range, or any of the real
// ones.
func (b *breeder) near(t *tableFacts, j int, old any, rng *rand.Rand) any {
	c := t.columns[j]
	value := c.values[rng.IntN(len(c.values))]
	if all := b.about(t, j); len(all) > 0 && rng.IntN(2) == 0 {
		x, ok := new(big.Rat).SetString(all[rng.IntN(len(all))].Value)
		if !ok {
			return old
		}
		step := big.NewRat(1, 1)
		if rng.IntN(2) == 0 {
			step.SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.scale)), nil))
		}
		x.Add(x, step.Mul(step, big.NewRat(int64(rng.IntN(3)-1), 1)))
		if c.kind == floatColumn {
			f, _ := x.Float64()
			value = f
		} else if value, ok = c.number(x.FloatString(c.scale)); !ok || !c.holds(value) {
			return old
		}
	} else if rng.IntN(4) == 0 {
		value = slices.MinFunc(c.values, compareNumbers)
		if rng.IntN(2) == 0 {
			value = slices.MaxFunc(c.values, compareNumbers)
		}
	}
	if low, _ := score.Number(slices.MinFunc(c.values, compareNumbers)); low >= 0 {
		if v, _ := score.Number(value); v < 0 || v == 0 && low > 0 {
			return old
		}
	}
	return value
}

func compareNumbers(a, b any) int {
	x, _ := score.Number(a)
	y, _ := score.Number(b)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// spell is a text that a query looks for, in another case, with something around it or nearly so.
func (b *breeder) spell(t *tableFacts, j int, old any, rng *rand.Rand) any {
	c := t.columns[j]
	all := b.about(t, j)
	if len(all) == 0 || rng.IntN(3) == 0 {
		return c.values[rng.IntN(len(c.values))]
	}
	m := all[rng.IntN(len(all))]
	core := strings.Trim(m.Value, "%_")
	if core == "" {
		return old
	}
	text := []string{core, strings.ToUpper(core), strings.ToLower(core), core + " x", "x " + core, "x " + core + " x",
		core[:len(core)-1], core + "s"}[rng.IntN(8)]
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	if n, bounded := c.typ.Length(); bounded && len([]rune(text)) > n || text == "" {
		return old
	}
	return text
}

// move shifts all dates of a row, so that column j is the one before, or beside what a query compares with.
func (b *breeder) move(t *tableFacts, row, before []any, j int, rng *rand.Rand) {
	now, ok := dayOf(row[j])
	if !ok {
		return
	}
	target := now.AddDate(0, 0, rng.IntN(61)-30)
	all := b.about(t, j)
	if before != nil && rng.IntN(3) == 0 {
		if day, ok := dayOf(before[j]); ok {
			target = day
		}
	} else if len(all) > 0 && rng.IntN(3) > 0 {
		m := all[rng.IntN(len(all))]
		if day, ok := dayOf(m.Value); ok {
			target = day.AddDate(0, 0, rng.IntN(3)-1)
		} else if year, err := strconv.Atoi(m.Value); err == nil && m.Part == "year" {
			ends := []string{"%04d-01-01", "%04d-12-31", "%04d-06-15"}
			if day, ok := dayOf(fmt.Sprintf(ends[rng.IntN(3)], year+rng.IntN(3)-1)); ok {
				target = day
			}
		}
	}
	days := int(target.Sub(now).Hours() / 24)
	for k, c := range t.columns {
		if c.kind == dateColumn && !c.fixed && !c.listed {
			if v, ok := shift(row[k], days, c.typ); ok {
				row[k] = v
			}
		}
	}
}

func dayOf(v any) (time.Time, bool) {
	text, _ := v.(string)
	if len(text) < len(time.DateOnly) {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return day, err == nil
}
