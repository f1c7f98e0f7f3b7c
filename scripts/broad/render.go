package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var slot = regexp.MustCompile(`\{([^{}]+)\}`)

// openers stand for the first words of a question.
var openers = map[string][]string{
	"Show": {"List", "Show", "Give me", "Find", "Display", "Return", "List", "Show", "Show me", "Get", "Please list", "Can you list", "Could you show me", "I need", "Give", "Tell me"},
	"What": {"What is", "What is", "What is", "What's", "Tell me", "Give me", "Find", "Show", "Calculate", "I need"},
	"are":  {"What are", "What are", "List", "Show", "Give me", "Find"},
	"each": {"each", "every"},
	"per":  {"per", "for each", "by", "for every"},
	"most": {"the most", "the highest number of", "the largest number of"},
}

// fillIn replaces the slots of a template.
func fillIn(template string, part func(string) (string, error)) (string, error) {
	var failed error
	out := slot.ReplaceAllStringFunc(template, func(s string) string {
		v, err := part(s[1 : len(s)-1])
		if err != nil {
			failed = err
		}
		return v
	})
	return out, failed
}

// wordPart renders {…} of a wording.
func (b *binder) wordPart(part string) (string, error) {
	if list, ok := openers[part]; ok {
		return pick(b.rng, list), nil
	}
	if strings.Contains(part, "/") { // one of these
		return pick(b.rng, strings.Split(part, "/")), nil
	}
	variable, attr, _ := strings.Cut(part, ".")
	switch v := b.has[variable].(type) {
	case int:
		if attr == "word" && v < 10 {
			return strings.Fields("zero one two three four five six seven eight nine")[v], nil
		}
		return strconv.Itoa(v), nil
	case *table:
		if strings.HasPrefix(attr, "show") && len(v.show) == 0 {
			return "", fmt.Errorf("%s has nothing to show", v.name)
		}
		switch attr {
		case "":
			return v.many, nil
		case "one":
			return v.one, nil
		case "a":
			return article(v.one), nil
		case "show":
			return v.showNoun(false), nil
		case "show1":
			return v.show[0].noun, nil
		case "shows":
			return v.showNoun(true), nil
		case "de":
			return german(v.name), nil
		case "showde":
			var list []string
			for _, c := range v.show {
				list = append(list, german(c.expr))
			}
			return strings.Join(list, " und "), nil
		}
	case *column:
		switch attr {
		case "":
			return v.noun, nil
		case "s":
			return plural(v.noun), nil
		case "a":
			return article(v.noun), nil
		case "do":
			if v.do != "" {
				return v.do, nil
			}
			return "", fmt.Errorf("%s has no verb", v.noun)
		case "de":
			if strings.Count(v.expr, "{") == 1 && !strings.HasSuffix(v.expr, "_am}") {
				return german(v.expr), nil
			}
			return "", fmt.Errorf("%s has no German name", v.noun)
		}
	case *filter:
		switch attr {
		case "": // behind a plural
			that := v.that
			if len(that) == 0 || b.rng.IntN(3) == 0 {
				for _, do := range v.do {
					that = append(that, "that "+do)
				}
			}
			return pick(b.rng, that), nil
		case "do":
			return pick(b.rng, v.do), nil
		case "does":
			return single(pick(b.rng, v.do)), nil
		case "to": // behind a singular
			if len(v.that) > 0 && b.rng.IntN(3) > 0 {
				return pick(b.rng, v.that), nil
			}
			return "that " + single(pick(b.rng, v.do)), nil
		case "bare", "raw", "quoted": // the value alone
			return b.value(v, attr)
		case "nextyear":
			return strconv.Itoa(v.year + 1), nil
		}
	case *link:
		switch attr {
		case "did", "do":
			if v.did == "have" && attr == "did" {
				return pick(b.rng, []string{"have", "have"}), nil
			}
			return map[string]string{"did": v.did, "do": v.do}[attr], nil
		case "none":
			if v.do == "have" {
				return pick(b.rng, []string{"do not have any", "have no"}), nil
			}
			if v.do == v.did { // own
				return pick(b.rng, []string{"do not " + v.do + " any", v.do + " no"}), nil
			}
			return pick(b.rng, []string{"did not " + v.do + " any", "never " + v.did + " any", "have not " + participle(v) + " any"}), nil
		case "as":
			return v.as, nil
		case "a":
			return article(v.as), nil
		case "has":
			return single(v.did), nil
		}
	case *tie:
		return map[string]string{"did": v.did, "do": v.do}[attr], nil
	}
	return "", fmt.Errorf("{%s} means nothing", part)
}

