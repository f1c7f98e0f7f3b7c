package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// languages are those of lexicon.txt besides English, in its order.
var languages = []string{"de", "es", "fr"}

//go:embed lexicon.txt
var lexiconText string

// noun is a word with its gender: m, f or n.
type noun struct {
	gender    byte
	one, many string
}

// lexicon holds the nouns of a language by the English ones, valueWords what values are called there.
var lexicon, valueWords = readLexicon(lexiconText)

func readLexicon(text string) (nouns map[string]map[string]*noun, values map[string]map[string]string) {
	nouns, values = map[string]map[string]*noun{}, map[string]map[string]string{}
	for _, lang := range languages {
		nouns[lang], values[lang] = map[string]*noun{}, map[string]string{}
	}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		for i, lang := range languages {
			if len(f) <= i+1 {
				break
			}
			if v, ok := strings.CutPrefix(f[0], "= "); ok {
				values[lang][v] = f[i+1]
				continue
			}
			one, many, _ := strings.Cut(f[i+1][2:], "/")
			nouns[lang][f[0]] = &noun{f[i+1][0], one, many}
		}
	}
	return nouns, values
}

// local is the noun of a column; nil if it has none. Keys are numbers, names are names.
func (c *column) local(lang string) *noun {
	if n := lexicon[lang][c.noun]; n != nil {
		return n
	}
	for _, last := range []string{"number", "id", "name"} {
		if (c.role == key || c.role == name) && strings.HasSuffix(" "+c.noun, " "+last) {
			return lexicon[lang][last]
		}
	}
	return nil
}

// spoken says that there are words for a table and for what stands for its rows.
func (t *table) spoken(lang string) bool {
	return lexicon[lang][t.one] != nil && len(t.show) > 0 &&
		!slices.ContainsFunc(t.show, func(c *column) bool { return c.local(lang) == nil })
}

// localShow is what the columns are called that stand for a row.
func (t *table) localShow(lang string) *noun {
	if len(t.show) == 2 && t.show[0].noun == "first name" {
		return lexicon[lang]["first and last name"]
	}
	return t.show[0].local(lang)
}

// forms are the endings and articles of a language by attribute, for m, f and n; with a star the noun follows, with
// two in the plural.
var forms = map[string]map[string]string{
	"de": {"article": "der,die,das", "Article": "Der,Die,Das", "den": "den,die,das", "n": "n,,", "m": "m,r,m",
		"r": "r,,s", "dem": "dem,der,dem", "jeden": "jeden,jede,jedes",
		"jeder": "jeder,jede,jedes", "Welcher": "Welcher,Welche,Welches", "le": "der *,die *,das *"},
	"es": {"le": "el *,la *", "les": "los,las", "des": "de los,de las", "du": "del *,de la *", "o": "o,a",
		"un": "un *,una *", "tous": "todos,todas", "Cuántos": "Cuántos,Cuántas", "antiguos": "antiguos,antiguas",
		"showle": "el *,la *"},
	"fr": {"le": "le *,la *", "la": "le,la", "les": "les,les", "des": "des,des", "du": "du *,de la *", "e": ",e",
		"ne": ",ne", "se": ",se", "un": "un *,une *", "tous": "tous,toutes", "Quel": "Quel,Quelle",
		"Quels": "Quels,Quelles", "anciens": "anciens,anciennes", "de": "de **,de **", "sde": "de **,de **",
		"showle": "le *,la *"},
}

var vowels = strings.NewReplacer("le #", "l'", "la #", "l'", "de la #", "de l'", "du #", "de l'", "de #", "d'", "#", "")

