package doubt

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/cost"
)

// Dates and amounts that are kept as texts, in forms that people and programs write, are told wherever their order or
// their parts count, and where they do not, nothing is.
func TestTextForms(t *testing.T) {
	random := rand.New(rand.NewPCG(57, 3))
	day := func(layout string) func() string {
		return func() string {
			return time.Date(2015+random.IntN(12), 1, 1+random.IntN(365), random.IntN(24), random.IntN(60), 7, 0,
				time.UTC).Format(layout)
		}
	}
	amount := func(tag language.Tag, form string) func() string {
		return func() string { return message.NewPrinter(tag).Sprintf(form, random.Float64()*20000-3000) }
	}
	en, de, fr, ch := language.English, language.German, language.French, language.MustParse("de-CH")
	forms := map[string]func() string{}
	for _, layout := range []string{"02.01.2006", "2.1.2006", "02.01.06", "02/01/2006", "01/02/2006", "1/2/06",
		"01/02/2006 15:04", "02.01.2006 15:04", "02.01.2006 15:04:05", "02-01-2006", "02-Jan-2006", "02-Jan-06",
		"2 January 2006", "2. January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "1/2/2006 3:04 PM",
		"02. 01. 2006", "01/2006", "02.01.2006, 15:04", "Jan 2, 2006 3:04PM"} {
		forms[layout] = day(layout)
	}
	for form, of := range map[string]func() string{"de": amount(de, "%.2f"), "en": amount(en, "%.2f"),
		"fr": amount(fr, "%.2f"), "ch": amount(ch, "%.2f"), "percent": amount(en, "%.0f %%"), "de%": amount(de, "%.1f%%"),
		"€ behind": amount(de, "%.2f €"), "€": amount(de, "€ %.0f"), "$": amount(en, "$%.2f"),
		"USD": amount(en, "USD %.0f"),
		"CHF": amount(ch, "%.2f CHF"), "£": amount(en, "£%.0f")} {
		forms[form] = of
	}
	iso, dots, slashes := day(time.DateOnly), day("02.01.2006"), day("1/2/2006")
	several, turn := []func() string{iso, dots, slashes, func() string { return "n/a" }}, 0
	forms["several"] = func() string {
		turn++
		return several[turn%len(several)]()
	}
	must.Be(t, len(forms) >= 30, len(forms))
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		draw := forms[form]
		s := shop(t)
		parcel, _ := s.Table("parcel")
		note, _ := parcel.Column("note")
		note.Texts = nil
		for range 12 {
			note.Texts = append(note.Texts, draw())
		}
		told := func(sql string) bool {
			q, v, err := sqlcheck.Check(sql, s)
			must.Be(t, err == nil && v.OK, sql, v)
			return slices.ContainsFunc(Findings(q, nil), func(f sqlcheck.Finding) bool {
				return strings.Contains("dates_as_texts numbers_as_texts sum_of_texts", string(f.Reason))
			})
		}
		for _, where := range []string{"SELECT id FROM parcel ORDER BY note DESC LIMIT 1", "SELECT MAX(note) FROM parcel",
			"SELECT id FROM parcel WHERE note >= '2021-01-01'", "SELECT id FROM parcel WHERE note > 100",
			"SELECT id FROM parcel WHERE note BETWEEN '1' AND '2'", "SELECT AVG(note) FROM parcel",
			"SELECT SUM(note) FROM parcel"} {
			must.Be(t, told(where), form, note.Texts[0], where)
		}
		if _, err := fmt.Sscanf(form, "%d", new(int)); err == nil {
			must.Be(t, told("SELECT id FROM parcel WHERE YEAR(note) = 2021"), form, note.Texts[0])
		}
		for _, where := range []string{"SELECT note FROM parcel", "SELECT id FROM parcel WHERE note = 'x'",
			"SELECT COUNT(note) FROM parcel"} {
			must.Be(t, !told(where), form, note.Texts[0], where)
		}
	}
	for _, texts := range [][]string{{"2021-03-04", "2020-01-01"}, {"A12", "B7"}, {"12a", "7"}, {"Main St 4"}, {""},
		{"2021-03-04", "n/a", "soon", "1.2.2021", "later"}} {
		s := shop(t)
		parcel, _ := s.Table("parcel")
		note, _ := parcel.Column("note")
		note.Texts = texts
		q, v, err := sqlcheck.Check("SELECT id FROM parcel ORDER BY note", s)
		must.Be(t, err == nil && v.OK && len(Findings(q, nil)) == 0, texts, v)
	}
}

// STR_TO_DATE with a form that no text has makes NULL of all of them.
func TestOtherDateForm(t *testing.T) {
	s := shop(t)
	parcel, _ := s.Table("parcel")
	note, _ := parcel.Column("note")
	note.Texts, note.AllTexts = []string{"31.12.2021", "01.02.2020"}, true
	for format, told := range map[string]bool{
		"%d.%m.%Y": false, "%e.%c.%Y": false, "%d.%m": false, "%Y-%m-%d": true, "%d/%m/%Y": true, "%d.%m.%Y %H:%i": true,
	} {
		got := Inspect("SELECT id FROM parcel WHERE STR_TO_DATE(note, '"+format+"') > '2020-01-01'", nil, s).Issues
		must.Be(t, (len(got) == 1 && got[0].Reason == "dates_as_texts") == told && len(got) < 2, format, got)
	}
}

// A call with too few or too many arguments is refused, with any function.
func TestInspectAnyArguments(t *testing.T) {
	s := shop(t)
	for name := range cost.Arities {
		for n := range 6 {
			sql := "SELECT " + name + "(" + strings.TrimPrefix(strings.Repeat(", note", n), ", ") + ") FROM parcel"
			days := n == 2 && (name == "adddate" || name == "subdate") // with a unit that need not be written
			must.Be(t, !Inspect(sql, nil, s).Valid || cost.Arities[name].Takes(n) || days, sql)
		}
	}
}

// CAST reads the beginning of a text as a number: it is told where that is another number than the text says, with what
// does help. Quotes do not.
func TestCastTexts(t *testing.T) {
	s := shop(t)
	parcel, _ := s.Table("parcel")
	note, _ := parcel.Column("note")
	for texts, odd := range map[string]bool{
		"388,70|1.234,50": true, "1,234.50|20.00": true, "€ 12|€ 7": true, "1 234|56": true, "1.234.567|8": true, "1'200|7": true,
		"12 %|7 %": false, "12.50|8.00": false, "12 €|8 €": false, "-3.5 €|4 €": false,
	} {
		note.Texts = strings.Split(texts, "|")
		for sql, told := range map[string]bool{
			"SELECT SUM(CAST(note AS DECIMAL(10, 2))) FROM parcel":                    odd,
			"SELECT id FROM parcel ORDER BY CAST(note AS SIGNED)":                     odd,
			"SELECT CAST(note AS CHAR) FROM parcel":                                   false,
			"SELECT SUM(CAST(REPLACE(note, ',', '.') AS DECIMAL(10, 2))) FROM parcel": false,
		} {
			var got []sqlcheck.Reason
			for _, f := range Inspect(sql, nil, s).Issues {
				got = append(got, f.Reason)
			}
			must.Be(t, slices.Contains(got, "dates_as_texts") == told && len(got) < 2, texts, sql, got)
		}
	}
	note.Texts = []string{"388,70", "1.234,50"}
	got := Inspect("SELECT id FROM parcel WHERE note > 100", nil, s).Issues
	must.Equal(t, len(got), 1)
	must.Equal(t, got[0].Suggestion, "CAST reads them once REPLACE has made a decimal comma a point and taken other signs away")
}
