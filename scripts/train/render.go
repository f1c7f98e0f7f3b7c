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
	"Show": {"List", "Show", "Give me", "Find", "Display", "Return", "List", "Show", "Show me", "Get", "Please list",
		"Can you list", "Could you show me", "I need", "Give", "Tell me"},
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
	if b.lang != "" {
		return b.localPart(variable, attr)
	}
	word, ok := "", false
	switch v := b.has[variable].(type) {
	case int:
		if word, ok = strconv.Itoa(v), true; attr == "word" && v < 10 {
			word = strings.Fields("zero one two three four five six seven eight nine")[v]
		}
	case *table:
		word, ok = v.word(attr)
	case *column:
		word, ok = v.word(attr)
	case *filter:
		return b.filterWord(v, attr)
	case *link:
		word, ok = b.linkWord(v, attr)
	case *tie:
		word, ok = map[string]string{"did": v.did, "do": v.do}[attr], true
	}
	if !ok {
		return "", fmt.Errorf("{%s} means nothing here", part)
	}
	return word, nil
}

func (t *table) word(attr string) (string, bool) {
	if strings.HasPrefix(attr, "show") && len(t.show) == 0 {
		return "", false
	}
	switch attr {
	case "":
		return t.many, true
	case "one":
		return t.one, true
	case "a":
		return article(t.one), true
	case "show":
		return t.showNoun(false), true
	case "show1":
		return t.show[0].noun, true
	case "shows":
		return t.showNoun(true), true
	}
	return "", false
}

func (c *column) word(attr string) (string, bool) {
	switch attr {
	case "":
		return c.noun, true
	case "s":
		return plural(c.noun), true
	case "a":
		return article(c.noun), true
	case "do":
		return c.do, c.do != ""
	}
	return "", false
}

func (b *binder) filterWord(f *filter, attr string) (string, error) {
	switch attr {
	case "": // behind a plural
		that := f.that
		if len(that) == 0 || b.rng.IntN(3) == 0 {
			for _, do := range f.do {
				that = append(that, "that "+do)
			}
		}
		return pick(b.rng, that), nil
	case "do":
		return pick(b.rng, f.do), nil
	case "does":
		return single(pick(b.rng, f.do)), nil
	case "to": // behind a singular
		if len(f.that) > 0 && b.rng.IntN(3) > 0 {
			return pick(b.rng, f.that), nil
		}
		return "that " + single(pick(b.rng, f.do)), nil
	case "bare", "raw", "quoted": // the value alone
		return b.value(f, attr)
	case "nextyear":
		return strconv.Itoa(f.year + 1), nil
	}
	return "", fmt.Errorf("{.%s} means nothing here", attr)
}

func (b *binder) linkWord(l *link, attr string) (string, bool) {
	switch attr {
	case "did":
		return l.did, true
	case "has":
		return single(l.did), true
	case "as":
		return l.as, true
	case "a":
		return article(l.as), true
	case "none":
		if l.do == "have" {
			return pick(b.rng, []string{"do not have any", "have no"}), true
		}
		if l.do == l.did { // own
			return pick(b.rng, []string{"do not " + l.do + " any", l.do + " no"}), true
		}
		return pick(b.rng, []string{"did not " + l.do + " any", "never " + l.did + " any", "have not " +
			participle(l) + " any"}), true
	}
	return "", false
}

func participle(l *link) string {
	if p, ok := map[string]string{"wrote": "written", "gave": "given", "took": "taken", "drove": "driven",
		"had": "had"}[l.did]; ok {
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

// chat is what people say before they ask.
var chat = []string{"Quick question: ", "Hi, ", "For a report: ", "Please tell me: ", "I would like to know: ",
	"Just checking: ", "My boss wants to know: "}

// polish puts the marks and the case of a sentence right, or at times leaves them as people type.
func (b *binder) polish(q string) string {
	q = strings.Join(strings.Fields(q), " ")
	if b.lang != "" {
		return b.localPolish(q)
	}
	if strings.HasPrefix(q, "Can you") || strings.HasPrefix(q, "Could you") {
		q = strings.TrimRight(q, ".?") + "?"
	} else if strings.HasPrefix(q, "Tell me") || strings.HasPrefix(q, "Find") || strings.HasPrefix(q, "Give me") ||
		strings.HasPrefix(q, "Show") || strings.HasPrefix(q, "Calculate") || strings.HasPrefix(q, "Get ") ||
		strings.HasPrefix(q, "Return") || strings.HasPrefix(q, "I need") {
		q = strings.Replace(strings.TrimRight(q, ".?")+".", "? ", ". ", 1)
	}
	r, n := utf8.DecodeRuneInString(q)
	if asking := strings.HasSuffix(q, "?") && strings.IndexByte(q, '?') == len(q)-1; asking &&
		!strings.HasPrefix(q, "C") && b.rng.IntN(16) == 0 {
		return pick(b.rng, chat) + string(unicode.ToLower(r)) + q[n:]
	}
	if q = string(unicode.ToUpper(r)) + q[n:]; !strings.ContainsAny(q[len(q)-1:], "?.") && b.rng.IntN(2) == 0 {
		return string(r) + q[n:] // a telegram
	}
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
