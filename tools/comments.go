package tools

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// maxComment bounds what is shown of a comment, in bytes: it is read again with every question.
const maxComment = 80

// shownComment is ` "…"` as it follows a name: one line, cut at a word. A comment that says no more than the name shows
// nothing.
func shownComment(name, comment string) string {
	if comment == "" {
		return ""
	}
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	comment = strings.ReplaceAll(strings.Join(strings.FieldsFunc(comment, blank), " "), `"`, "'")
	if len(contentWords(comment, words.OfName(name))) == 0 {
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
	return slices.DeleteFunc(words.Stems(text), func(w string) bool {
		return words.IsStop(w) || slices.Contains(without, w)
	})
}

// CommentNotes are the comments of tables and columns as notes: their terms are the name and the words that name
// something. A comment that says no more than the name is none.
func CommentNotes(s *schema.Schema) (notes Notes) {
	add := func(of, name, comment string) {
		if shown := shownComment(name, comment); shown != "" {
			terms := contentWords(comment, words.OfName(name))
			slices.Sort(terms)
			notes = append(notes, Note{Terms: append([]string{of}, slices.Compact(terms)...), Meaning: shown[1:]})
		}
	}
	for _, t := range s.Tables {
		add(t.Name, t.Name, t.Comment)
		for _, c := range t.Columns {
			add(t.Name+"."+c.Name, c.Name, c.Comment)
		}
	}
	return notes
}

// maxCommentNotes bounds the comments that are hinted at where a prompt shows names alone.
const maxCommentNotes = 4

// code is a value of a column, and what the column's comment says that it means: OP is "open".
type code struct{ value, meaning string }

var (
	meaningEnd = regexp.MustCompile(`[,;/|()\n]|\.(\s|$)`)
	equals     = regexp.MustCompile(`^['"]?\s*[=:]`)
)

// codesOf reads a comment such as "OP open, PD paid", "1 = low / 2 = high" or "open (OP), paid (PD)". A code is a known
// value of a text column, or a whole number. One code alone may be no more than a word of a sentence, unless a sign
// binds its meaning.
func codesOf(c *schema.Column) []code {
	if c.Comment == "" {
		return nil
	}
	number := c.Kind() == schema.Number
	var at []words.Token
	for w := range words.Identifiers(c.Comment) {
		if number && strings.Trim(w.Text, "0123456789") == "" || !number && slices.Contains(c.Values, w.Text) {
			at = append(at, w)
		}
	}
	var codes []code
	bound := false
	for i, w := range at {
		end := len(c.Comment)
		if i+1 < len(at) {
			end = at[i+1].At
		}
		meaning, sign := c.Comment[w.End:end], false
		if w.At > 0 && c.Comment[w.At-1] == '(' && strings.HasPrefix(meaning, ")") { // the meaning stands before it
			from := 0
			if i > 0 {
				from = at[i-1].End + 1
			}
			meaning = strings.Trim(c.Comment[from:w.At-1], " ,;/|\n")
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
			codes = append(codes, code{w.Text, meaning})
			bound = bound || sign
		}
	}
	if len(codes) < 2 && !bound {
		return nil
	}
	return codes
}

// codeIn is the one code whose meaning a question has the most of. Words that name a table or the column, and questions
// that fit two codes as well, decide nothing.
func codeIn(codes []code, asked words.Bag, names []string) (best code, ok bool) {
	most := 0
	for _, c := range codes {
		meant, hit := contentWords(c.meaning, names), 0
		for _, w := range meant {
			if asked.Holds(w) {
				hit += 2
			}
		}
		if hit > 0 && asked.Holds("not") && words.NewBag(c.meaning).Holds("not") {
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
