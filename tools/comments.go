package tools

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// maxComment bounds what is shown of a comment, in bytes: it is read again with every question.
const maxComment = 80

// shownComment is ` "…"` as it follows a name: one line, cut at a word. A comment that says no more than the name shows nothing.
func shownComment(name, comment string) string {
	if comment == "" {
		return ""
	}
	comment = strings.ReplaceAll(strings.Join(strings.FieldsFunc(comment, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "), `"`, "'")
	if len(contentWords(comment, question.SplitName(name))) == 0 {
		return ""
	}
	if len(comment) > maxComment {
		end := strings.LastIndexByte(comment[:maxComment+1], ' ')
		if end <= 0 { // one long word, or a language that has no blanks
			for end = maxComment; end > 0 && !utf8.RuneStart(comment[end]); end-- {
			}
		}
		comment = strings.TrimRight(comment[:end], " ,;:-") + "…"
	}
	return ` "` + comment + `"`
}

// contentWords are the words of a text that name something, stop words and those of without left out.
func contentWords(text string, without []string) []string {
	return slices.DeleteFunc(question.NewBag(text).List, func(w string) bool { return question.IsStopWord(w) || slices.Contains(without, w) })
}

// code is a value of a column, and what the column's comment says that it means: OP is "open".
type code struct{ value, meaning string }

var (
	commentWord = regexp.MustCompile(`[\pL\pN_]+`)
	meaningEnd  = regexp.MustCompile(`[,;/|()\n]|\.(\s|$)`)
	equals      = regexp.MustCompile(`^['"]?\s*[=:]`)
)

// codesOf reads a comment such as "OP open, PD paid", "1 = low / 2 = high" or "open (OP), paid (PD)". A code is a known value of
// a text column, or a whole number. One code alone may be no more than a word of a sentence, unless a sign binds its meaning.
func codesOf(c *schema.Column) []code {
	if c.Comment == "" {
		return nil
	}
	number := c.Kind() == schema.Number
	var at [][]int
	for _, w := range commentWord.FindAllStringIndex(c.Comment, -1) {
		word := c.Comment[w[0]:w[1]]
		if number && strings.Trim(word, "0123456789") == "" || !number && slices.Contains(c.Values, word) {
			at = append(at, w)
		}
	}
	var codes []code
	bound := false
	for i, w := range at {
		end := len(c.Comment)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		meaning, sign := c.Comment[w[1]:end], false
		if w[0] > 0 && c.Comment[w[0]-1] == '(' && strings.HasPrefix(meaning, ")") { // the meaning stands before it
			from := 0
			if i > 0 {
				from = at[i-1][1] + 1
			}
			meaning = strings.Trim(c.Comment[from:w[0]-1], " ,;/|\n")
			if j := strings.LastIndexByte(meaning, ':'); j >= 0 {
				meaning = meaning[j+1:]
			}
			sign = true
		} else {
			sign = equals.MatchString(meaning)
			meaning = strings.TrimLeft(meaning, " '\"=:-–—>→")
			if stop := meaningEnd.FindStringIndex(meaning); stop != nil {
				meaning = meaning[:stop[0]]
			}
		}
		meaning = strings.Trim(meaning, " '\".-–")
		if len(contentWords(meaning, nil)) > 0 {
			codes = append(codes, code{c.Comment[w[0]:w[1]], meaning})
			bound = bound || sign
		}
	}
	if len(codes) < 2 && !bound {
		return nil
	}
	return codes
}

// codeIn is the one code whose meaning a question has the most of. Words that name a table or the column, and questions that fit
// two codes as well, decide nothing.
func codeIn(codes []code, words question.Bag, names []string) (best code, ok bool) {
	most := 0
	for _, c := range codes {
		meant, hit := contentWords(c.meaning, names), 0
		for _, w := range meant {
			if words.Holds(w) {
				hit += 2
			}
		}
		if hit > 0 && words.Holds("not") && question.NewBag(c.meaning).Holds("not") {
			hit++
		}
		if hit >= 2*len(meant) && hit > 0 { // of "shipped" and "not yet shipped", "shipped" is the first
			hit++
		}
		if hit > most {
			best, most, ok = c, hit, true
		} else if hit > 0 && hit == most {
			ok = false
		}
	}
	return best, ok
}