func participle(l *link) string {
	if p, ok := map[string]string{"wrote": "written", "gave": "given", "took": "taken", "drove": "driven", "had": "had"}[l.did]; ok {
		return p
	}
	return l.did
}

// value is what a condition of equality compares with, in words.
func (b *binder) value(f *filter, how string) (string, error) {
	if f.year != 0 {
		return strconv.Itoa(f.year), nil
	}
	if f.label != "" {
		if how == "quoted" {
			return b.valueText(f.columns[0], f.label), nil
		}
		return f.label, nil
	}
	c := f.columns[0]
	_, v, ok := strings.Cut(f.sql, " = ")
	if !ok {
		return "", fmt.Errorf("%s has no one value", f.sql)
	}
	v = strings.ReplaceAll(strings.Trim(v, "'"), "''", "'")
	m := c.meaning[v]
	switch {
	case how == "raw" || m == "" && how == "bare":
		return v, nil
	case m != "":
		return m, nil
	}
	return b.valueText(c, v), nil
}

var umlauts = strings.NewReplacer("ae", "ä", "oe", "ö", "ue", "ü")

// german is a name as a German noun.
func german(expr string) string {
	words := strings.FieldsFunc(strings.Trim(expr, "{}"), func(r rune) bool { return r == '_' || r == ' ' })
	for i, w := range words {
		r, n := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToUpper(r)) + w[n:]
	}
	if words[len(words)-1] == "Nr" {
		words[len(words)-1] = "Nummer"
	}
	return umlauts.Replace(strings.Join(words, "-"))
}

// showNoun is what the columns are called that stand for a row: "name", "first and last name", "order number".
func (t *table) showNoun(many bool) string {
	noun := t.show[0].noun
	if len(t.show) == 2 {
		first, okFirst := strings.CutSuffix(t.show[0].noun, " name")
		last, okLast := strings.CutSuffix(t.show[1].noun, " name")
		if okFirst && okLast {
			noun = first + " and " + last + " name"
		} else {
			noun = t.show[0].noun + " and " + t.show[1].noun
		}
	}
	if many {
		return plural(noun)
	}
	return noun
}

// polish puts the marks and the case of a sentence right, or at times leaves them as people type.
func (b *binder) polish(q string) string {
	q = strings.Join(strings.Fields(q), " ")
	if strings.HasPrefix(q, "Can you") || strings.HasPrefix(q, "Could you") {
		q = strings.TrimRight(q, ".?") + "?"
	} else if strings.HasPrefix(q, "Tell me") || strings.HasPrefix(q, "Find") || strings.HasPrefix(q, "Give me") || strings.HasPrefix(q, "Show") || strings.HasPrefix(q, "Calculate") || strings.HasPrefix(q, "Get ") || strings.HasPrefix(q, "Return") || strings.HasPrefix(q, "I need") {
		q = strings.Replace(strings.TrimRight(q, ".?")+".", "? ", ". ", 1)
	}
	r, n := utf8.DecodeRuneInString(q)
	q = string(unicode.ToUpper(r)) + q[n:]
	switch b.rng.IntN(24) {
	case 0:
		q = strings.TrimRight(q, ".?")
	case 1:
		if !unicode.IsUpper(rune(q[1])) {
			q = strings.TrimRight(strings.ToLower(q[:1])+q[1:], ".?")
		}
	}
	return q
}