// form is a noun with what an attribute puts around it.
func (n *noun) form(lang, attr string) (string, bool) {
	switch attr {
	case "", "one":
		return n.one, true
	case "s":
		return n.many, true
	}
	list, ok := forms[lang][attr]
	if !ok {
		return "", false
	}
	f := strings.Split(list, ",")[max(0, strings.IndexByte("mfn", n.gender))]
	mark := ""
	if lang == "fr" && strings.ContainsRune("aeiouhéèêâîôAEIOUÉ", firstRune(n.one)) {
		mark = "#"
	}
	f = strings.Replace(f, "**", mark+n.many, 1)
	return vowels.Replace(strings.Replace(f, "*", mark+n.one, 1)), true
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// dative is a German noun behind "dem" or "zu den".
func (n *noun) dative(many bool) string {
	w := n.one
	if many {
		if w = n.many; !strings.HasSuffix(w, "n") && !strings.HasSuffix(w, "s") {
			return w + "n"
		}
		return w
	}
	if n.gender == 'm' && strings.HasSuffix(w, "e") {
		return w + "n"
	}
	for _, end := range []string{"ent", "ant", "dat", "ist", "ekt", "ilot"} {
		if n.gender == 'm' && strings.HasSuffix(w, end) {
			return w + "en"
		}
	}
	return w
}

// localPart renders {x.attr} of a wording in another language.
func (b *binder) localPart(variable, attr string) (string, error) {
	var n *noun
	switch v := b.has[variable].(type) {
	case int:
		return strconv.Itoa(v), nil
	case *filter:
		if attr == "" {
			return pick(b.rng, v.that), nil
		}
		return b.value(v, attr)
	case *table:
		n = lexicon[b.lang][v.one]
		switch attr {
		case "":
			return n.many, nil
		case "n":
			return n.dative(true), nil
		case "dat":
			return n.dative(false), nil
		case "of_one":
			return map[byte]string{'m': "vom ", 'n': "vom ", 'f': "von der "}[n.gender] + n.dative(false), nil
		case "show", "showle":
			n = v.localShow(b.lang)
			if attr == "show" || b.lang == "de" {
				attr = ""
			}
		}
	case *column:
		if n = v.local(b.lang); n != nil && attr == "de" && b.lang == "fr" {
			s, _ := (&noun{n.gender, n.one, n.one}).form("fr", "de")
			return s, nil
		}
	}
	if n != nil {
		if word, ok := n.form(b.lang, attr); ok {
			return word, nil
		}
	}
	return "", fmt.Errorf("{%s.%s} means nothing in %s", variable, attr, b.lang)
}

// relative are clauses behind a plural about one column of it: # is the noun, @ what is said of it; the second form is
// without a verb.
var relative = map[string][2]string{"de": {", deren # @", "mit #"}, "es": {"cuyo # @", "con #"},
	"fr": {"dont le # @", "avec #"}}

// clause says of the rows that their column is such.
func (b *binder) clause(n *noun, said string) string {
	text := n.one
	frame := relative[b.lang][0]
	switch b.lang {
	case "es":
		if n.gender == 'f' {
			frame = strings.Replace(frame, "cuyo", "cuya", 1)
		}
	case "fr":
		text, _ = n.form("fr", "le")
		frame = strings.Replace(frame, "le #", "#", 1)
	}
	return strings.NewReplacer("#", text, "@", said).Replace(frame)
}

// said are comparisons: > < >= <= between, and equality, with % for the value.
var said = map[string]map[string]string{
	"de": {">": "über % liegt", "<": "unter % liegt", ">=": "mindestens % beträgt", "<=": "höchstens % beträgt",
		"BETWEEN": "zwischen % und % liegt", "=": "% ist", "<>": "nicht % ist"},
	"es": {">": "es mayor que %", "<": "es menor que %", ">=": "es de al menos %", "<=": "es como máximo %",
		"BETWEEN": "está entre % y %", "=": "es %", "<>": "no es %"},
	"fr": {">": "dépasse %", "<": "est inférieur{e} à %", ">=": "est d'au moins %", "<=": "est d'au plus %",
		"BETWEEN": "est entre % et %", "=": "est %", "<>": "n'est pas %"},
}

// localCondition is a condition on c in words of the language; nil if there is none.
func (b *binder) localCondition(c *column) *filter {
	n := c.local(b.lang)
	if n == nil || len(c.values) < 3 {
		return nil
	}
	f := &filter{columns: []*column{c}}
	say := func(op string, values ...string) *filter {
		s := said[b.lang][op]
		for _, v := range values {
			s = strings.Replace(s, "%", v, 1)
		}
		feminine := map[bool]string{true: "e"}[n.gender == 'f']
		f.that = []string{b.clause(n, strings.Replace(s, "{e}", feminine, 1))}
		if op == "=" {
			f.that = append(f.that, strings.Replace(relative[b.lang][1], "#", n.one, 1)+" "+values[0])
		}
		return f
	}
	switch c.role {
	case category:
		if c.meaning != nil || len(c.values) > 60 {
			return nil
		}
		v := pick(b.rng, c.values)
		op := "="
		if !c.nulls && b.rng.IntN(9) == 0 {
			op = "<>"
		}
		f.sql = c.expr + " " + op + " " + c.literal(v)
		word := valueWords[b.lang][v]
		if word == "" {
			word = b.valueText(c, v)
		}
		return say(op, word)
	case moment:
		return b.localWhen(c)
	case amount, rate, year:
		k := len(c.values)
		v, w := round(c.values[k/5+b.rng.IntN(k*3/5+1)]), round(c.values[k*4/5])
		op := pick(b.rng, []string{">", ">", "<", ">=", "<=", "BETWEEN"})
		if c.role == year {
			op = "="
		}
		if op == "BETWEEN" && number(v) < number(w) {
			f.sql = fmt.Sprintf("%s BETWEEN %s AND %s", c.expr, v, w)
			return say(op, b.localNumber(v), b.localNumber(w))
		} else if op == "BETWEEN" {
			op = ">"
		}
		f.sql = c.expr + " " + op + " " + v
		if c.role == year {
			return say(op, v)
		}
		return say(op, b.localNumber(v))
	}
	return nil
}

// localNumber writes a number with a comma, and at times with points between thousands.
func (b *binder) localNumber(v string) string {
	if strings.ContainsAny(v, ".") {
		return strings.Replace(v, ".", ",", 1)
	}
	if len(v) > 3 && len(v) < 7 && b.rng.IntN(4) == 0 {
		return v[:len(v)-3] + map[string]string{"de": ".", "es": ".", "fr": " "}[b.lang] + v[len(v)-3:]
	}
	return v
}

var monthNames = map[string][]string{
	"de": strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
	"es": strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	"fr": strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}

// whenWords say when, by kind: Y is the year, M the month, D a day, E another.
var whenWords = map[string]map[string][]string{
	"de": {"year": {"aus dem Jahr Y", "im Jahr Y", "von Y"}, "month": {"vom M Y", "im M Y", "aus dem M Y"},
		"before": {"vor dem D"}, "after": {"nach dem D"}, "between": {"zwischen dem D und dem E", "vom D bis zum E"},
		"on": {"vom D", "am D"}},
	"es": {"year": {"del año Y", "de Y", "en Y"}, "month": {"de M de Y", "en M de Y"}, "before": {"antes del D"},
		"after": {"después del D"}, "between": {"entre el D y el E", "del D al E"}, "on": {"del D"}},
	"fr": {"year": {"de l'année Y", "de Y", "en Y"}, "month": {"de M Y", "en M Y"}, "before": {"avant le D"},
		"after": {"après le D"}, "between": {"entre le D et le E", "du D au E"}, "on": {"du D"}},
}

// localWhen holds a date against a year, a month or other dates. The noun of the column stands before it in brackets
// or as "by".
func (b *binder) localWhen(c *column) *filter {
	n := c.local(b.lang)
	if n == nil || len(c.values) < 4 {
		return nil
	}
	day, err := time.Parse(time.DateOnly, pick(b.rng, c.values)[:min(10, len(c.values[0]))])
	if err != nil {
		return nil
	}
	to := day.AddDate(0, 1+b.rng.IntN(8), b.rng.IntN(20))
	iso := func(t time.Time) string { return literal(t.Format(time.DateOnly)) }
	x := c.expr
	if strings.HasPrefix(c.typ, "datetime") || strings.HasPrefix(c.typ, "timestamp") {
		x = "DATE(" + x + ")"
	}
	f := &filter{columns: []*column{c}}
	kind := pick(b.rng, []string{"year", "year", "year", "month", "month", "before", "after", "between", "on"})
	switch kind {
	case "year":
		f.sql, f.year = fmt.Sprintf("YEAR(%s) = %d", c.expr, day.Year()), day.Year()
	case "month":
		f.sql = fmt.Sprintf("YEAR(%s) = %d AND MONTH(%[1]s) = %d", c.expr, day.Year(), day.Month())
	case "before":
		f.sql = c.expr + " < " + iso(day)
	case "after":
		f.sql = x + " > " + iso(day)
	case "between":
		f.sql = fmt.Sprintf("%s BETWEEN %s AND %s", x, iso(day), iso(to))
	case "on":
		f.sql = x + " = " + iso(day)
	}
	form := b.rng.IntN(2)
	write := func(t time.Time) string {
		month := monthNames[b.lang][t.Month()-1]
		switch {
		case form == 0:
			return t.Format(map[string]string{"de": "02.01.2006", "es": "02/01/2006", "fr": "02/01/2006"}[b.lang])
		case b.lang == "de":
			return fmt.Sprintf("%d. %s %d", t.Day(), month, t.Year())
		case b.lang == "es":
			return fmt.Sprintf("%d de %s de %d", t.Day(), month, t.Year())
		}
		return fmt.Sprintf("%d %s %d", t.Day(), month, t.Year())
	}
	words := strings.NewReplacer("Y", strconv.Itoa(day.Year()), "M", monthNames[b.lang][day.Month()-1], "D", write(day),
		"E", write(to)).Replace(pick(b.rng, whenWords[b.lang][kind]))
	with := map[string]string{"de": "mit ", "es": "con ", "fr": "avec "}[b.lang] + n.one + " "
	f.that = []string{words + " (" + n.one + ")", with + words, with + words}
	return f
}

var plainLetters = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "è", "e", "ê", "e", "à", "a",
	"ç", "c", "û", "u", "ô", "o", "É", "E", "¿", "", "Á", "A")

// localPolish puts marks and case right, or at times leaves them as people type.
func (b *binder) localPolish(q string) string {
	q = strings.NewReplacer(" ,", ",", " .", ".", ",.", ".", " )", ")").Replace(q)
	if b.lang == "fr" && b.rng.IntN(3) == 0 {
		q = strings.NewReplacer(" ?", "?", " :", ":").Replace(q)
	}
	q = strings.TrimSuffix(q, ",")
	r, n := utf8.DecodeRuneInString(q)
	q = string(unicode.ToUpper(r)) + q[n:]
	switch k := b.rng.IntN(20); {
	case k < 2 && !strings.ContainsAny(q, `"'`):
		q = strings.TrimRight(q, " .?")
		if b.lang != "de" {
			q = plainLetters.Replace(string(unicode.ToLower(firstRune(q))) + q[utf8.RuneLen(firstRune(q)):])
		}
	case k == 2:
		q = strings.TrimRight(strings.TrimPrefix(q, "¿"), " .?")
	case k == 3 && b.lang == "de":
		q = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss").Replace(q)
	}
	return q
}
